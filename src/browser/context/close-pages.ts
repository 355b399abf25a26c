import { setTimeout } from 'node:timers/promises';
import type { Profile } from '../connect/profile.ts';
import { FINAL_READ_TIMEOUT_MS } from '../connect/with-timeout.ts';

/** How often to look whether the pages are closed, ms. */
const POLL_EVERY_MS = 10;

/** Closes all pages of the context, and waits until they are gone: the load must not take one for its own. */
export async function closePages(browserContextId: string, root: Profile['root']): Promise<void> {
  const open = async (): Promise<readonly string[]> => {
    const { targetInfos } = await root.send('Target.getTargets', { filter: [{ type: 'page' }, { type: 'tab' }] });
    return targetInfos.flatMap((each) => (each.browserContextId === browserContextId ? each.targetId : []));
  };
  const until = performance.now() + FINAL_READ_TIMEOUT_MS;
  for (let left = await open(); left.length > 0 && performance.now() < until; left = await open()) {
    for (const targetId of left) await root.send('Target.closeTarget', { targetId }).catch(() => undefined);
    await setTimeout(POLL_EVERY_MS);
  }
}
