import type { CDPSession, Protocol } from 'puppeteer-core';

/** The isolated world in which Quiesce's own scripts run: pages do not see them. */
export const ISOLATED_WORLD = 'quiesce';

/** The world of the page's main frame, and that frame. */
export async function isolatedWorldOf(
  page: CDPSession,
): Promise<{ readonly contextId: number; readonly frame: Protocol.Page.Frame }> {
  const { frame } = (await page.send('Page.getFrameTree')).frameTree;
  const world = await page.send('Page.createIsolatedWorld', { frameId: frame.id, worldName: ISOLATED_WORLD });
  return { contextId: world.executionContextId, frame };
}
