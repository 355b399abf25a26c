import type { LoadPlan } from '../../model/load.ts';
import type { Ms } from '../../model/units.ts';
import { inTurns } from './mix.ts';

/**
 * A script for k6: a warm-up whose requests do not count, then the load, and a summary of the latter as JSON. Everything that
 * comes from outside is written as JSON, so that nothing in it can be code.
 */
export function k6Script(
  plan: LoadPlan,
  { warmUp, measured }: { readonly warmUp: Ms; readonly measured: Ms },
  summary: string,
): string {
  const { targets, method, headers, body, timeout, connections, rate, thinkTime } = plan;
  const ms = (time: Ms) => `${Math.max(1, Math.round(time))}ms`;
  const users = { executor: 'constant-vus', vus: connections };
  const arrivals = {
    executor: 'constant-arrival-rate',
    rate: Math.round((rate ?? 0) * 60),
    timeUnit: '1m',
    preAllocatedVUs: connections,
    maxVUs: connections,
  };
  const scenario = rate === undefined ? users : arrivals;
  const options = {
    scenarios: {
      warmUp: { ...scenario, exec: 'warmUp', duration: ms(warmUp), gracefulStop: ms(timeout) },
      measured: {
        ...scenario,
        exec: 'measured',
        startTime: ms(warmUp),
        duration: ms(measured),
        gracefulStop: ms(timeout),
      },
    },
    summaryTrendStats: ['avg', 'med', 'p(90)', 'p(95)', 'p(99)'],
    discardResponseBodies: true,
    insecureSkipTLSVerify: true,
    maxRedirects: 0,
    // k6 keeps apart only what has a threshold; these always hold.
    thresholds: Object.fromEntries(
      ['http_req_duration', 'http_reqs', 'http_req_failed'].map((name) => [
        `${name}{scenario:measured}`,
        [name === 'http_req_duration' ? 'avg>=0' : name === 'http_reqs' ? 'count>=0' : 'rate>=0'],
      ]),
    ),
  };
  const settings = {
    urls: inTurns(targets),
    method,
    body: body ?? null,
    params: {
      headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
      timeout: ms(timeout),
    },
    thinkTime: (thinkTime ?? 0) / 1000,
    connections,
    seconds: measured / 1000,
    summary,
  };
  return `import http from 'k6/http';
import { sleep } from 'k6';
import exec from 'k6/execution';

export const options = ${json(options)};
const plan = ${json(settings)};
// A redirect is no answer that was asked for.
http.setResponseCallback(http.expectedStatuses({ min: 200, max: 299 }, 304));

function ask() {
  const url = plan.urls[exec.scenario.iterationInTest % plan.urls.length];
  http.request(plan.method, url, plan.body, plan.params);
  if (plan.thinkTime > 0) sleep(plan.thinkTime);
}
export const warmUp = ask;
export const measured = ask;

export function handleSummary(data) {
  const of = (name) => (data.metrics[name + '{scenario:measured}'] || { values: {} }).values;
  const reqs = of('http_reqs');
  const metrics = {
    http_reqs: { values: { count: reqs.count || 0, rate: (reqs.count || 0) / plan.seconds } },
    http_req_duration: { values: of('http_req_duration') },
    http_req_failed: { values: of('http_req_failed') },
    vus_max: { values: { value: plan.connections } },
  };
  return { [plan.summary]: JSON.stringify({ metrics, state: { testRunDurationMs: plan.seconds * 1000 } }) };
}
`;
}

/** JSON that is JavaScript as well: line separators are no line ends in old engines. */
function json(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16)}`,
  );
}
