import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TrendResult } from '../../src/model/trend.ts';
import { folderForEach } from '../support/folders.ts';
import { nightlyAudits, sourceOf, storeResults } from '../support/stored-results.ts';
import { builtCommand } from './built-command.ts';

const folder = folderForEach('trend');

const quiesce = (...args: string[]) => builtCommand(folder(), args);

const shop = { target: 'https://shop.example/', level: (night: number) => (night >= 12 ? 1300 : 1000), nightly: 0.01 };

describe('quiesce trend', () => {
  it('prints a line for each metric with the change, and where the page is', async () => {
    await storeResults(
      path.join(folder(), 'nights'),
      nightlyAudits([shop], 20, (night) => ({ source: sourceOf(night) })),
    );
    await writeFile(path.join(folder(), 'nights', 'night-1', 'result.json'), '{');
    const { code, stdout, stderr } = await quiesce('trend', 'nights', '--out', 'out', '--fail-on', 'slower');
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^▲ Trend: slower\nhttps:\/\/shop\.example\/: Page complete is \d[\d.]*% slower since .+: .+ instead\sof\s.+\.\n/s,
    );
    expect(stdout).toMatch(/Page complete +1\.\d\d s {2}▲ \+\d+% .*[▁-█]+\n/);
    expect(stdout).toMatch(/▲ Page complete is \d+% slower since 13 Jan 2026/);
    expect(stdout.trimEnd()).toMatch(/Report: out\/index\.html$/);
    const [note, problem] = stderr.split('\n');
    expect(note).toBe('note: nights/night-1/result.json is not JSON. Use the result.json that Quiesce wrote.');
    expect(problem).toMatch(/^quiesce: Slower \(--fail-on slower\): https:\/\/shop\.example\/: Page complete is /);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    expect((await readdir(path.join(folder(), 'out'))).toSorted()).toEqual(['index.html', 'trend.json']);
  });

  it('prints nothing but the result with --json, with the metrics that are asked for', async () => {
    await storeResults(path.join(folder(), 'nights'), nightlyAudits([shop], 4));
    const { code, stdout } = await quiesce('trend', 'nights', '--metric', 'CLS', '--json', '--format', 'csv');
    expect(code).toBe(0);
    const result = JSON.parse(stdout) as TrendResult;
    expect(result.kind).toBe('trend');
    expect(result.pages[0]?.metrics.map(({ metric }) => metric)).toEqual(['cumulativeLayoutShift']);
    expect(await readdir(path.join(folder(), 'reports'))).toEqual([expect.stringMatching(/^trend-\d{8}-\d{6}$/)]);
  });

  it.each([
    [['trend'], /Missing argument: where the results are/],
    [['trend', 'nowhere'], /nowhere cannot be read: there is no such file or folder/],
    [['trend', '.'], /No result of an audit, a comparison or a capacity in \./],
    [['trend', '.', '--by', 'size'], /--by: must be time or commit, not "size"/],
    [['trend', path.resolve('reports/example'), '--metric', 'speed'], /--metric: unknown metric "speed"/],
    [['report'], /One argument is needed, the stored result/],
    [['report', 'a', 'b'], /One argument is needed, the stored result/],
    [['report', 'nowhere.json'], /nowhere\.json cannot be read: there is no such file/],
    [['report', '.', '--format', 'har'], /--format: must be a list of html, /],
  ] as const)('%j is one line', async (args, line) => {
    const { code, stdout, stderr } = await quiesce(...args);
    expect(stdout).toBe('');
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
  });
});

describe('quiesce report', () => {
  it('writes the page of a stored audit again', async () => {
    const own = path.join(folder(), 'audit');
    await cp('reports/example', own, { recursive: true });
    await rm(path.join(own, 'index.html'));
    await rm(path.join(own, 'run-4.har'));
    const { code, stdout, stderr } = await quiesce('report', 'audit/result.json');
    expect(code).toBe(0);
    expect(stdout).toMatch(/The page is complete after/);
    expect(stdout.trimEnd()).toMatch(/Report: audit\/index\.html$/);
    expect(stderr).toBe('note: run-4.har cannot be read: its waterfall is left out.\n');
    expect(await readFile(path.join(own, 'index.html'), 'utf8')).toMatch(/^<!doctype html>/);
  });
});
