import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../../fixtures/server.ts';
import type { ChromeLab } from '../../../src/browser/lab.ts';
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

/** What the server saw of one load, without what may differ from one run to the next. */
async function loadOnce(name: string) {
  await recordIn(lab, server.url(name), QUICK);
  const load = server.loads.findLast(({ scenario }) => scenario.name === name);
  if (!load) throw new Error('the server saw no load');
  return load;
}

// A warm browser with a new context a run is only as good as a new process if nothing of the last run is left.
it.concurrent.each(['shop', 'workers', 'ledger'])(
  '%s finds a cold cache, no cookies and no open connection the second time',
  async (name) => {
    const first = await loadOnce(name);
    const second = await loadOnce(name);
    const bare = (load: typeof first) =>
      load.requests.filter(({ headers }) => headers.cookie === undefined).map(({ path }) => path.split('?')[0]);
    const [document] = second.requests;
    expect(document?.headers.cookie).toBeUndefined();
    expect(document?.headers['if-none-match']).toBeUndefined();
    expect(document?.headers['if-modified-since']).toBeUndefined();
    const needed = first.scenario.expected?.needed.filter((path) => !path.startsWith('@')) ?? [];
    for (const path of needed)
      expect(
        new Set(bare(second)).has(path.split('?')[0]) ||
          second.requests.some((each) => each.path.split('?')[0] === path.split('?')[0]),
        path,
      ).toBe(true);
    const connections = (load: typeof first) => new Set(load.requests.map(({ connection }) => connection));
    const shared = [...connections(second)].filter((each) => connections(first).has(each));
    expect(shared).toEqual([]);
  },
);

it('ends at once when it is aborted while its context is still being opened', async () => {
  const abort = new AbortController();
  const before = server.loads.length;
  const loading = lab.record({ url: server.url('plain'), policy: QUICK, content: false }, abort.signal);
  abort.abort(new Error('enough'));
  await expect(loading).rejects.toThrow('enough');
  expect(server.loads).toHaveLength(before);
});
