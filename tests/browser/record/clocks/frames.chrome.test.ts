import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChromeLab } from '../../../../src/browser/lab.ts';
import { buildHar } from '../../../../src/core/har/build.ts';
import { visitOf } from '../../../../src/core/measure.ts';
import { criticalPathOf, criticalRequestsOf } from '../../../../src/core/path/critical-path.ts';
import { mainThreadSpans } from '../../../../src/core/path/stolen-time.ts';
import { readHar } from '../../../../src/core/sources/har.ts';
import { recordingOfHar } from '../../../../src/core/sources/har-recording.ts';
import { recordIn, sharedLab } from '../../../support/lab.ts';
import { requestsOf } from '../../../support/path-steps.ts';
import { QUICK } from '../../../support/patience.ts';
import { type Site, serve } from '../../site.ts';

/**
 * Computes again and again before it asks for what it shows: on a busy machine it has begun before both of its clocks are
 * read for the first time.
 */
const WIDGET = `<p></p><script type="module">
  let hash = 0;
  for (const name of ['news', 'weather', 'tides', 'ferries', 'text']) {
    for (let i = 0; i < 1e7; i++) hash = (Math.imul(hash, 31) + i) | 0;
    document.querySelector('p').textContent += await (await fetch('/' + name)).text() + hash;
  }
</script>`;

let lab: ChromeLab;
let site: Site;
beforeAll(async () => {
  [site, lab] = await Promise.all([
    serve((_origin, crossOrigin) => ({
      '/': `<link rel="icon" href="data:,"><p>Widgets</p><iframe src="${crossOrigin}/widget"></iframe>`,
      '/alone': '<link rel="icon" href="data:,"><p>Nothing else</p>',
      '/widget': WIDGET,
      '/text': 'Widget',
    })),
    sharedLab(),
  ]);
});
afterAll(async () => {
  await lab?.close();
  await site?.close();
});

it('reads both clocks of a frame that has a process of its own, and knows when the page waited for it', async () => {
  // On a busy machine the frame computes for a second without a word.
  const policy = { ...QUICK, quietWindow: 3_000 };
  const recording = await recordIn(lab, `${site.origin}/`, policy);
  const [thread, ...others] = recording.frameThreads ?? [];
  expect(others).toEqual([]);
  const last = thread?.samples.at(-1);
  expect(last?.taskTime).toBeGreaterThan(0);
  // The page itself did not compute that.
  expect(recording.mainThread.at(-1)?.cpuTime).toBeLessThan(last?.cpuTime ?? 0);

  const visit = visitOf(recording, policy);
  const chain = criticalRequestsOf(visit);
  const path = criticalPathOf(visit, chain);
  if (!path) throw new Error('the page is complete');
  expect(
    requestsOf(path)
      .map(({ url }) => new URL(url).pathname)
      .at(-1),
  ).toBe('/text');
  // The page asked for the widget; what the widget asked for, and drew at last, came of its own thread.
  const threads = mainThreadSpans(path, chain, recording.frameThreads).map(({ frameId }) => frameId);
  expect(threads.slice(0, 2)).toEqual([undefined, undefined]);
  expect(new Set(threads.slice(2))).toEqual(new Set([thread?.frameId]));

  // A stored recording gives the same undisturbed figures.
  const har: unknown = JSON.parse(JSON.stringify(buildHar(recording, visit.timeline, { version: '0.0.0', policy })));
  const [read] = readHar(har).recordings;
  if (!read) throw new Error('no page');
  expect(recordingOfHar(read).frameThreads).toEqual(recording.frameThreads);
}, 60_000);

it('says nothing of threads where no frame has a process of its own', async () => {
  expect(await recordIn(lab, `${site.origin}/alone`, QUICK)).not.toHaveProperty('frameThreads');
}, 60_000);
