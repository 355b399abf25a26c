import { expect, it } from 'vitest';
import { startBrowser } from '../../../src/browser/connect/start-browser.ts';
import { findBrowser } from '../../../src/browser/install/find.ts';

it('opens several sessions at the same moment, all of which stay', async () => {
  const { path } = await findBrowser(undefined, process.env);
  const browser = await startBrowser({ sandbox: process.getuid?.() !== 0, browserArg: [] }, path);
  try {
    const roots = await Promise.all(Array.from({ length: 8 }, () => browser.newRootSession()));
    // What Chrome had to say before this is known by then, also that a session is over.
    await browser.root.send('Target.getTargets');
    for (const root of roots) await expect(root.send('Target.getTargets')).resolves.toBeDefined();
  } finally {
    await browser.close();
  }
});

it('loads no page of its own when a context is opened: it would compete with the page under test', async () => {
  const { path } = await findBrowser(undefined, process.env);
  const browser = await startBrowser({ sandbox: process.getuid?.() !== 0, browserArg: [] }, path);
  try {
    const all = { filter: [{}] };
    const before = new Set((await browser.root.send('Target.getTargets', all)).targetInfos.map((it) => it.targetId));
    const { browserContextId } = await browser.root.send('Target.createBrowserContext');
    const { targetId } = await browser.root.send('Target.createTarget', { url: 'about:blank', browserContextId });
    // Attaching to the page and evaluating in it takes longer than what the browser opens beside its window.
    const { sessionId } = await browser.root.send('Target.attachToTarget', { targetId, flatten: true });
    const frame = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';
    await browser.session(sessionId)?.send('Runtime.evaluate', { expression: frame, awaitPromise: true });
    const { targetInfos } = await browser.root.send('Target.getTargets', all);
    const added = targetInfos.filter((it) => !before.has(it.targetId));
    expect(added.map(({ type, url }) => [type, url])).toEqual([
      ['page', 'about:blank'],
      ['tab', 'about:blank'],
    ]);
  } finally {
    await browser.close();
  }
});
