import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { capacity } from '../../../../src/jobs/capacity/capacity.ts';
import { earlierResult } from '../../../../src/jobs/engine/result/earlier-result.ts';
import type { AuditResult } from '../../../../src/model/result/result.ts';
import { readOptions } from '../../../../src/settings/gather.ts';
import { resolveCapacity } from '../../../../src/settings/resolve.ts';
import { QuiesceError } from '../../../../src/wording/messages/messages.ts';
import { folderForEach } from '../../../support/folders.ts';
import { analyze, audit, compare, merge, report, trend } from '../../../support/jobs.ts';
import { answeringLab, ORIGIN } from '../../../support/scripted.ts';
import { COMMON, COMPARING } from '../../../support/settings.ts';
import { auditedShard, loadedBy } from '../../../support/shards.ts';

const EXAMPLE = path.resolve('reports/example');
const HAR = path.resolve('fixtures/hars/quiesce.har');
const LEVELS = 'level,throughput\n1,1833\n10,18226\n50,74684\n100,86069\n200,88455\n300,88375\n';

const folder = folderForEach('earlier');
const at = (...names: readonly string[]) => path.join(folder(), ...names);
const inOut = async () => (await readdir(at('out'), { recursive: true })).toSorted();
const storedIn = async (dir: string) =>
  JSON.parse(await readFile(path.join(dir, 'result.json'), 'utf8')) as AuditResult;
const clear = async (kept?: readonly string[]) =>
  (await earlierResult(at('out'), { formats: ['json'], force: false }))?.(kept);
/** A result that lists what it should not. */
const storeInOut = (result: unknown) => writeFile(at('out', 'result.json'), JSON.stringify(result));

/** Every command that writes, into the same folder. */
type Common = { readonly out: string; readonly force?: boolean };
const JOBS: readonly (readonly [name: string, run: (into: Common) => Promise<unknown>])[] = [
  [
    'audit',
    (into) =>
      audit(
        { ...COMMON, ...into, format: ['json', 'har'], runs: 1, targets: [`${ORIGIN}/`] },
        { openLab: answeringLab(() => loadedBy(400)) },
      ),
  ],
  [
    'compare',
    (into) =>
      compare(
        {
          ...COMPARING,
          ...into,
          format: ['json', 'har'],
          maxPairs: 4,
          looks: [4],
          targets: [`${ORIGIN}/a`, `${ORIGIN}/b`],
        },
        { openLab: answeringLab(() => loadedBy(400)), microBenchmark: () => 10 },
      ),
  ],
  ['analyze', (into) => analyze({ files: [HAR], ...into, format: ['json'] })],
  ['report', (into) => report({ result: EXAMPLE, ...into, format: ['json'] })],
  ['trend', (into) => trend({ paths: [EXAMPLE], ...into, format: ['json'] })],
  [
    'merge',
    async (into) => {
      for (const index of [1, 2]) {
        await auditedShard(at('shards', `${index}`), `${index}/2`, { targets: [`${ORIGIN}/a`, `${ORIGIN}/b`] });
      }
      return merge({ dirs: [at('shards')], ...into, format: ['json'] });
    },
  ],
  [
    'capacity',
    async (into) => {
      await writeFile(at('levels.csv'), LEVELS);
      const options = { import: [at('levels.csv')], ...into, format: ['json' as const] };
      return capacity(resolveCapacity(readOptions('capacity', [], options, { env: {}, isRoot: false })));
    },
  ],
];

