import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AuditReport } from '../../src/model/result/report.ts';
import { renderAuditCsv as auditCsv, renderComparisonCsv } from '../../src/reporters/csv.ts';
import { wholeIn } from '../../src/result/pages-with-steps.ts';
import { anyLetters } from '../support/texts.ts';
import { comparisonReport } from './comparison.ts';
import { analysisReport, exampleReport, reportOf } from './example-report.ts';
import { TRICKS, withForeignText } from './hostile.ts';

const renderAuditCsv = (report: AuditReport): string => [...auditCsv(report, wholeIn(report))].join('');

/** RFC 4180 and nothing besides: refuses bare line ends, quotes within bare cells and text behind a closing quote. */
function parse(text: string): readonly (readonly string[])[] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  const rows: string[][] = [[]];
  while (cell.lastIndex < text.length) {
    const from = cell.lastIndex;
    const found = cell.exec(text);
    if (found === null) throw new Error(`not RFC 4180 from ${JSON.stringify(text.slice(from, from + 40))}`);
    rows.at(-1)?.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === '\r\n') rows.push([]);
  }
  expect(rows.pop()).toEqual([]);
  return rows;
}

/** Each row by the names of its columns. */
function records(text: string): readonly Readonly<Record<string, string>>[] {
  const [head = [], ...rows] = parse(text);
  for (const row of rows) expect(row).toHaveLength(head.length);
  return rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i] ?? ''])));
}

const median = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

describe('an audit', () => {
  const report = exampleReport();
  const rows = records(renderAuditCsv(report));

  test('is a row for each run and a column for each metric, with its unit', () => {
    expect(rows.map(({ run, role }) => `${run} ${role}`)).toEqual([
      '0 discarded',
      '1 timed',
      '2 timed',
      '3 timed',
      '4 timed',
      '5 timed',
      '6 timed',
      '7 evidence',
      '8 ablation',
    ]);
    expect(Object.keys(rows[0] ?? {})).toEqual(
      expect.arrayContaining(['pageCompleteMs', 'transferSizeBytes', 'requestCount', 'cumulativeLayoutShift']),
    );
    expect(rows[1]).toMatchObject({
      target: 'https://shop.example/',
      build: '',
      block: '',
      ok: 'true',
      pageCompleteState: 'complete',
      pageCompleteMs: '1251',
      firstContentfulPaintMs: '414.651649',
      cumulativeLayoutShift: '0.021',
      rawCompleteState: 'never',
      rawCompleteMs: '',
      hostVerdict: 'fit',
      startedAt: '2026-03-01T10:20:30.000Z',
    });
  });

  test('says which runs count: their medians are those of the summary', () => {
    const counted = rows.filter(({ counts }) => counts === 'true');
    expect(counted).toHaveLength(5);
    const { summary } = report.targets[0]?.result ?? {};
    expect(median(counted.map(({ pageCompleteMs }) => Number(pageCompleteMs)))).toBe(summary?.pageComplete?.median);
    expect(median(counted.map(({ transferSizeBytes }) => Number(transferSizeBytes)))).toBe(
      summary?.transferSize?.median,
    );
  });

  test('says why a run failed, and leaves its figures empty', () => {
    expect(rows[6]).toMatchObject({
      counts: 'false',
      ok: 'false',
      failureCode: 'connection-refused',
      failureMessage: expect.stringContaining(
        'Nothing listens at https://shop.example/ (net::ERR_CONNECTION_REFUSED).',
      ),
      pageCompleteState: '',
      pageCompleteMs: '',
      backgroundEndpoints: '',
    });
  });

  test('of nothing is the line with the names', () => {
    expect(parse(renderAuditCsv(reportOf()))).toHaveLength(1);
  });
});

test('an analysis has the same columns', () => {
  const [head] = parse(renderAuditCsv(analysisReport()));
  expect(head).toEqual(parse(renderAuditCsv(exampleReport()))[0]);
});

