import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { criticalPathOf, criticalRequestsOf } from '../../../src/core/critical-path.ts';
import { buildHar } from '../../../src/core/har/build.ts';
import { visitOf } from '../../../src/core/measure.ts';
import { readHar } from '../../../src/core/sources/har.ts';
import { recordingOfHar } from '../../../src/core/sources/har-recording.ts';
import { mainThreadSpans } from '../../../src/core/stolen-time.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';
import { type Site, serve } from '../site.ts';

/** Computes before it asks for what it shows. */
const WIDGET = `<p></p><script>
  let hash = 0;
  for (let i = 0; i < 5e7; i++) hash = (Math.imul(hash, 31) + i) | 0;
  fetch('/text').then((answer) => answer.text()).then((text) => { document.querySelector('p').textContent = text + hash; });
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
  const recording = await recordIn(lab, `${site.origin}/`, QUICK);
  const [thread, ...others] = recording.frameThreads ?? [];
  expect(others).toEqual([]);
  const last = thread?.samples.at(-1);
  // Five million rounds of the loop for each millisecond: no processor is that fast.
  expect(last?.taskTime).toBeGreaterThan(10);
  expect(last?.cpuTime).toBeGreaterThan(10);
  // The page itself did not compute that.
  expect(recording.mainThread.at(-1)?.cpuTime).toBeLessThan(last?.cpuTime ?? 0);

  const visit = visitOf(recording, QUICK);
  const chain = criticalRequestsOf(visit);
  const path = criticalPathOf(visit, chain);
  if (!path) throw new Error('the page is complete');
  expect(path.steps.map(({ url }) => new URL(url).pathname)).toEqual(['/', '/widget', '/text']);
  expect(mainThreadSpans(path, chain, recording.frameThreads).map(({ frameId }) => frameId)).toEqual([
    undefined,
    undefined,
    thread?.frameId,
    thread?.frameId,
  ]);

  // A stored recording gives the same undisturbed figures.
  const har: unknown = JSON.parse(
    JSON.stringify(buildHar(recording, visit.timeline, { version: '0.0.0', policy: QUICK })),
  );
  const [read] = readHar(har).recordings;
  if (!read) throw new Error('no page');
  expect(recordingOfHar(read).frameThreads).toEqual(recording.frameThreads);
}, 60_000);

it('says nothing of threads where no frame has a process of its own', async () => {
  expect(await recordIn(lab, `${site.origin}/alone`, QUICK)).not.toHaveProperty('frameThreads');
}, 60_000);
