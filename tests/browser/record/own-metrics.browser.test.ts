import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { buildHar } from '../../../src/core/har/build.ts';
import { measure, visitOf } from '../../../src/core/measure.ts';
import { readHar } from '../../../src/core/sources/har.ts';
import { recordingOfHar } from '../../../src/core/sources/har-recording.ts';
import type { OwnMetric } from '../../../src/model/metrics/metrics.ts';
import { sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';
import { type Site, serve } from '../site.ts';

const PAGE = `<!doctype html><link rel="icon" href="data:,">
  <h1 elementtiming="hero">A page</h1>
  <script>
    performance.mark('begin');
    performance.mark('ready');
    performance.measure('boot', 'begin', 'ready');
    // As React's scheduler does: they are metrics all the same.
    performance.clearMarks();
    performance.clearMeasures();
    const items = [1, 2, 3];
  </script>`;

const metrics: readonly OwnMetric[] = [
  ['ready', 'mark:ready'],
  ['boot', 'measure:boot'],
  ['hero', 'element:hero'],
  ['db', 'server:db'],
  ['items', 'js:items.length'],
  ['broken', 'js:items.none.none'],
  ['endless', 'js:(() => { for (;;); })()'],
  ['text', 'js:document.title'],
].map(([name = '', from = '']) => ({ name, from, unit: 'ms', better: 'lower' }));

let lab: ChromeLab;
let site: Site;
beforeAll(async () => {
  [site, lab] = await Promise.all([
    serve(() => ({
      '/': (response) => {
        response.setHeader('content-type', 'text/html');
        response.setHeader('server-timing', 'cache;desc="a, b", db;dur=12.5');
        response.end(PAGE);
      },
    })),
    sharedLab(),
  ]);
});
afterAll(async () => {
  await lab?.close();
  await site?.close();
});

it('reads own metrics of every source, in a load and from its HAR', async () => {
  const outcome = await lab.record(
    { url: `${site.origin}/`, policy: QUICK, content: false, metrics },
    new AbortController().signal,
  );
  if (!outcome.ok) throw new Error(outcome.failure.message);
  const visit = visitOf(outcome.recording, QUICK);
  const live = measure(visit, QUICK);
  const { ready = 0, boot = -1, hero = 0, ...rest } = live.metrics;
  expect(ready).toBeGreaterThan(rest.timeToFirstByte ?? 0);
  expect(boot).toBeGreaterThanOrEqual(0);
  expect(hero).toBeGreaterThanOrEqual(ready);
  expect(rest).toMatchObject({ db: 12.5, items: 3 });
  // What throws, does not end or is no number is missing; the rest of the page's report is there all the same.
  const missing = live.findings.flatMap((each) => (each.code === 'metric-missing' ? each.facts.metric : []));
  expect(missing).toEqual(['broken', 'endless', 'text']);
  expect(rest.firstContentfulPaint).toBeDefined();

  const har: unknown = JSON.parse(JSON.stringify(buildHar(outcome.recording, visit.timeline, { version: '1' })));
  const [read] = readHar(har).recordings;
  if (!read) throw new Error('the HAR has a page');
  const again = visitOf({ ...recordingOfHar(read), navigation: { ...read.navigation, metrics } }, QUICK);
  const own = Object.fromEntries(metrics.map(({ name }) => [name, live.metrics[name]]));
  expect(measure(again, QUICK).metrics).toMatchObject(JSON.parse(JSON.stringify(own)));
});
