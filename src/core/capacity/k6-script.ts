import type { LoadPlan } from '../../model/network/load.ts';
import type { Ms } from '../../model/units.ts';
import { valuesByName } from '../text/values-by-name.ts';
import { weightedRoundRobin } from './mix.ts';

/** How long k6 loads: what is sent in the warm-up does not count. */
export interface K6Time {
  readonly warmUp: Ms;
  readonly measured: Ms;
}

/** Parts of the measured time, each with figures of its own: their scatter gives the intervals. */
export const K6_PARTS = 10;
/** What the script says once the warm-up is over. */
export const K6_WARM = 'quiesce: warm';

/** Statuses and k6's error codes that are counted each for itself; others by their hundred. Source: k6, docs on error codes. */
export const K6_FAILURES: readonly number[] = [
  ...[301, 302, 303, 307, 308, 400, 401, 403, 404, 405, 408, 409, 413, 421, 429, 431],
  ...[500, 501, 502, 503, 504, 505, 520, 521, 522, 523, 524],
  ...[1050, 1101, 1200, 1210, 1211, 1212, 1220, 1300, 1310, 1311],
];
/** The hundreds of all the others. */
export const K6_HUNDREDS: readonly number[] = [3, 4, 5, ...Array.from({ length: 8 }, (_, i) => 10 + i)];

/**
 * A script for k6. It counts by itself what `readK6Summary` reads, because k6's own figures know no warm-up, no parts and no
 * reasons: a request counts while it is worked on, as it does with the other engine. Everything that comes from outside is
 * written as JSON, so that nothing in it can be code.
 *
 * @param summary the file that it writes
 */
export function k6Script(plan: LoadPlan, { warmUp, measured }: K6Time, summary: string): string {
  const { targets, method, body, timeout, connections, rate, thinkTime, most } = plan;
  const ms = (time: Ms) => `${Math.max(1, Math.round(time))}ms`;
  const duration = ms(warmUp + measured);
  const users = { executor: 'constant-vus', vus: connections };
  const arrivals = {
    executor: 'constant-arrival-rate',
    rate: Math.round((rate ?? 0) * 60),
    timeUnit: '1m',
    preAllocatedVUs: connections,
    maxVUs: connections,
  };
  const options = {
    scenarios: { load: { ...(rate === undefined ? users : arrivals), duration, gracefulStop: ms(timeout) } },
    summaryTrendStats: ['avg', 'med', 'p(90)', 'p(95)', 'p(99)', 'count'],
    // Nobody reads them, and they cost the driver.
    systemTags: [],
    discardResponseBodies: true,
    // One request has shown already whether its certificate is valid.
    insecureSkipTLSVerify: true,
    maxRedirects: 0,
  };
  const settings = {
    turns: weightedRoundRobin(targets).map(({ url, headers }) => ({
      url,
      params: { headers: valuesByName(headers), timeout: ms(timeout) },
    })),
    method,
    body: body ?? null,
    thinkTime: (thinkTime ?? 0) / 1000,
    most,
    warmUp,
    partLength: measured / K6_PARTS,
    parts: K6_PARTS,
    failures: K6_FAILURES,
    hundreds: K6_HUNDREDS,
    warm: K6_WARM,
    summary,
  };
  return `import http from 'k6/http';
import { sleep } from 'k6';
import exec from 'k6/execution';
import { Counter, Trend } from 'k6/metrics';

export const options = ${json(options)};
const plan = ${json(settings)};
const all = (values, create) => Object.fromEntries(values.map((value) => [value, create(value)]));
const parts = Array.from({ length: plan.parts }, (_, part) => part);
const answered = new Trend('answered', true);
const took = new Trend('took', true);
const tookIn = all(parts, (part) => new Trend('took_' + part, true));
const workedIn = all(parts, (part) => new Counter('worked_' + part));
const failed = all(plan.failures, (code) => new Counter('failed_' + code));
const failedOf = all(plan.hundreds, (hundred) => new Counter('failed_' + hundred + 'xx'));
let isWarm = false;

export default function () {
  const turn = exec.scenario.iterationInTest;
  if (turn >= plan.most) exec.test.abort('no more requests may be sent');
  const from = exec.instance.currentTestRunDuration - plan.warmUp;
  if (exec.vu.idInTest === 1 && from >= 0 && !isWarm) {
    isWarm = true;
    console.log(plan.warm);
  }
  const { url, params } = plan.turns[turn % plan.turns.length];
  const { status, error_code: code, timings } = http.request(plan.method, url, plan.body, params);
  count(from, timings.blocked + timings.connecting + timings.tls_handshaking + timings.duration, status, code);
  if (plan.thinkTime > 0) sleep(plan.thinkTime);
}

function count(from, time, status, code) {
  const part = Math.floor(from / plan.partLength);
  const isMeasured = part >= 0 && part < plan.parts;
  if (isMeasured && status > 0) answered.add(time);
  // A redirect is not an answer.
  if (status === 0 || (status >= 300 && status !== 304)) {
    const why = status || code;
    if (isMeasured) (failed[why] || failedOf[Math.floor(why / 100)] || failed[1050]).add(1);
    return;
  }
  if (isMeasured) {
    took.add(time);
    tookIn[part].add(time);
  }
  const last = Math.floor((from + time) / plan.partLength);
  for (let each = Math.max(0, part); each <= Math.min(last, plan.parts - 1); each += 1) {
    const inside = Math.min(from + time, (each + 1) * plan.partLength) - Math.max(from, each * plan.partLength);
    workedIn[each].add(time > 0 ? inside / time : 1);
  }
}

export function handleSummary({ metrics }) {
  return { [plan.summary]: JSON.stringify(all(Object.keys(metrics), (name) => metrics[name].values)) };
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
