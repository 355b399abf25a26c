import { describe, expect, test } from 'vitest';
import { readImport } from '../../../src/core/capacity/import/read-import.ts';

function levels(text: string) {
  const read = readImport(text);
  return 'problem' in read ? [read] : read.levels;
}

describe('JSON', () => {
  test('k6: the exported summary, what handleSummary gets, and the summary for machines', () => {
    const flat = {
      metrics: {
        http_reqs: { count: 4000, rate: 200 },
        http_req_duration: { avg: 50, med: 48, 'p(90)': 70, 'p(95)': 80 },
        http_req_failed: { value: 0.25, passes: 1000, fails: 3000 },
        vus_max: { value: 10, min: 10, max: 10 },
      },
    };
    const expected = {
      concurrency: 10,
      figures: { throughput: 150, mean: 50, p50: 48, p90: 70, p95: 80, errors: 1000, duration: 20_000 },
    };
    expect(levels(JSON.stringify(flat))).toMatchObject([expected]);
    const deep = Object.fromEntries(
      Object.entries(flat.metrics).map(([name, values]) => [name, { type: 'x', values }]),
    );
    expect(levels(JSON.stringify({ metrics: deep, state: { testRunDurationMs: 20_000 } }))).toMatchObject([expected]);
    const list = [
      { name: 'http_reqs', values: { count: 4000 } },
      { name: 'http_req_duration', values: { avg: 50, med: 48, p90: 70, p95: 80 } },
      { name: 'http_req_failed', values: { matches: 1000, rate: 0.25, total: 4000 } },
      { name: 'vus_max', values: { value: 10 } },
    ];
    const machine = { config: { duration: 20 }, results: { metrics: list }, version: '1.0.0' };
    expect(levels(JSON.stringify(machine))).toMatchObject([expected]);
  });

  test('autocannon, and one value a line', () => {
    const one = (connections: number) =>
      JSON.stringify({
        connections,
        duration: 10,
        latency: { average: 5, p50: 4, p90: 8, p99: 20 },
        requests: { average: 2000, total: 20_000 },
        non2xx: 0,
        errors: 0,
      });
    expect(levels(`${one(10)}\n${one(20)}`)).toMatchObject([
      { concurrency: 10, figures: { throughput: 2000, p90: 8 } },
      { concurrency: 20 },
    ]);
  });
});

describe('tables', () => {
  test('columns by what they are called, in the units that they name', () => {
    const text =
      'Users;Requests/s;Avg response time (s);p90 (s);Error %\n"1";1,833;0.0005;0.001;0\n"1,000";"88,455.5";0.011;0.02;12.5';
    expect(levels(text)).toMatchObject([
      { concurrency: 1, figures: { throughput: 1833, mean: 0.5, p90: 1, errors: 0 } },
      { concurrency: 1000, figures: { throughput: 88_455.5, mean: 11, p90: 20 } },
    ]);
    expect(levels('concurrency,throughput,p50,p90,p99,mean\n4,10,1,2,3,1.5')).toMatchObject([
      { figures: { p50: 1, p90: 2, p99: 3, mean: 1.5 } },
    ]);
  });

  test('without headings: level, throughput, response time', () => {
    expect(levels('1,10,100ms\n2,20,0.2s')).toMatchObject([
      { concurrency: 1, figures: { mean: 100 } },
      { concurrency: 2, figures: { mean: 200 } },
    ]);
    expect(levels('1 10 100\n2 20 100')).toHaveLength(2);
  });

  test('what is wrong is said with its line', () => {
    const noFigure = 'has no number of connections from 1 on, no throughput, or a figure that cannot be';
    expect(levels('')).toEqual([{ problem: 'it is empty' }]);
    expect(levels('{"a": 1}')).toEqual([{ problem: 'it is not the JSON summary of k6 or autocannon' }]);
    expect(levels('{"a": ')).toEqual([{ problem: 'it is not the JSON summary of k6 or autocannon' }]);
    expect(levels('colour,size\n1,2')).toEqual([
      { problem: 'no column is called level, users, connections or concurrency' },
    ]);
    expect(levels('level,size\n1,2')).toEqual([{ problem: 'no column is called throughput or requests/s' }]);
    expect(levels('level,throughput')).toEqual([{ problem: 'the table has no rows' }]);
    expect(levels('level,throughput\n1,2\n0,5')).toEqual([{ problem: `line 3 ${noFigure}` }]);
    expect(levels('level,throughput\n1,NaN')).toEqual([{ problem: `line 2 ${noFigure}` }]);
  });
});
