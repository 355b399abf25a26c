import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../../fixtures/server.ts';
import { auditInChrome } from '../../support/chrome.ts';

/** Lighthouse wants ten seconds of silence, and a busy machine takes as long again to judge. */
const LONG = 240_000;
const CANARY = 'canary-5f2a81c3d9';

let server: FixtureServer;
beforeAll(async () => {
  server = await startFixtureServer();
});
afterAll(() => server.close());

test('Lighthouse runs in the session of the other runs, without the stream that the page looks the same without', {
  timeout: LONG,
}, async () => {
  const files = new Map<string, string>();
  const { result, exit, problems } = await auditInChrome(
    {
      targets: [`${server.url('sse-fetch')}?k=${CANARY}`],
      evidence: true,
      ablation: true,
      header: [`X-Way-In: ${CANARY}`],
      cookie: [`session=${CANARY}`],
      budget: ['lighthouse:performance=0.5', 'requests=1000', 'requests:image=0:warn'],
    },
    {},
    async (folder) => {
      for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const name = path.join(file.parentPath, file.name);
        if (file.isFile()) files.set(file.name, await readFile(name, 'latin1'));
      }
    },
  );
  expect(problems).toEqual([]);
  expect(exit).toBe(0);
  const [target] = result.targets;
  const lighthouse = target?.lighthouse;
  expect(lighthouse?.waited.strategy).toBe('blocked');
  expect(lighthouse?.waited.blocked).toEqual([`GET ${server.url('sse-fetch')}api/events`]);
  expect(lighthouse?.version).toMatch(/^13\./);
  expect(lighthouse?.runs).toHaveLength(1);
  expect(lighthouse?.runs[0]).toMatchObject({ ok: true });
  expect(lighthouse?.runs[0]).not.toHaveProperty('capReached');
  expect(lighthouse?.categories.performance?.median).toBeGreaterThan(0);
  expect(lighthouse?.metrics.firstContentfulPaint?.median).toBeGreaterThan(0);
  expect(target?.budgets?.map(({ state }) => state)).toEqual(['pass', 'pass', 'fail']);

  // One load more than evidence, ablation and the timed run: it brought the way in, and the stream never left Chrome.
  const loads = server.loads.filter(({ scenario }) => scenario.name === 'sse-fetch');
  expect(loads.length).toBeGreaterThanOrEqual(4);
  const requests = loads.at(-1)?.requests ?? [];
  expect(requests[0]?.headers).toMatchObject({ 'x-way-in': CANARY, cookie: `session=${CANARY}` });
  expect(requests.some((request) => request.path.includes('/api/content'))).toBe(true);
  expect(requests.some((request) => request.path.includes('/api/events'))).toBe(false);

  // Its own report is there, whole, and nothing that was written holds what got us in.
  expect(files.get('lighthouse.html')).toContain('__LIGHTHOUSE_JSON__');
  expect([...files].filter(([, text]) => text.includes(CANARY)).map(([name]) => name)).toEqual([]);
});
