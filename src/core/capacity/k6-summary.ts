import type { Ms } from '../../model/units.ts';
import { K6_FAILURES, K6_HUNDREDS, K6_PARTS } from './k6-script.ts';
import type { Batch, PassFigures } from './pass.ts';

/** What k6 wrote of one pass. */
export interface K6Pass {
  readonly figures: PassFigures;
  /** All answers, those of the warm-up too. */
  readonly answered: number;
}

/** Values of a metric by name: 'count', 'avg', 'p(90)'. */
type Metrics = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What k6's error codes are called by everybody else. Source: k6, docs on error codes. */
const ERROR_NAMES: Readonly<Record<string, string>> = {
  1050: 'timeout',
  1101: 'ENOTFOUND',
  1211: 'ETIMEDOUT',
  1212: 'ECONNREFUSED',
  1220: 'ECONNRESET',
};

/** Reads the summary that a script of `k6Script` wrote; undefined for anything else. */
export function readK6Summary(summary: unknown, measured: Ms): K6Pass | undefined {
  if (typeof summary !== 'object' || summary === null || !('iterations' in summary)) return undefined;
  const metrics = summary as Metrics;
  const of = (name: string, value: string): number | undefined => {
    const found = metrics[name]?.[value];
    return typeof found === 'number' && Number.isFinite(found) && found >= 0 ? found : undefined;
  };
  const seconds = measured / 1000;
  const requests = of('took', 'count') ?? 0;
  const answered = of('answered', 'count') ?? 0;
  const answeredMean = of('answered', 'avg');
  const batches = Array.from({ length: K6_PARTS }, (_, part): Batch => {
    const good = of(`took_${part}`, 'count') ?? 0;
    return {
      throughput: ((of(`worked_${part}`, 'count') ?? 0) / seconds) * K6_PARTS,
      ...(good > 0 && { mean: of(`took_${part}`, 'avg'), p90: of(`took_${part}`, 'p(90)') }),
    };
  });
  const errorKinds = Object.fromEntries(
    [...K6_FAILURES.map(String), ...K6_HUNDREDS.map((hundred) => `${hundred}xx`)].flatMap((code) => {
      const count = of(`failed_${code}`, 'count') ?? 0;
      return count > 0 ? [[nameOf(code), count]] : [];
    }),
  );
  const errors = Object.values(errorKinds).reduce((sum, count) => sum + count, 0);
  const throughput = batches.reduce((sum, batch) => sum + batch.throughput, 0) / K6_PARTS;
  return {
    answered: of('iterations', 'count') ?? 0,
    figures: {
      duration: measured,
      requests,
      throughput,
      answeredRate: errors === 0 ? throughput : answered / seconds,
      errors,
      errorKinds,
      batches,
      ...(answered > 0 && { answeredMean }),
      ...(requests > 0 && {
        mean: of('took', 'avg'),
        p50: of('took', 'med'),
        p90: of('took', 'p(90)'),
        p95: of('took', 'p(95)'),
        p99: of('took', 'p(99)'),
      }),
    },
  };
}

function nameOf(code: string): string {
  if (Number.parseInt(code, 10) < 1000 && !/^1\dxx$/.test(code)) return `HTTP ${code}`;
  return ERROR_NAMES[code] ?? `k6 error ${code}`;
}
