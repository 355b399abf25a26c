import type { Ms } from '../../../model/units.ts';
import type { PassFigures } from '../pass.ts';

/** One level that another tool measured. */
export interface ImportedLevel {
  /** Absent where the tool does not write how many connections it had. */
  readonly concurrency?: number;
  /** The rate that was asked for; in an open load. */
  readonly rate?: number;
  readonly figures: PassFigures;
}

/** What a tool figures of a level. */
export interface ImportedFigures {
  readonly throughput: number;
  readonly mean?: Ms | undefined;
  readonly p50?: Ms | undefined;
  readonly p90?: Ms | undefined;
  readonly p95?: Ms | undefined;
  readonly p99?: Ms | undefined;
  readonly requests?: number | undefined;
  readonly duration?: Ms | undefined;
  readonly errors?: number | undefined;
}

/** Of a tool that does not say how long it measured, so that all its levels weigh the same, ms. */
const UNKNOWN_DURATION: Ms = 1_000;

/** More connections than any machine has, and more requests a second: what says so is no measurement. */
const MOST_CONNECTIONS = 1e7;
const MOST_THROUGHPUT = 1e12;

/** Whether the figures can be those of a level. */
export function isPossible({ concurrency = 1, figures }: ImportedLevel): boolean {
  const { throughput, mean, p50, p90, p95, p99, errors, requests } = figures;
  const all = [mean, p50, p90, p95, p99, errors, requests].filter((each) => each !== undefined);
  return (
    concurrency >= 1 &&
    concurrency <= MOST_CONNECTIONS &&
    throughput >= 0 &&
    throughput <= MOST_THROUGHPUT &&
    all.every((each) => each >= 0 && Number.isFinite(each))
  );
}

/** The same as one pass of a level. */
export function figuresOf(figures: ImportedFigures): PassFigures {
  const { throughput, mean, errors = 0, duration = UNKNOWN_DURATION } = figures;
  const requests = figures.requests ?? (throughput * duration) / 1000;
  return {
    duration,
    requests,
    throughput,
    answeredRate: requests > 0 ? throughput * ((requests + errors) / requests) : throughput,
    errors,
    errorKinds: errors > 0 ? { failed: errors } : {},
    batches: [],
    mean,
    answeredMean: mean,
    p50: figures.p50,
    p90: figures.p90,
    p95: figures.p95,
    p99: figures.p99,
  };
}

/** A figure that was written for people: "1,833.5" or "88 318"; undefined when it is none. */
export function figureIn(text: string | undefined): number | undefined {
  const plain = text?.trim().replace(/(?<=\d)[,\s_](?=\d{3}(?:\D|$))/g, '') ?? '';
  const figure = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(figure) ? figure : undefined;
}

/** Times as tools write them: "635.91us", "2.10ms", "1.02s", "2.5m"; ms. */
export function timeIn(text: string | undefined): Ms | undefined {
  const [, figure, unit = ''] = /^([\d.]+)\s*(us|µs|ms|s|m|h)?$/.exec(text?.trim() ?? '') ?? [];
  const factor = { us: 0.001, µs: 0.001, ms: 1, s: 1000, m: 60_000, h: 3_600_000, '': 1 }[unit];
  return figure === undefined || factor === undefined ? undefined : Number(figure) * factor;
}
