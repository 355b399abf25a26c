import { figuresOf, type ImportedLevel } from './imported-level.ts';

type Json = Readonly<Record<string, unknown>>;

/** What k6 or autocannon write as JSON: one level, or a list of such. Undefined when it is none of them. */
export function readJson(
  value: unknown,
): { readonly tool: string; readonly levels: readonly ImportedLevel[] } | undefined {
  const all = Array.isArray(value) ? value : [value];
  const read = all.map((each) => (isObject(each) ? readOne(each) : undefined));
  const [first] = read;
  if (first === undefined || read.some((each) => each?.tool !== first.tool)) return undefined;
  return { tool: first.tool, levels: read.flatMap((each) => each?.level ?? []) };
}

function readOne(value: Json): { readonly tool: string; readonly level: ImportedLevel } | undefined {
  if (isObject(value.metrics))
    return k6(value.metrics, isObject(value.state) ? value.state.testRunDurationMs : undefined);
  if (isObject(value.results) && Array.isArray(value.results.metrics))
    return newK6(value.results.metrics, value.config);
  if (isObject(value.latency) && isObject(value.requests)) return autocannon(value.latency, value.requests, value);
  return undefined;
}

/** `--summary-export`, and what `handleSummary` gets: the figures of a metric one level deeper. Source: k6, docs on end-of-test summary. */
function k6(metrics: Json, time: unknown) {
  const of = (name: string): Json => {
    const metric = metrics[name];
    if (!isObject(metric)) return {};
    return isObject(metric.values) ? metric.values : metric;
  };
  const reqs = of('http_reqs');
  const took = of('http_req_duration');
  const failed = of('http_req_failed');
  const count = number(reqs.count);
  const duration = number(time);
  const rate = number(reqs.rate) ?? (count !== undefined && duration ? (count / duration) * 1000 : undefined);
  if (rate === undefined) return undefined;
  const vus = number(of('vus_max').value) ?? number(of('vus').max) ?? number(of('vus').value);
  const share = number(failed.rate) ?? number(failed.value) ?? 0;
  const all = count ?? rate;
  return {
    tool: 'k6',
    level: {
      concurrency: vus,
      figures: figuresOf({
        throughput: rate * (1 - share),
        mean: number(took.avg),
        p50: number(took['p(50)']) ?? number(took.med),
        p90: number(took['p(90)']),
        p95: number(took['p(95)']),
        p99: number(took['p(99)']),
        requests: Math.round(all * (1 - share)),
        errors: Math.round(all * share),
        duration: duration ?? (count === undefined || rate === 0 ? undefined : (count / rate) * 1000),
      }),
    },
  };
}

/** `--new-machine-readable-summary`: a list of metrics, no rates, and percentiles without brackets. Source: k6 1.8, schema 1.0.0. */
function newK6(list: readonly unknown[], config: unknown) {
  const metrics = list
    .filter(isObject)
    .map(({ name, values }) => [
      name,
      Object.fromEntries(
        Object.entries(isObject(values) ? values : {}).map(([key, value]) => [
          key.replace(/^p([\d.]+)$/, 'p($1)'),
          value,
        ]),
      ),
    ]);
  const seconds = isObject(config) ? number(config.duration) : undefined;
  return k6(Object.fromEntries(metrics), seconds && seconds * 1000);
}

/** `autocannon --json`. Source: autocannon, README, "autocannon(opts)". */
function autocannon(latency: Json, requests: Json, whole: Json) {
  const rate = number(requests.average);
  const connections = number(whole.connections);
  if (rate === undefined) return undefined;
  const total = number(requests.total) ?? rate;
  const statuses = number(whole.non2xx) ?? 0;
  const seconds = number(whole.duration);
  return {
    tool: 'autocannon',
    level: {
      concurrency: connections,
      figures: figuresOf({
        throughput: total > 0 ? (rate * Math.max(0, total - statuses)) / total : 0,
        mean: number(latency.average),
        p50: number(latency.p50),
        p90: number(latency.p90),
        p99: number(latency.p99),
        requests: Math.max(0, total - statuses),
        errors: statuses + (number(whole.errors) ?? 0),
        duration: seconds === undefined ? undefined : seconds * 1000,
      }),
    },
  };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}
