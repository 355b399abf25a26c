import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CompareResult } from '../../src/model/compare/comparison.ts';
import { folderForAll } from '../support/folders.ts';
import { comparedShard } from '../support/shards.ts';
import { builtCommand } from './built-command.ts';

const folder = folderForAll('merge');
beforeAll(async () => {
  for (const index of [1, 2, 4]) await comparedShard(path.join(folder(), 'shards', `${index}`), `${index}/4`);
});

const quiesce = (...args: string[]) => builtCommand(folder(), args);

describe('quiesce merge', () => {
  it('decides, says what is missing, and where the report is', async () => {
    const { code, stdout, stderr } = await quiesce('merge', 'shards');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^▲ Slower .*\n(?:.*\n)*The candidate is slower\./);
    expect(stdout).toMatch(/\n⚠ Joined from 3 of 4 shards on one machine: shard 3 is missing, so 6 of 8 blocks/);
    expect(stdout.trimEnd()).toMatch(/Report: reports\/merged-\d{8}-\d{6}\/index\.html$/);
    expect(stderr).toMatch(/^quiesce: Joined from 3 of 4 shards .*\nquiesce: Gate failed: .*\n$/);
    const [merged = ''] = await readdir(path.join(folder(), 'reports'));
    const files = await readdir(path.join(folder(), 'reports', merged));
    expect(files).toEqual(expect.arrayContaining(['index.html', 'result.json', 'shard-1-base-run-1.har']));
  });

  it('prints nothing but the result with --json', async () => {
    const { stdout } = await quiesce('merge', 'shards', '--json', '--out', 'other', '--format', 'json,md,junit');
    expect(JSON.parse(stdout) as CompareResult).toMatchObject({ kind: 'compare', merged: { missing: [3] } });
    expect(await readdir(path.join(folder(), 'other'))).toEqual(
      expect.arrayContaining(['result.json', 'summary.md', 'junit.xml']),
    );
  });

  it.each([
    [['merge'], /Missing argument: the folders with the results of the shards/],
    [['merge', 'shards', '--out', 'shards/2'], /shards\/2 is the folder of a shard/],
    [['merge', 'shards', '--format', 'har'], /--format: must be a list of/],
  ])('%j is refused in one line', async (args, line) => {
    const { code, stdout, stderr } = await quiesce(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