test('a comparison places every run, so that anybody can compute the interval again', () => {
  const report = comparisonReport({ blocks: 6, dropped: 1 });
  const rows = records(renderComparisonCsv(report));
  const counted = rows.filter(({ counts }) => counts === 'true');
  for (let block = 1; block <= 7; block++) {
    const places = counted.filter((row) => row.block === String(block));
    expect(places.map(({ order }) => order)).toEqual(block === 3 ? [] : ['0', '1', '2', '3']);
    expect(places.filter(({ build }) => build === 'base')).toHaveLength(block === 3 ? 0 : 2);
  }
  expect(rows.filter(({ excluded }) => excluded === 'a load of the candidate failed twice: HTTP 503.')).toHaveLength(4);
  for (const build of ['base', 'candidate'] as const) {
    const values = counted.filter((row) => row.build === build).map((row) => Number(row.pageCompleteMs));
    const expected = report[build].result.runs.flatMap((run) =>
      run.role === 'timed' && run.ok && run.excluded === undefined ? (run.metrics?.pageComplete ?? []) : [],
    );
    expect(values).toHaveLength(expected.length);
    for (const [i, value] of values.entries()) expect(value).toBeCloseTo(expected[i] ?? 0, 6);
  }
});

describe('numbers', () => {
  const written = (value: number): string | undefined => {
    const report = exampleReport();
    const [target] = report.targets;
    const [, run] = target?.result.runs ?? [];
    if (target === undefined || run === undefined) throw new Error('the example has runs');
    const result = { ...target.result, runs: [{ ...run, metrics: { pageComplete: value } }] };
    return records(renderAuditCsv({ ...report, targets: [{ ...target, result }] }))[0]?.pageCompleteMs;
  };

  test('are plain: no exponent, no grouping, no noise of the processor', () => {
    expect(written(0)).toBe('0');
    expect(written(-0)).toBe('0');
    expect(written(1e-7)).toBe('0');
    expect(written(0.1 + 0.2)).toBe('0.3');
    expect(written(1_234_567.891)).toBe('1234567.891');
    expect(written(-12.5)).toBe('-12.5');
    expect(written(Number.NaN)).toBe('');
    expect(written(Number.POSITIVE_INFINITY)).toBe('');
  });
});

describe('foreign text', () => {
  /** What programs that split at semicolons or tabs would make of the file, quoted or not. */
  const everyCell = (text: string): readonly string[] =>
    text.split('\r\n').flatMap((line) => [...line.split(';'), ...line.split('\t')]);
  const formula = /^["\s]*[=+@＝＋－＠]|^["\s]*-(?![\d.]+(,|"|$))/;

  test.each(TRICKS)('%j is a text and nothing else', (trick) => {
    for (const text of [
      renderAuditCsv(withForeignText(exampleReport(), trick)),
      renderComparisonCsv(withForeignText(comparisonReport({ blocks: 1 }), trick)),
    ]) {
      const rows = parse(text);
      const cells = rows.flat();
      expect(cells.filter((cell) => formula.test(cell))).toEqual([]);
      expect(Math.max(...cells.map(({ length }) => length))).toBeLessThanOrEqual(32_767);
      expect(everyCell(text).filter((cell) => formula.test(cell.slice(0, 200)))).toEqual([]);
      expect(text.isWellFormed()).toBe(true);
      expect(text.replaceAll('\r\n', '')).not.toMatch(/\p{Cc}/u);
    }
  });

  test('is never a formula, nor does it move a cell, whatever it is', () => {
    const example = exampleReport();
    const [head = []] = parse(renderAuditCsv(example));
    fc.assert(
      fc.property(anyLetters(), (text) => {
        const rows = parse(renderAuditCsv(withForeignText(example, text)));
        expect(rows.map(({ length }) => length)).toEqual(Array(10).fill(head.length));
        expect(rows.flat().filter((cell) => formula.test(cell))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  test('keeps what an address is made of', () => {
    const address = 'https://shop.example/a,b;c?q="x"&y=-1';
    const [row] = records(renderAuditCsv(withForeignText(exampleReport(), address)));
    expect(row?.url).toBe(address);
  });
});
