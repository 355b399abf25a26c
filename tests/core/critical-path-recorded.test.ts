import { expect, it } from 'vitest';
import { readCorpus } from '../../fixtures/corpus-file.ts';
import { DEFAULT_POLICY } from '../../src/core/completion/default-policy.ts';
import { visitOf } from '../../src/core/measure.ts';
import { criticalPathOf } from '../../src/core/path/critical-path.ts';
import { toMicroseconds } from '../../src/core/time/time.ts';
import { waterfallOf } from '../../src/core/waterfall.ts';
import { requestsOf, sumOf } from '../support/path-steps.ts';

const POLICY = { ...DEFAULT_POLICY, thorough: true };

/** The path of the filmed load on a quiet machine, which was watched for as long as it takes to know what is background. */
function pathIn(page: string, policy = POLICY) {
  const filmed = readCorpus(page).recordings[0]?.loads.find(({ role }) => role === 'evidence');
  if (!filmed) throw new Error(`${page} was filmed`);
  const visit = visitOf(filmed.recording, policy);
  const path = criticalPathOf(visit);
  if (visit.complete.state !== 'complete' || path === undefined) throw new Error(`${page} is complete`);
  const steps = requestsOf(path);
  expect(sumOf(path)).toBe(toMicroseconds(visit.complete.at));
  return { visit, path, paths: steps.map(({ url }) => new URL(url).pathname) };
}

it('finds the chain of the shop: document, modules, and what those asked for last', () => {
  // A picture may come last of all.
  const policy = { ...POLICY, background: ['*/pictures/*'] };
  const { paths, path, visit } = pathIn('shop', policy);
  expect(paths[0]).toBe('/shop/');
  expect(paths.slice(-2)).toEqual([
    // Whichever of the two modules came last.
    expect.stringMatching(/^\/shop\/scripts\/(?:cards|basket)\.js$/),
    '/shop/api/reviews',
  ]);
  // For which answer the script asks for more no initiator tells.
  expect(requestsOf(path).at(-1)?.reason).toMatchObject({
    code: 'file',
    by: { url: expect.stringMatching(/\/shop\.js$/) },
    line: 5,
    awaited: { url: expect.stringMatching(/\/shop\/scripts\/(?:cards|basket)\.js$/), failed: false },
  });
  const waterfall = waterfallOf(visit, policy, 1);
  const rows = new Map(waterfall.rows.map((row) => [row.id, row]));
  expect(waterfall.critical?.map((id) => rows.get(id)?.url)).toEqual(requestsOf(path).map(({ url }) => url));
  const wire = waterfall.rows.reduce((sum, { transferSize }) => sum + (transferSize ?? 0), 0);
  expect(waterfall.bandwidth?.bytes.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThanOrEqual(wire);
});

it.each([
  ['redirects', ['/redirects/', '/redirects/step', '/redirects/home.html'], '/redirects/api/new'],
  ['script-redirect', ['/script-redirect/', '/script-redirect/next.html'], '/script-redirect/picture.png'],
  ['iframes', ['/iframes/', '/iframes/cross.html', '/iframes/nested.html'], '/iframes/api/nested'],
])('goes back to the beginning in %s', (page, first, last) => {
  const { paths } = pathIn(page);
  expect(paths.slice(0, first.length)).toEqual(first);
  expect(paths.at(-1)).toBe(last);
});
