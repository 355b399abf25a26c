import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { type Scene, sceneOf } from '../../../src/core/evidence/scene.ts';
import { visitOf } from '../../../src/core/measure.ts';
import { readSteps } from '../../../src/jobs/engine/evidence/film.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';
import { type Site, serve } from '../site.ts';

const THOROUGH = { ...QUICK, thorough: true };

/** A price that changes, a job whose third answer is its result, and two counts that nobody shows. */
const PAGE = `<!doctype html><title>Shop</title><link rel="icon" href="data:,">
<style>p { font: 60px sans-serif; height: 80px }</style>
<h1>A shop with a long name, so that its heading is the largest that is painted</h1><p id="price"></p><p id="job"></p>
<script type="module">
  const every = (path, id) => setInterval(async () => {
    const text = await (await fetch(path)).text();
    if (id && text) document.getElementById(id).textContent = text;
  }, 1000);
  every('/price', 'price');
  every('/watchers');
  setTimeout(() => {
    every('/job', 'job');
    every('/viewers');
  }, 500);
</script>`;

/** Answers to two addresses that are given at one moment, as soon as both were asked for; another load begins anew. */
function together(answers: Readonly<Record<string, (nth: number) => string>>) {
  const waiting = new Map<string, ServerResponse>();
  let nth = 0;
  const ask = (path: string) => (response: ServerResponse) => {
    waiting.set(path, response);
    if (waiting.size < Object.keys(answers).length) return;
    nth += 1;
    for (const [each, answer] of Object.entries(answers)) waiting.get(each)?.end(answer(nth));
    waiting.clear();
  };
  const again = (): void => {
    nth = 0;
    waiting.clear();
  };
  return { again, table: Object.fromEntries(Object.keys(answers).map((path) => [path, ask(path)])) };
}

let site: Site;
let lab: ChromeLab;
beforeAll(async () => {
  lab = await sharedLab();
  const prices = together({ '/price': (nth) => `${nth * 17} €`, '/watchers': String });
  const jobs = together({ '/job': (nth) => (nth === 3 ? 'Ready' : ''), '/viewers': String });
  site = await serve(() => ({
    '/': (response) => {
      prices.again();
      jobs.again();
      response.setHeader('content-type', 'text/html').end(PAGE);
    },
    ...prices.table,
    ...jobs.table,
  }));
});
afterAll(async () => {
  await lab?.close();
  await site?.close();
});

/** What the polls did, by their paths. */
function effectsIn({ impacts, suspects }: Scene) {
  return Object.fromEntries(
    suspects.map(({ key, requests: [request] }) => {
      const { impact, effects = [] } = impacts.get(key) ?? {};
      // The last may have come too late to tell.
      return [new URL(request?.url ?? '').pathname, { impact, kinds: effects.slice(0, 4).map(({ kind }) => kind) }];
    }),
  );
}

it('tells which of the answers that come at one moment fill a place, repaint one, or change nothing', async () => {
  const recording = await recordIn(lab, `${site.origin}/`, THOROUGH, { film: true, trace: true });
  const effects = effectsIn(sceneOf(visitOf(recording, THOROUGH), await readSteps(recording.frames), THOROUGH, true));
  expect(new Set(effects['/watchers']?.kinds)).toEqual(new Set(['nothing']));
  expect(new Set(effects['/viewers']?.kinds)).toEqual(new Set(['nothing']));
  expect(effects['/price']).toMatchObject({ impact: 'continuous' });
  expect(new Set(effects['/price']?.kinds.slice(1))).toEqual(new Set(['repaints']));
  expect(effects['/job']?.kinds).toEqual(['nothing', 'nothing', 'fills', 'nothing']);

  // Changes of documents are read, and not kept.
  expect(JSON.stringify(recording.trace?.events ?? []).includes('InvalidationTracking')).toBe(false);
});
