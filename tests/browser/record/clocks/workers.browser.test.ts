import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChromeLab } from '../../../../src/browser/lab.ts';
import { buildHar } from '../../../../src/core/har/build.ts';
import { visitOf } from '../../../../src/core/measure.ts';
import { readHar } from '../../../../src/core/sources/har.ts';
import { recordingOfHar } from '../../../../src/core/sources/har-recording.ts';
import { recordIn, sharedLab } from '../../../support/lab.ts';
import { QUICK } from '../../../support/patience.ts';
import { type Site, serve } from '../../site.ts';

/** Computes for some 60 ms, and asks for what it shows when its worker has an answer. */
const PAGE = `<link rel="icon" href="data:,"><p></p><script type="module">
  const worker = new Worker('/worker.js');
  worker.onmessage = async ({ data }) => {
    document.querySelector('p').textContent = await (await fetch('/text')).text() + data;
  };
  worker.postMessage(1);
</script>`;
const WORKER = `onmessage = () => {
  let hash = 0;
  for (let i = 0; i < 4e7; i++) hash = (Math.imul(hash, 31) + i) | 0;
  postMessage(hash);
};`;

let lab: ChromeLab;
let site: Site;
beforeAll(async () => {
  [site, lab] = await Promise.all([
    serve(() => ({
      '/': PAGE,
      '/alone': '<link rel="icon" href="data:,"><p>Nothing else</p>',
      '/worker.js': WORKER,
      '/text': 'The answer is ',
    })),
    sharedLab(),
  ]);
});
afterAll(async () => {
  await lab?.close();
  await site?.close();
});

describe.skipIf(!existsSync('/proc/self/schedstat'))('the clocks of workers', () => {
  it('are read where there is one, and stay in its HAR', async () => {
    const recording = await recordIn(lab, `${site.origin}/`, QUICK);
    const [worker, ...others] = recording.workerThreads ?? [];
    expect(others).toEqual([]);
    const { cpuTime = 0, taskTime = 0 } = worker?.samples.at(-1) ?? {};
    expect(taskTime).toBeGreaterThanOrEqual(cpuTime);
    // The page itself did not compute that.
    expect(recording.mainThread.at(-1)?.cpuTime).toBeLessThan(cpuTime);

    const { timeline } = visitOf(recording, QUICK);
    const har: unknown = JSON.parse(JSON.stringify(buildHar(recording, timeline, { version: '0.0.0', policy: QUICK })));
    const [read] = readHar(har).recordings;
    if (!read) throw new Error('no page');
    expect(recordingOfHar(read).workerThreads).toEqual(recording.workerThreads);
  });

  it('are none where there is no worker', async () => {
    expect(await recordIn(lab, `${site.origin}/alone`, QUICK)).not.toHaveProperty('workerThreads');
  });
});
