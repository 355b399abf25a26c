import { describe, expect, it } from 'vitest';
import { changesOf, type MeasuredRun } from '../../../src/core/changes/changes.ts';
import type { InventoryItem } from '../../../src/model/compare/comparison.ts';
import type { Finding } from '../../../src/model/result/result.ts';

const ORIGIN = { base: 'http://127.0.0.1:4000', candidate: 'http://127.0.0.1:5000' };

function item(name: string, transferSize: number, parts: Partial<InventoryItem> = {}): InventoryItem {
  return { name: `GET ${name}`, url: ORIGIN.base + name, type: 'script', requests: 1, transferSize, ...parts };
}

function runs(...inventories: readonly (readonly InventoryItem[])[]): readonly MeasuredRun[] {
  return inventories.map((inventory) => ({ inventory, findings: [] }));
}

function times<T>(n: number, make: (i: number) => T): readonly T[] {
  return Array.from({ length: n }, (_, i) => make(i));
}

const NONE = {
  added: [],
  removed: [],
  grown: [],
  shrunk: [],
  thirdParties: { added: [], removed: [] },
  findings: { added: [], removed: [] },
};

describe('requests', () => {
  const page = [item('/', 1_000, { type: 'document' }), item('/app.*.js', 50_000)];

  it('finds nothing between identical builds', () => {
    const build = runs(page, page, page);
    expect(changesOf(build, build)).toMatchObject(NONE);
  });

  it('says what was added, removed, grown and shrunk, the largest change first', () => {
    const before = [...page, item('/a.js', 9_000), item('/gone.js', 700), item('/gone-too.js', 7_000)];
    const after = [
      item('/', 1_000, { type: 'document' }),
      item('/app.*.js', 60_000),
      item('/a.js', 4_000),
      item('/new.js', 300),
      item('/large.js', 3_000),
    ];
    const { added, removed, grown, shrunk } = changesOf(runs(before, before), runs(after, after));
    expect(added.map(({ name }) => name)).toEqual(['GET /large.js', 'GET /new.js']);
    expect(added[0]).toEqual({
      name: 'GET /large.js',
      url: `${ORIGIN.base}/large.js`,
      type: 'script',
      candidate: { requests: 1, transferSize: 3_000 },
    });
    expect(removed.map(({ name }) => name)).toEqual(['GET /gone-too.js', 'GET /gone.js']);
    expect(removed[0]?.candidate).toBeUndefined();
    expect(grown.map(({ name, base, candidate }) => [name, base?.transferSize, candidate?.transferSize])).toEqual([
      ['GET /app.*.js', 50_000, 60_000],
    ]);
    expect(shrunk.map(({ name }) => name)).toEqual(['GET /a.js']);
  });

  it('mirrors the answer when the builds are swapped', () => {
    const before = runs([...page, item('/a.js', 9_000)], [...page, item('/a.js', 9_100)]);
    const after = runs([...page, item('/b.js', 9_000)], [item('/app.*.js', 52_000), item('/b.js', 1)]);
    const there = changesOf(before, after);
    const back = changesOf(after, before);
    expect(back.added.map(({ name }) => name)).toEqual(there.removed.map(({ name }) => name));
    expect(back.removed.map(({ name }) => name)).toEqual(there.added.map(({ name }) => name));
    expect(back.grown.map(({ name }) => name)).toEqual(there.shrunk.map(({ name }) => name));
  });

  it.each([
    [1_000, 1_512, 0],
    [1_000, 1_513, 1],
    [100_000, 101_000, 0],
    [100_000, 101_001, 1],
  ])('from %d to %d bytes is news %d times', (before, after, news) => {
    const { grown } = changesOf(runs([item('/a.js', before)]), runs([item('/a.js', after)]));
    expect(grown).toHaveLength(news);
  });

  it('is not fooled by what has another size in every load', () => {
    const noisy = (shift: number) => runs(...times(10, (i) => [item('/feed', 40_000 + ((i * 3) % 10) * 900 + shift)]));
    expect(changesOf(noisy(0), noisy(1_500)).grown).toEqual([]);
    expect(changesOf(noisy(0), noisy(9_000)).grown).toHaveLength(1);
  });

  it('counts what half of the loads have, and not what every other load of both has', () => {
    const having = (n: number) => runs(...times(10, (i) => (i < n ? [...page, item('/ad.js', 2_000)] : page)));
    expect(changesOf(having(0), having(5)).added).toHaveLength(1);
    expect(changesOf(having(0), having(4)).added).toEqual([]);
    expect(changesOf(having(1), having(5)).added).toHaveLength(1);
    expect(changesOf(having(4), having(6)).added).toEqual([]);
  });

  it('knows a file again whose hash was only recognised in one build', () => {
    const url = (name: string) => ({ url: ORIGIN.base + name });
    const before = runs([item('/app-homepage.js', 5_000, url('/app-homepage.js'))]);
    const after = runs([item('/app-*.js', 5_100, url('/app-DiwrgTda.js')), item('/b.js', 100)]);
    const { added, removed } = changesOf(before, after);
    expect(removed).toEqual([]);
    expect(added.map(({ name }) => name)).toEqual(['GET /b.js']);
    // Of another length it is another name.
    const other = runs([item('/app-settings-page.js', 5_000, url('/app-settings-page.js'))]);
    expect(changesOf(other, after).removed).toHaveLength(1);
  });

  it('takes pages at different addresses for one page', () => {
    const page = (name: string, size: number) => item(name, size, { type: 'document', page: true });
    const before = runs([page('/list', 900), item('/app.js', 5_000), item('/list.css', 100)]);
    const after = runs([page('/list-new', 2_900), item('/app.js', 5_000), item('/list-new.css', 100)]);
    const changes = changesOf(before, after);
    expect(changes.grown.map(({ name }) => name)).toEqual(['GET /list-new']);
    expect(changes.added.map(({ name }) => name)).toEqual(['GET /list-new.css']);
    expect(changes.removed.map(({ name }) => name)).toEqual(['GET /list.css']);
    // A build that fetches the other's page has that one as well.
    const both = runs([page('/list-new', 2_900), item('/app.js', 5_000), item('/list', 900), item('/list.css', 100)]);
    expect(changesOf(before, both).added.map(({ name }) => name)).toEqual(['GET /list-new']);
  });

  it('knows files again in the folder of a preview', () => {
    const build = (folder: string, ...more: readonly InventoryItem[]) =>
      runs([
        item(`${folder}/shop/`, 900, { type: 'document', page: true }),
        item(`${folder}/app.*.js`, 5_000),
        item('/shared.js', 700),
        item('https://cdn.test/main/lib.js', 100),
        ...more,
      ]);
    expect(changesOf(build('/main'), build('/pr-12'))).toMatchObject(NONE);
    const { added, removed } = changesOf(build('/main', item('/main/old.js', 50)), build('', item('/new.js', 60)));
    expect(added.map(({ name }) => name)).toEqual(['GET /new.js']);
    expect(removed.map(({ name }) => name)).toEqual(['GET /main/old.js']);
  });

  it('does not change what it is given, and stands a build without runs', () => {
    const before = Object.freeze(runs(Object.freeze([...page].reverse())));
    expect(() => changesOf(before, [])).not.toThrow();
    expect(changesOf([], []).bytes).toEqual([]);
  });
});

