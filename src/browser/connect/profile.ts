import type { CDPSession } from 'puppeteer-core';
import type { RunningBrowser } from './browser.ts';

/** A fresh profile in a running browser: a context with cookies, caches, storage, workers and connections of its own. */
export interface Profile {
  readonly browserContextId: string;
  /** A session with the browser for what concerns the profile as a whole. */
  readonly root: CDPSession;
  /** Closes it with everything that is open in it. */
  dispose(): Promise<void>;
}

/** The profiles of the loads under way in each browser. */
const openProfiles = new WeakMap<RunningBrowser, Set<string>>();

/** Opens an empty profile. It ends with its session, also when this program dies. */
export async function openProfile(browser: RunningBrowser): Promise<Profile> {
  const root = await browser.newRootSession();
  const { browserContextId } = await root.send('Target.createBrowserContext', { disposeOnDetach: true });
  const profiles = openProfiles.get(browser) ?? new Set<string>();
  openProfiles.set(browser, profiles.add(browserContextId));
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

/** Does a context belong to a load under way? That load alone resumes the targets in it. */
export function isProfile(browser: RunningBrowser, browserContextId: string | undefined): boolean {
  return browserContextId !== undefined && openProfiles.get(browser)?.has(browserContextId) === true;
}
