import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CapacityResult } from '../../../src/model/capacity.ts';
import { lock, pool } from '../../core/capacity/simulated.ts';
import { folderForEach } from '../../support/folders.ts';
import { merge, report, trend } from '../../support/jobs.ts';
import { isStoredResult } from '../../support/result-schema.ts';
import { capacityFigures, storedCapacity } from '../../support/stored-capacity.ts';
import { nightlyAudits, sourceOf, storeResults } from '../../support/stored-results.ts';

/** What is made of results that are stored: the same for those of every version that wrote them. */
const folder = folderForEach('stored');
const at = (...names: readonly string[]) => path.join(folder(), ...names);
const store = (...results: readonly unknown[]) => storeResults(at('nights'), results);

describe('a trend', () => {
  const settings = () => ({ paths: [at('nights')], out: at('out'), format: ['html', 'json', 'csv'] as const });
  /** One in a hundred more or less, as a server has from night to night. */
  const noisy = (night: number, ms: number) => ms * (1 + 0.01 * Math.sin(7 * night));
  const nights = (law: (night: number) => CapacityResult) => Array.from({ length: 14 }, (_, night) => law(night));

  it('follows highest throughput and knee, marks where they fall, and says which commit', async () => {
    await store(
      ...nights((night) =>
        storedCapacity(pool(night < 8 ? 32 : 16, noisy(night, 200)), night, { source: sourceOf(night) }),
      ),
    );
    const { result, exit, problems, warnings } = await trend({ ...settings(), failOn: 'slower' });
    const [server] = result.pages;
    expect(result.pages).toHaveLength(1);
    expect(server).toMatchObject({ kind: 'capacity', page: 'http://localhost:3000/ (capacity)' });
    expect(server?.metrics.map(({ metric, unit, values }) => [metric, unit, values.length])).toEqual([
      ['throughput', '1/s', 14],
      ['knee', 'count', 14],
    ]);
    for (const { changes } of server?.metrics ?? []) {
      expect(changes.map(({ point, direction }) => [point, direction])).toEqual([[8, 'worse']]);
    }
    expect(server?.metrics[0]?.changes[0]?.sentence).toMatch(
      /^Highest throughput is 50% lower since 9 Jan 2026, .*commit [0-9a-f]{7} \(.*\): 79\.6\/s instead of 160\/s\.$/,
    );
    expect(server?.metrics[1]?.changes[0]?.sentence).toMatch(/50% fewer since .*: 16 instead of 32\.$/);
    const [first] = server?.metrics[0]?.values ?? [];
    expect(first?.low).toBeLessThan(first?.median ?? 0);
    expect(first?.high).toBeGreaterThan(first?.median ?? 0);
    expect([exit, problems.length, warnings]).toEqual([1, 1, []]);
    const written = JSON.parse(await readFile(at('out', 'trend.json'), 'utf8')) as object;
    expect(isStoredResult(written), JSON.stringify(isStoredResult.errors)).toBe(true);
    expect(await readFile(at('out', 'index.html'), 'utf8')).toContain('Highest throughput');
    expect((await readFile(at('out', 'trend.csv'), 'utf8')).split('\r\n')).toHaveLength(1 + 14 * 2 + 1);
  });

  it('does not fail where only the knee has moved, and a server that improves is better', async () => {
    // Half of the time for each request, on half of the places: as much throughput, and sooner answers.
    await store(
      ...nights((night) =>
        storedCapacity(night < 8 ? pool(32, noisy(night, 200)) : pool(16, noisy(night, 100)), night),
      ),
    );
    const { result, exit } = await trend({ ...settings(), failOn: 'slower' });
    expect(result.pages[0]?.metrics.map(({ changes }) => changes.length)).toEqual([0, 1]);
    expect(exit).toBe(0);
    await rm(at('nights'), { recursive: true });
    await rm(at('out'), { recursive: true });
    await store(...nights((night) => storedCapacity(pool(night < 8 ? 16 : 32, noisy(night, 200)), night)));
    const better = await trend({ ...settings(), failOn: 'slower' });
    expect(better.result.pages[0]?.metrics[0]?.changes[0]).toMatchObject({ direction: 'better', point: 8 });
    expect(better.exit).toBe(0);
  });

  it('keeps audits of the same address apart, and both servers of a comparison', async () => {
    const page = { target: 'http://localhost:3000/', level: () => 1000 };
    const candidate = { url: 'http://localhost:3001/', ...capacityFigures(pool(16, 200)) };
    await store(...nightlyAudits([page], 2), storedCapacity(pool(32, 200), 3, { candidate }));
    const { result } = await trend(settings());
    expect(new Map(result.pages.map(({ page: name, kind }) => [name, kind]))).toEqual(
      new Map([
        ['http://localhost:3000/', undefined],
        ['http://localhost:3000/ (capacity)', 'capacity'],
        ['http://localhost:3001/ (capacity)', 'capacity'],
      ]),
    );
  });

  it('says what else changed, and leaves out what is no highest throughput', async () => {
    const { max: _max, knee: _knee, ...failed } = storedCapacity(pool(32, 200), 5);
    await store(
      storedCapacity(pool(32, 200), 1),
      storedCapacity(lock(5, 15), 2, { engine: 'k6 1.0.0' }),
      storedCapacity(pool(32, 200), 3, { load: 'open' }),
      storedCapacity(pool(32, 200), 4, { interrupted: true }),
      failed,
      { ...storedCapacity(pool(32, 200), 6), levels: 'none' },
    );
    const { result, warnings } = await trend(settings());
    expect(result.pages[0]?.points).toHaveLength(2);
    expect(result.pages[0]?.conditions).toEqual([
      { point: 1, what: 'engine', before: 'autocannon 9.0.0', after: 'k6 1.0.0' },
      { point: 1, what: 'limit', before: 'configured', after: 'contention' },
    ]);
    expect(result.skipped.map(({ code }) => code)).toEqual([
      'not-comparable',
      'not-comparable',
      'unmeasured',
      'unreadable',
    ]);
    expect(warnings).toEqual([
      expect.stringMatching(/night-3\/result.json is left out: it is of an open load/),
      expect.stringMatching(/night-4\/result.json is left out: it was interrupted/),
      expect.stringMatching(/night-5\/result.json is left out: nothing was measured in it/),
      expect.stringMatching(/night-6\/result.json is not as Quiesce wrote it \(levels: /),
    ]);
  });
});

describe('reports of a stored capacity', () => {
  const stored = () => at('nights', 'night-1');

  it('are the same as when it was measured, in every format', async () => {
    const result = storedCapacity(pool(32, 200));
    await store(result);
    const again = await report({ result: stored(), out: at('again'), format: ['html', 'md', 'csv'] });
    expect([again.exit, again.warnings, again.report]).toEqual([0, [], undefined]);
    expect(again.files.map((file) => path.basename(file)).toSorted()).toEqual(
      [
        'index.html',
        // The page links to it.
        'result.json',
        'result.csv',
        'summary.md',
      ].toSorted(),
    );
    expect(JSON.parse(await readFile(at('again', 'result.json'), 'utf8'))).toEqual(result);
    expect(await readFile(at('again', 'index.html'), 'utf8')).toContain('<svg');
    expect(await readFile(at('again', 'summary.md'), 'utf8')).toContain('160/s');
  });

  it('say which formats there are, and what is wrong with a file', async () => {
    await store(storedCapacity(pool(32, 200)));
    await expect(report({ result: stored(), format: ['junit'] })).rejects.toThrow(
      /is the capacity of a server, which cannot be written as junit\. Choose from --format html, json, md, csv\.$/,
    );
    const file = path.join(stored(), 'result.json');
    await writeFile(file, JSON.stringify({ ...storedCapacity(pool(32, 200)), levels: [{ concurrency: 'many' }] }));
    await expect(report({ result: file, format: ['html'] })).rejects.toThrow(/is not as Quiesce wrote it \(levels/);
  });
});

it('merging says that there are no shards, and what to use instead', async () => {
  await store(storedCapacity(pool(32, 200)), storedCapacity(pool(32, 200), 1));
  await expect(merge({ dirs: [at('nights')], out: at('merged'), format: ['json'] })).rejects.toThrow(
    /night-1\/result\.json is the capacity of a server, which has no shards to merge\. Use quiesce trend .*, or quiesce capacity <base> <candidate>/,
  );
});