describe('a folder with files of somebody else', () => {
  beforeEach(async () => {
    await mkdir(at('out'));
    await writeFile(at('out', 'index.html'), 'my site');
  });

  it.each(JOBS)('is refused by %s, and nothing in it is touched', async (_, run) => {
    await expect(run({ out: at('out') })).rejects.toMatchObject({
      code: 'out-foreign',
      exit: 2,
      message: `${at('out')} contains files that do not belong to a result of Quiesce (index.html). Choose another folder with --out, or write into this one with --force.`,
    });
    expect(await inOut()).toEqual(['index.html']);
    expect(await readFile(at('out', 'index.html'), 'utf8')).toBe('my site');
  });

  it.each(JOBS)('is written into by %s where that is forced, and keeps them', async (_, run) => {
    await run({ out: at('out'), force: true });
    expect(await readFile(at('out', 'index.html'), 'utf8')).toBe('my site');
    expect((await inOut()).length).toBeGreaterThan(1);
  });

  it('is named with a few of them', async () => {
    for (const name of ['d', 'c', 'b']) await writeFile(at('out', name), '');
    await expect(clear()).rejects.toThrow('(b, c, d, …)');
  });

  it('may hold hidden files', async () => {
    await rm(at('out', 'index.html'));
    await writeFile(at('out', '.gitkeep'), '');
    await clear();
    expect(await inOut()).toEqual(['.gitkeep']);
  });

  it.each(['{}', 'not JSON', '{"kind":"audit","tool":{"name":"other"},"settings":{}}', '[['])(
    'is no result of ours with the result.json %s',
    async (text) => {
      await rm(at('out', 'index.html'));
      await writeFile(at('out', 'result.json'), text);
      await expect(clear()).rejects.toMatchObject({ code: 'out-foreign' });
    },
  );

  it('is not looked at where nothing is to be written', async () => {
    expect(await earlierResult(at('out'), { formats: [], force: false })).toBeUndefined();
    expect(await inOut()).toEqual(['index.html']);
  });
});

describe('a folder with an earlier result', () => {
  beforeEach(() => cp(EXAMPLE, at('out'), { recursive: true }));

  it.each(JOBS.filter(([name]) => !['report', 'trend'].includes(name)))(
    'holds after %s what that has written, and what nobody listed',
    async (_, run) => {
      await writeFile(at('out', 'notes.txt'), 'mine');
      await writeFile(at('out', 'mine.har'), '{}');
      const { files } = (await run({ out: at('out') })) as { readonly files: readonly string[] };
      const written = files.map((file) => path.relative(at('out'), file));
      expect(await inOut()).toEqual([...written, 'mine.har', 'notes.txt'].toSorted());
    },
  );

  it('leaves no HAR of the page that was measured before', async () => {
    await audit(
      { ...COMMON, out: at('out'), format: ['json', 'har'], runs: 1, targets: [`${ORIGIN}/`] },
      { openLab: answeringLab(() => loadedBy(400)) },
    );
    const { result } = await analyze({ files: [at('out')], out: at('analysed'), format: ['json'] });
    expect(result.targets.map(({ url }) => url)).toEqual([`${ORIGIN}/`]);
  });

  it('stays as it is where no browser starts', async () => {
    const before = await inOut();
    const openLab = () => Promise.reject(new QuiesceError('browser-died', { url: `${ORIGIN}/` }));
    const common = { out: at('out'), format: ['html' as const, 'json' as const] };
    const audited = await audit({ ...COMMON, ...common, targets: [`${ORIGIN}/`] }, { openLab });
    const targets = [`${ORIGIN}/a`, `${ORIGIN}/b`];
    const compared = await compare({ ...COMPARING, ...common, targets }, { openLab, microBenchmark: () => 10 });
    for (const { exit, files } of [audited, compared]) expect([exit, files]).toEqual([3, []]);
    expect(await inOut()).toEqual(before);
    expect((await storedIn(at('out'))).targets).toHaveLength(1);
  });

  it('keeps the HARs that are analysed into it', async () => {
    const { result } = await analyze({ files: [at('out', 'run-1.har')], out: at('out'), format: ['json'] });
    expect(result.targets[0]?.runs.map(({ har }) => har)).toEqual(['run-1.har']);
    expect(await inOut()).toEqual(['result.json', 'run-1.har']);
  });

  it('keeps everything where its own reports are written again, also through a link', async () => {
    await symlink(at('out'), at('link'));
    const before = await inOut();
    await report({ result: at('out'), out: at('link'), format: ['html'] });
    expect(await inOut()).toEqual(before);
  });

  it('gives up the pages of a long list, each in its file', async () => {
    const result = await storedIn(at('out'));
    const [target] = result.targets;
    await storeInOut({
      ...result,
      targets: [
        { ...target, name: 'Home' },
        { ...target, name: 'Shop' },
      ],
    });
    await mkdir(at('out', 'pages'));
    for (const name of ['home.html', 'shop.html', 'mine.html']) await writeFile(at('out', 'pages', name), '');
    await clear();
    expect(await inOut()).toEqual(['pages', 'pages/mine.html']);
  });

  it('gives up a trend', async () => {
    await rm(at('out'), { recursive: true });
    await trend({ paths: [EXAMPLE], out: at('out'), format: ['html', 'json', 'csv'] });
    expect(await inOut()).toEqual(['index.html', 'trend.csv', 'trend.json']);
    await clear();
    expect(await inOut()).toEqual([]);
  });

  it('gives up the inventories of a shard', async () => {
    await storeInOut({ ...(await storedIn(at('out'))), shard: { index: 1, of: 2 } });
    await writeFile(at('out', 'shard.json'), '{}');
    await clear();
    expect(await inOut()).toEqual([]);
  });
});

