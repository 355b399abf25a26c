import { estimateShift } from '../experiment/hodges-lehmann.ts';
import { studentQuantile } from '../experiment/student.ts';
import { median } from '../time/median.ts';

/** Results on either side of a change: one bad night, or two in a row, is none. Source: docs/internals/statistics.md. */
export const FEWEST = 3;
/** Results on either side that are looked at: more make slow changes easier to find, and a drift into a step. */
const MAX_RESULTS = 30;
/** A mark may move for so many results after it, by so many at most. */
const SETTLING = 10;
const MOVES = 4;
/** Of so many values one may lie beyond half-way to the other level: a few wild ones do not make a level. */
const STRAY_OF = 3;
/** Noise from one result to the next that is expected before any is seen, as a share of the smallest effect of interest: 3 % of 5 %. */
const EXPECTED_NOISE = 0.6;
/** As many differences the expectation weighs as much as. Source: docs/internals/statistics.md, by simulation. */
const EXPECTATION_WEIGHT = 6;
/** A median of absolute differences tells as much of normal noise as this share of them would by their squares. */
const MAD_EFFICIENCY = 0.37;
/** Standard deviations in a median absolute deviation of normal noise. */
const MAD_TO_DEVIATION = 1.4826;
/** Noise that comes in spells is larger over a few nights than from one to the next. */
const LAGS = [1, 2, 3];
/** A change of level is in as many differences as their lag: of this many times as many it does not move the median. */
const CLEAN = 4;
/** Looks that the first results pay for in advance: nobody stops collecting after four. */
const FEWEST_LOOKS = 30;

/** One result of a series, on the scale on which levels are compared: ln of the unit, or the unit itself. */
export interface SeriesPoint {
  readonly value: number;
  /** Standard error of the value from its own runs; 0 where it has but one. */
  readonly error: number;
}

/** What is looked for in a series. */
export interface SeriesSettings {
  /** The smallest effect of interest around a level, on the scale of the series. */
  limitAt(level: number): number;
  /** Probability of marking anything in a series that keeps its level, about. */
  readonly alpha: number;
}

/** A shift between neighbouring levels; positive is upward. */
export interface SeriesShift {
  /** The first value of the new level. */
  readonly from: number;
  readonly estimate: number;
  readonly low: number;
  readonly high: number;
}

/** What a series does. */
export interface SeriesReading {
  readonly changes: readonly SeriesShift[];
  /** The last one or two values, where they lie off by more than noise explains. */
  readonly pending?: SeriesShift;
  /** Standard deviation from one result to the next around the same level; absent with fewer than two results. */
  readonly noise?: number;
}

/**
 * Where a series changes its level. It is read as it came in, result by result: a mark rests on nothing that came later
 * and is never taken back; while it is young it may move by a few results. O(n · MAX_RESULTS) shifts for n results, few of
 * which are worked out in full.
 */
export function readSeries(points: readonly SeriesPoint[], settings: SeriesSettings): SeriesReading {
  const marks: Mark[] = [];
  for (let now = 2 * FEWEST - 1; now < points.length; now += 1) {
    const last = marks.at(-1);
    const start = last?.from ?? 0;
    const noise = noiseUntil(now, points, settings);
    const found = newestChange(points, start, now, noise, settings);
    if (found !== undefined) marks.push({ from: found, found });
    // What lies off again is no part of the level that the mark begins, and must not pull it.
    else if (last !== undefined && pendingFrom(points.slice(0, now + 1), start, noise, settings) === undefined) {
      marks[marks.length - 1] = settled(last, marks.at(-2)?.from ?? 0, now, points);
    }
  }
  const starts = [0, ...marks.map(({ from }) => from)];
  const last = points.length - 1;
  const noise = noiseUntil(last, points, settings);
  const changes = starts.slice(1).map((from, i) => {
    const before = points.slice(starts[i], from);
    const after = points.slice(from, starts[i + 2] ?? points.length);
    return shiftBetween(
      before.slice(-MAX_RESULTS),
      after.slice(0, MAX_RESULTS),
      from,
      noise,
      criticalAt(last, noise, settings),
    );
  });
  const pending = pendingFrom(points, starts.at(-1) ?? 0, noise, settings);
  return {
    changes,
    pending,
    ...(points.length > 1 && { noise: noise.deviation }),
  };
}

interface Noise {
  readonly deviation: number;
  /** Degrees of freedom of the estimate. */
  readonly freedom: number;
}

/** Where the level so far divides in two: of the splits that noise does not explain the one that fits best. */
function newestChange(
  points: readonly SeriesPoint[],
  start: number,
  now: number,
  noise: Noise,
  settings: SeriesSettings,
): number | undefined {
  const critical = criticalAt(now, noise, settings);
  let best: { readonly from: number; readonly misfit: number } | undefined;
  for (let from = now - FEWEST + 1; from - start >= FEWEST && now - from < MAX_RESULTS; from -= 1) {
    const before = points.slice(Math.max(start, from - MAX_RESULTS), from);
    const after = points.slice(from, now + 1);
    const error = errorOf(before.length, after.length, noise);
    const limit = settings.limitAt(middle(before));
    const needed = Math.max(limit, critical * error);
    // The shift is never far from the difference of the medians, which is cheap.
    if (Math.abs(middle(after) - middle(before)) < needed / 2) continue;
    const shift = estimateShift([{ base: before.map(reading), candidate: after.map(reading) }]);
    if (!shift || Math.abs(shift.estimate) < needed || !areApart(before, after, shift.estimate)) continue;
    const misfit = misfitOf(points.slice(start, from)) + misfitOf(points.slice(from, now + 1));
    if (best === undefined || misfit < best.misfit) best = { from, misfit };
  }
  return best?.from;
}