it('sums bytes by type over the runs of each build', () => {
  const image = { type: 'image' } as const;
  const before = runs(
    [item('/a', 10), item('/b', 20, image)],
    [item('/a', 30), item('/b', 20, image)],
    [item('/a', 20)],
  );
  const after = runs([item('/a', 20), item('/c', 5, { type: 'font' }), item('/d', 0, { type: 'ping' })]);
  expect(changesOf(before, after).bytes).toEqual([
    { type: 'image', base: 20, candidate: 0 },
    { type: 'font', base: 0, candidate: 5 },
    { type: 'script', base: 20, candidate: 20 },
  ]);
});

it('lists hosts of other sites that only one build talks to', () => {
  const tracker = { thirdParty: 'tracker.test' };
  const cdn = { thirdParty: 'cdn.test' };
  const before = runs([item('/a', 1, cdn)]);
  const after = runs([item('/a', 1, cdn), item('/t', 1, tracker), item('/u', 1, tracker)]);
  expect(changesOf(before, after).thirdParties).toEqual({ added: ['tracker.test'], removed: [] });
  expect(changesOf(after, before).thirdParties).toEqual({ added: [], removed: ['tracker.test'] });
});

describe('findings', () => {
  const broken = (origin: string, ...paths: string[]): Finding => ({
    code: 'broken-request',
    message: `${paths.length} requests of the page failed`,
    urls: paths.map((path) => origin + path),
  });
  const having = (build: 'base' | 'candidate', ...each: readonly (readonly Finding[])[]): readonly MeasuredRun[] =>
    each.map((findings) => ({
      findings,
      inventory: [item('/', 1, { type: 'document', url: `${ORIGIN[build]}/` })],
    }));

  it('are the same at another origin and with another hash', () => {
    const before = having('base', [broken(ORIGIN.base, '/a.3f2a1b9c.js')]);
    const after = having('candidate', [broken(ORIGIN.candidate, '/a.4f2a1b9d.js')]);
    expect(changesOf(before, after).findings).toEqual({ added: [], removed: [] });
  });

  it('are news when most runs of one build have them and none of the other', () => {
    const finding = broken(ORIGIN.candidate, '/a.js');
    const plain = having('base', [], []);
    expect(changesOf(plain, having('candidate', [finding], [finding], [])).findings.added).toEqual([finding]);
    expect(changesOf(plain, having('candidate', [finding], [])).findings.added).toEqual([]);
    const once = having('base', [broken(ORIGIN.base, '/a.js')], [], []);
    expect(changesOf(once, having('candidate', [finding], [finding])).findings.added).toEqual([]);
  });

  it('name only those addresses that are news', () => {
    const before = having('base', [broken(ORIGIN.base, '/a.js')]);
    const after = having('candidate', [broken(ORIGIN.candidate, '/a.js', '/b.js')]);
    expect(changesOf(before, after).findings.added.map(({ urls }) => urls)).toEqual([[`${ORIGIN.candidate}/b.js`]]);
  });
});