describe('a result that lies', () => {
  beforeEach(async () => {
    await cp(EXAMPLE, at('out'), { recursive: true });
    await writeFile(at('kept.har'), '{}');
    await mkdir(at('elsewhere'));
    await writeFile(at('elsewhere', 'kept.png'), '');
  });

  const kept = async () => [await readdir(folder()), await readdir(at('elsewhere'))].flat().sort();

  it('removes nothing outside its folder, and nothing of another kind', async () => {
    const result = await storedIn(at('out'));
    const [target] = result.targets;
    await writeFile(at('out', 'notes.txt'), '');
    await storeInOut({
      ...result,
      targets: [
        {
          ...target,
          runs: ['../kept.har', at('kept.har'), 'notes.txt', 'x/../../kept.har'].map((har) => ({ har })),
          evidence: { pictures: [{ file: '../elsewhere/kept.png' }, { file: at('elsewhere', 'kept.png') }] },
          mainThread: { trace: '../kept.har' },
          lighthouse: { report: 'notes.txt' },
        },
      ],
    });
    await clear();
    expect(await kept()).toEqual(['elsewhere', 'kept.har', 'kept.png', 'out']);
    expect(await inOut()).toContain('notes.txt');
  });

  it('follows no link', async () => {
    await rm(at('out', 'run-1.har'));
    await symlink(at('kept.har'), at('out', 'run-1.har'));
    await rm(at('out', 'evidence'), { recursive: true });
    await symlink(at('elsewhere'), at('out', 'evidence'));
    const result = await storedIn(at('out'));
    const [target] = result.targets;
    await storeInOut({ ...result, targets: [{ ...target, evidence: { pictures: [{ file: 'evidence/kept.png' }] } }] });
    await clear();
    expect(await kept()).toEqual(['elsewhere', 'kept.har', 'kept.png', 'out']);
    expect(await inOut()).toEqual(expect.arrayContaining(['evidence', 'run-1.har']));
  });

  it('is none where it is a link itself', async () => {
    await rm(at('out'), { recursive: true });
    await mkdir(at('out'));
    await symlink(path.join(EXAMPLE, 'result.json'), at('out', 'result.json'));
    await expect(clear()).rejects.toMatchObject({ code: 'out-foreign' });
  });
});

describe('an interrupted comparison', () => {
  it('goes on in its folder, whatever is there', async () => {
    const aborter = new AbortController();
    let loads = 0;
    const comparing = (signal: AbortSignal, resume: boolean) =>
      compare(
        {
          ...{ ...COMPARING, resume, out: at('out'), format: ['json', 'har'] },
          ...{ maxPairs: 4, looks: [4], targets: [`${ORIGIN}/a`, `${ORIGIN}/b`] },
        },
        {
          signal,
          microBenchmark: () => 10,
          openLab: answeringLab(() => {
            loads += 1;
            if (loads === 8) aborter.abort();
            return loadedBy(400);
          }),
        },
      );
    await comparing(aborter.signal, false);
    const before = (await inOut()).filter((name) => name.endsWith('.har'));
    expect(before.length).toBeGreaterThan(0);
    // A process that is killed leaves no result.
    await rm(at('out', 'result.json'));
    const { exit } = await comparing(new AbortController().signal, true);
    expect(exit).toBe(0);
    expect(await inOut()).toEqual(expect.arrayContaining(before));
  });
});
