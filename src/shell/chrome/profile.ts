import type { CDPSession } from 'puppeteer-core';
import type { RunningBrowser } from './browser.ts';

/** A fresh profile inside a running browser: a context with cookies, caches, storage, workers and connections of its own. */
export interface Profile {
  readonly browserContextId: string;
  /** A session with the browser for what concerns the profile as a whole. */
  readonly root: CDPSession;
  /** Ends it with everything that is open in it. */
  dispose(): Promise<void>;
}

/** The profiles of loads under way, for each browser. */
const profilesOf = new WeakMap<RunningBrowser, Set<string>>();

/** Opens an empty profile; it is gone with its session, also when this program dies. */
export async function openProfile(browser: RunningBrowser): Promise<Profile> {
  const root = await browser.newRoot();
  const { browserContextId } = await root.send('Target.createBrowserContext', { disposeOnDetach: true });
  const profiles = profilesOf.get(browser) ?? new Set<string>();
  profilesOf.set(browser, profiles.add(browserContextId));
  return {
    browserContextId,
    root,
    async dispose() {
      await root.send('Target.disposeBrowserContext', { browserContextId }).catch(() => undefined);
      await root.detach().catch(() => undefined);
      profiles.delete(browserContextId);
    },
  };
}

/** Does a context belong to a load that is under way? What is in it is let run by that load alone. */
export function isProfile(browser: RunningBrowser, browserContextId: string | undefined): boolean {
  return browserContextId !== undefined && profilesOf.get(browser)?.has(browserContextId) === true;
}
