import type { CapacityLevel } from '../../model/capacity.ts';
import { median } from '../time/median.ts';
import { plateauThroughput } from './knee.ts';

/** What the curve of throughput looks like. */
export interface Shape {
  /** Throughput of one connection while nothing stands in the way, 1/s. */
  readonly perConnection: number;
  /** Where that line meets the plateau: what works at a time. */
  readonly corner: number;
  /** Throughput at the corner as a share of the plateau: 1 for a limit of places, less where requests hinder each other before. */
  readonly sharpness: number;
}

/** The part of the corner up to which levels are free of what limits. */
const FREE = 0.6;

/** The shape of a curve; undefined where nothing was measured. */
export function shapeOf(usable: readonly CapacityLevel[]): Shape | undefined {
  const [first] = usable;
  if (first === undefined) return undefined;
  const plateau = plateauThroughput(usable);
  const rate = ({ throughput, concurrency }: CapacityLevel) => throughput / concurrency;
  const rough = plateau / Math.max(...usable.map(rate));
  const free = usable.filter(({ concurrency }) => concurrency <= Math.max(first.concurrency, FREE * rough));
  // The upper half of them: noise and contention only take away.
  const rates = free.map(rate).toSorted((a, b) => b - a);
  const perConnection = median(rates.slice(0, Math.ceil(rates.length / 2)));
  const corner = plateau / perConnection;
  return { perConnection, corner, sharpness: Math.min(1, throughputNear(usable, corner) / plateau) };
}

/** Throughput at a concurrency between two levels, on a line between them. */
function throughputNear(usable: readonly CapacityLevel[], concurrency: number): number {
  const above = usable.findIndex((level) => level.concurrency >= concurrency);
  const high = usable[above];
  if (high === undefined) return usable.at(-1)?.throughput ?? 0;
  const low = usable[above - 1];
  if (low === undefined || high.concurrency === concurrency) return high.throughput;
  const part = (concurrency - low.concurrency) / (high.concurrency - low.concurrency);
  return low.throughput + part * (high.throughput - low.throughput);
}

/** Numbers that people write into configurations. */
export function isRound(n: number): boolean {
  if (n < 4 || !Number.isInteger(n)) return false;
  if ((n & (n - 1)) === 0) return true;
  if (n < 10) return false;
  if (n < 100) return n % 10 === 0 || n === 25 || n === 75;
  return n < 1000 ? n % 50 === 0 : n % 250 === 0;
}

/** How far a corner may be from a round number that was tried itself, as a share: what is left of noise. */
const NEAR = 0.03;
/** The same for a table of levels that far apart that the corner is only roughly known. */
const ROUGHLY_NEAR = 0.12;
/** What a level has of the straight line at least, when it is the limit itself. */
const ON_THE_LINE = 0.88;

/** The round number of connections at which the curve breaks, if it does so at one. */
export function roundCorner(usable: readonly CapacityLevel[], shape: Shape): number | undefined {
  const { corner, perConnection } = shape;
  const whole = Math.round(corner);
  const measured = new Set(usable.map(({ concurrency }) => concurrency));
  const within = Math.max(0.5, NEAR * corner);
  if (measured.has(whole) || nearest(measured, corner) <= within) {
    const near = [];
    for (let n = Math.ceil(corner - within); n <= corner + within; n += 1) if (isRound(n)) near.push(n);
    return near.toSorted((a, b) => Math.abs(a - corner) - Math.abs(b - corner))[0];
  }
  return usable.find(
    ({ concurrency: n, throughput }) =>
      isRound(n) && Math.abs(n / corner - 1) <= ROUGHLY_NEAR && throughput >= ON_THE_LINE * n * perConnection,
  )?.concurrency;
}

function nearest(measured: ReadonlySet<number>, corner: number): number {
  return Math.min(...[...measured].map((n) => Math.abs(n - corner)));
}
