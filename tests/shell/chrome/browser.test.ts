import { expect, it } from 'vitest';
import { findBrowser } from '../../../src/shell/browser/find.ts';
import { startBrowser } from '../../../src/shell/chrome/browser.ts';

it('opens several sessions at the same moment, all of which stay', async () => {
  const { path } = await findBrowser(undefined, process.env);
  const browser = await startBrowser({ sandbox: process.getuid?.() !== 0, browserArg: [] }, path);
  try {
    const roots = await Promise.all(Array.from({ length: 8 }, () => browser.newRoot()));
    // What Chrome had to say before this is known by then, also that a session is over.
    await browser.root.send('Target.getTargets');
    for (const root of roots) await expect(root.send('Target.getTargets')).resolves.toBeDefined();
  } finally {
    await browser.close();
  }
});