/** A change as it was found, and where it lies by now. */
interface Mark {
  readonly from: number;
  readonly found: number;
}

/** A young mark moves to where both levels fit best: three results do not tell to the night when it began. */
function settled(mark: Mark, start: number, now: number, points: readonly SeriesPoint[]): Mark {
  if (now - mark.found > SETTLING) return mark;
  const first = Math.max(start + FEWEST, mark.found - MOVES);
  const last = Math.min(now - FEWEST + 1, mark.found + MOVES);
  let best: { readonly from: number; readonly misfit: number } | undefined;
  for (let from = first; from <= last; from += 1) {
    const misfit = misfitOf(points.slice(start, from)) + misfitOf(points.slice(from, now + 1));
    if (best === undefined || misfit < best.misfit) best = { from, misfit };
  }
  return { from: best?.from ?? mark.from, found: mark.found };
}

/** How far values lie from their median, in all. */
function misfitOf(points: readonly SeriesPoint[]): number {
  const level = middle(points);
  return points.reduce((sum, { value }) => sum + Math.abs(value - level), 0);
}

/** Do the values before and after keep to their own side of half-way between their levels, but for a few? */
function areApart(before: readonly SeriesPoint[], after: readonly SeriesPoint[], shift: number): boolean {
  const direction = Math.sign(shift);
  const border = middle(before) + shift / 2;
  const strayBefore = before.filter(({ value }) => direction * (value - border) >= 0).length;
  const strayAfter = after.filter(({ value }) => direction * (value - border) <= 0).length;
  return strayBefore <= (before.length - 1) / STRAY_OF && strayAfter <= (after.length - 1) / STRAY_OF;
}

/** What lies off at the very end, and is too short to be a change. */
function pendingFrom(
  points: readonly SeriesPoint[],
  start: number,
  noise: Noise,
  settings: SeriesSettings,
): SeriesShift | undefined {
  const critical = criticalAt(points.length - 1, noise, settings);
  for (let from = points.length - FEWEST + 1; from < points.length; from += 1) {
    const before = points.slice(Math.max(start, from - MAX_RESULTS), from);
    if (from - start < FEWEST || before.length < FEWEST) continue;
    const level = middle(before);
    const needed = Math.max(settings.limitAt(level), critical * errorOf(before.length, 1, noise));
    const tail = points.slice(from);
    const sides = new Set(tail.map(({ value }) => Math.sign(value - level)));
    if (sides.size > 1 || !tail.every(({ value }) => Math.abs(value - level) >= needed)) continue;
    return shiftBetween(before, tail, from, noise, critical);
  }
  return undefined;
}

function shiftBetween(
  before: readonly SeriesPoint[],
  after: readonly SeriesPoint[],
  from: number,
  noise: Noise,
  critical: number,
): SeriesShift {
  const shift = estimateShift([{ base: before.map(reading), candidate: after.map(reading) }]);
  const estimate = shift?.estimate ?? 0;
  const reach = critical * errorOf(before.length, after.length, noise);
  return { from, estimate, low: estimate - reach, high: estimate + reach };
}

/**
 * What values vary by from one result to the next, out of the differences of neighbours, in which a change of level is
 * but one. Few of them say little: what is expected counts as if it had been seen. Nothing later than `now` is used.
 */
function noiseUntil(now: number, points: readonly SeriesPoint[], { limitAt }: SeriesSettings): Noise {
  const seen = points.slice(Math.max(0, now + 1 - 2 * MAX_RESULTS), now + 1);
  const own = median(seen.map(({ error }) => error));
  const expected = (EXPECTED_NOISE * limitAt(middle(seen))) ** 2 + own ** 2;
  const variances = LAGS.filter((lag) => seen.length >= (CLEAN + 1) * lag).map((lag) => {
    const differences = seen.slice(lag).map(({ value }, i) => Math.abs(value - (seen[i]?.value ?? value)));
    return (MAD_TO_DEVIATION * median(differences)) ** 2 / 2;
  });
  if (variances.length === 0) return { deviation: Math.sqrt(expected), freedom: EXPECTATION_WEIGHT };
  const count = seen.length - 1;
  const variance = (EXPECTATION_WEIGHT * expected + count * Math.max(...variances)) / (EXPECTATION_WEIGHT + count);
  return { deviation: Math.sqrt(variance), freedom: EXPECTATION_WEIGHT + MAD_EFFICIENCY * count };
}

function errorOf(before: number, after: number, { deviation }: Noise): number {
  return deviation * Math.sqrt(1 / before + 1 / after);
}

/** Standard errors that a shift must exceed at this moment: Bonferroni over the places where a change can begin. */
function criticalAt(now: number, { freedom }: Noise, { alpha }: SeriesSettings): number {
  const looks = Math.max(FEWEST_LOOKS, now + 1);
  return studentQuantile(1 - alpha / (2 * looks), freedom);
}

function reading({ value }: SeriesPoint): number {
  return value;
}

function middle(points: readonly SeriesPoint[]): number {
  return median(points.map(reading));
}
