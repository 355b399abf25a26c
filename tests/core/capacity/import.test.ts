import { describe, expect, test } from 'vitest';
import { readImport } from '../../../src/core/capacity/import/read-import.ts';

const AB = (n: number, rate: number, more = '') => `This is ApacheBench, Version 2.3 <$Revision: 1923142 $>
Benchmarking 127.0.0.1 (be patient)

Server Hostname:        127.0.0.1
Concurrency Level:      ${n}
Time taken for tests:   2.013 seconds
Complete requests:      ${Math.round(rate * 2.013)}
Failed requests:        7
   (Connect: 0, Receive: 0, Length: 7, Exceptions: 0)
${more}Requests per second:    ${rate} [#/sec] (mean)
Time per request:       201.300 [ms] (mean)
Time per request:       50.325 [ms] (mean, across all concurrent requests)

Percentage of the requests served within a certain time (ms)
  50%    201
  90%    203
  95%    204
  99%    210
 100%    211 (longest request)
`;

const WRK = `Running 30s test @ http://127.0.0.1:8080/index.html
  12 threads and 400 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   635.91us    0.89ms  12.92ms   93.69%
    Req/Sec    56.20k     8.07k   62.00k    86.54%
  Latency Distribution
     50%  250.00us
     90%    1.20ms
     99%    2.10s
  22464657 requests in 30.00s, 17.76GB read
  Socket errors: connect 0, read 3, write 0, timeout 4
  Non-2xx or 3xx responses: 1000
Requests/sec: 748868.53
Transfer/sec:    606.33MB
`;

function levels(text: string) {
  const read = readImport(text);
  return 'problem' in read ? [read] : read.levels;
}

test('ab, several runs in one file; another length is no failure', () => {
  const read = levels(AB(4, 19.87) + AB(8, 39.72, 'Non-2xx responses:      40\n'));
  expect(read).toMatchObject([
    {
      concurrency: 4,
      figures: { throughput: 19.87, mean: 201.3, p50: 201, p90: 203, p95: 204, p99: 210, errors: 0, duration: 2013 },
    },
    { concurrency: 8, figures: { errors: 40, requests: 40 } },
  ]);
});

test('wrk and wrk2', () => {
  const [wrk] = levels(WRK);
  expect(wrk).toMatchObject({
    concurrency: 400,
    figures: {
      mean: 0.63591,
      p50: 0.25,
      p90: 1.2,
      p99: 2100,
      duration: 30_000,
      errors: 1007,
      errorKinds: { read: 3, timeout: 4 },
    },
  });
  const [wrk2] = levels(WRK.replaceAll('50%  2', '50.000%  2').replaceAll('90%    1', '90.000%    1'));
  expect(wrk2).toMatchObject({ figures: { p50: 0.25, p90: 1.2 } });
});

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

  test('oha: seconds, and no number of connections', () => {
    const oha = {
      summary: { successRate: 1, total: 10, average: 0.02, requestsPerSec: 500 },
      latencyPercentiles: { p50: 0.019, p90: 0.025, p95: 0.03, p99: 0.05 },
      statusCodeDistribution: { '200': 4900, '503': 100 },
      errorDistribution: { 'aborted due to deadline': 10 },
    };
    const [read] = levels(JSON.stringify(oha));
    expect(read).toMatchObject({ figures: { mean: 20, p90: 25, errors: 110, errorKinds: { 'HTTP 503': 100 } } });
    expect(read).not.toHaveProperty('concurrency');
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
    expect(levels('')).toEqual([{ problem: 'empty' }]);
    expect(levels('{"a": 1}')).toEqual([{ problem: 'unknown-json' }]);
    expect(levels('{"a": ')).toEqual([{ problem: 'unknown-json' }]);
    expect(levels('colour,size\n1,2')).toEqual([{ problem: 'no-level' }]);
    expect(levels('level,size\n1,2')).toEqual([{ problem: 'no-throughput' }]);
    expect(levels('level,throughput')).toEqual([{ problem: 'no-rows' }]);
    expect(levels('level,throughput\n1,2\n0,5')).toEqual([{ problem: 'bad-figure', line: 3 }]);
    expect(levels('level,throughput\n1,NaN')).toEqual([{ problem: 'bad-figure', line: 2 }]);
  });
});
