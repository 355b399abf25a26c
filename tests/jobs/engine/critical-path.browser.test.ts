import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../../fixtures/server.ts';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { criticalPathOf } from '../../../src/core/critical-path.ts';
import { visitOf } from '../../../src/core/measure.ts';
import { toMicroseconds } from '../../../src/core/time.ts';
import { waterfallOf } from '../../../src/core/waterfall.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';

let server: FixtureServer;
let lab: ChromeLab;
beforeAll(async () => {
  [server, lab] = await Promise.all([startFixtureServer(), sharedLab()]);
});
afterAll(async () => {
  await lab?.close();
  await server?.close();
});

const load = async (scenario: string, policy = QUICK) => {
  const visit = visitOf(await recordIn(lab, server.url(scenario), QUICK), policy);
  const path = criticalPathOf(visit);
  if (visit.complete.state !== 'complete' || path === undefined) throw new Error(`${scenario} is complete`);
  const { steps, rest } = path;
  const sum = steps.reduce((all, { delay, wait, receive }) => all + delay + wait + receive, rest);
  expect(toMicroseconds(sum)).toBe(toMicroseconds(visit.complete.at));
  return { visit, path, paths: steps.map(({ url }) => new URL(url).pathname) };
};

it('finds the chain of the shop: document, modules, products, and what those were needed for', async () => {
  // On a busy machine a picture may come last of all.
  const { paths, path, visit } = await load('shop', { ...QUICK, background: ['*/pictures/*'] });
  expect(paths[0]).toBe('/shop/');
  expect(paths.slice(-3)).toEqual([
    // Whichever of the two modules came last.
    expect.stringMatching(/^\/shop\/scripts\/(?:cards|basket)\.js$/),
    '/shop/api/products',
    '/shop/api/reviews',
  ]);
  expect(path.steps.at(-1)?.reason).toMatchObject({
    code: 'file',
    by: { url: expect.stringMatching(/\/shop\.js$/) },
    line: 5,
    awaited: { url: expect.stringMatching(/\/shop\/api\/products$/), failed: false },
  });
  const waterfall = waterfallOf(visit, QUICK, 1);
  const rows = new Map(waterfall.rows.map((row) => [row.id, row]));
  expect(waterfall.critical?.map((id) => rows.get(id)?.url)).toEqual(path.steps.map(({ url }) => url));
  const wire = waterfall.rows.reduce((sum, { transferSize }) => sum + (transferSize ?? 0), 0);
  expect(waterfall.bandwidth?.bytes.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThanOrEqual(wire);
}, 60_000);

it.each([
  ['redirects', ['/redirects/', '/redirects/step', '/redirects/home.html'], '/redirects/api/new'],
  ['script-redirect', ['/script-redirect/', '/script-redirect/next.html'], '/script-redirect/picture.png'],
  ['iframes', ['/iframes/', '/iframes/cross.html', '/iframes/nested.html'], '/iframes/api/nested'],
])(
  'goes back to the beginning in %s',
  async (scenario, first, last) => {
    const { paths } = await load(scenario);
    expect(paths.slice(0, first.length)).toEqual(first);
    expect(paths.at(-1)).toBe(last);
  },
  60_000,
);
