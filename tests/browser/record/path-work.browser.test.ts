import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { readMainThread } from '../../../src/core/main-thread/read.ts';
import { visitOf } from '../../../src/core/measure.ts';
import { criticalPathOf } from '../../../src/core/path/critical-path.ts';
import { knownOf } from '../../../src/core/rendering/timed-work.ts';
import { toMicroseconds } from '../../../src/core/time/time.ts';
import type { Visit } from '../../../src/model/network/visit.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { sumOf } from '../../support/path-steps.ts';
import { QUICK } from '../../support/patience.ts';
import { type Site, serve } from '../site.ts';

const WORK_MS = 120;
const VENDOR = `/* vendor */
function build() {
  for (const until = performance.now() + ${WORK_MS}; performance.now() < until; ) Math.sqrt(2);
}
build();`;

let site: Site;
let lab: ChromeLab;
beforeAll(async () => {
  [site, lab] = await Promise.all([
    serve(() => ({
      '/': `<!doctype html><link rel="icon" href="data:,"><link rel="stylesheet" href="theme.css">
<script src="vendor.js"></script><h1>Shop</h1>
<script>const s = document.createElement('script'); s.src = 'widget.js'; document.body.append(s);</script>`,
      '/theme.css': (response) => response.writeHead(200, { 'content-type': 'text/css' }).end('h1 { color: teal }'),
      '/vendor.js': VENDOR,
      '/widget.js': "document.querySelector('h1').textContent = 'Shop with a widget'",
    })),
    sharedLab(),
  ]);
});
afterAll(async () => {
  await lab?.close();
  await site?.close();
});

/** The steps of the path by name, and the work of the vendor's script among them. */
function pathOf(visit: Visit) {
  const path = criticalPathOf(visit);
  if (path === undefined || visit.complete.state !== 'complete') throw new Error('the page is complete');
  expect(sumOf(path)).toBe(toMicroseconds(visit.complete.at));
  const names = path.steps.map(
    (step) => new URL(step.cause === 'work' ? (step.place?.url ?? 'none:') : step.url).pathname,
  );
  const work = path.steps.find((step) => step.cause === 'work' && step.place?.url === `${site.origin}/vendor.js`);
  return { names, work };
}

it('a script that runs before the next request is a step, in untimed and in timed loads', async () => {
  const untimed = await recordIn(lab, `${site.origin}/`, QUICK, { film: true, trace: true });
  if (!untimed.trace || !untimed.page) throw new Error('nothing was traced');
  const scope = { ...untimed.trace, until: untimed.observedUntil, pageUrl: untimed.page.finalUrl };
  const read = readMainThread(untimed.trace.events, scope);
  if (!read) throw new Error('the trace has a main thread');
  const { work, ...mainThread } = read;
  const timed = await recordIn(lab, `${site.origin}/`, QUICK);
  const place = { url: `${site.origin}/vendor.js`, line: 2, function: 'build' };
  for (const visit of [visitOf({ ...untimed, work }, QUICK), visitOf(timed, QUICK, knownOf({ mainThread }))]) {
    const path = pathOf(visit);
    expect(path.work).toMatchObject({ cause: 'work', category: 'scriptEvaluation', place });
    expect(path.work?.cause === 'work' && path.work.work).toBeGreaterThanOrEqual(WORK_MS * 0.9);
    // A busy machine may have other work on the path.
    expect(path.names.indexOf('/vendor.js')).toBeLessThan(path.names.indexOf('/widget.js'));
    expect(path.names.indexOf('/vendor.js')).toBeGreaterThan(0);
  }
});
