import { BUILDS, type Build } from '../model/compare/build.ts';
import type { CompareReport } from '../model/result/report.ts';
import type { Evidence } from '../model/result/result.ts';
import type { Ms } from '../model/units.ts';
import { stripOf } from './visual.ts';

/** What a build looks like from a time of the race on. */
export interface RaceFrame {
  readonly at: Ms;
  readonly file: string;
}

/** A build in the race. */
export interface RaceLane {
  readonly build: Build;
  /** In order of time; the first at 0. */
  readonly frames: readonly RaceFrame[];
  /** When its page is complete; absent where it never was. */
  readonly finish?: Ms;
}

/** Both builds' films, to be played side by side. */
export interface Race {
  readonly lanes: readonly RaceLane[];
  /** Until the later one is complete. */
  readonly length: Ms;
  /** How much faster than in reality it is to be played; below 1, slower. */
  readonly speed: number;
}

/** How long the slower build's lane takes to play: long enough to follow, short enough to watch again. */
const SHORTEST_PLAY_MS = 2000;
const LONGEST_PLAY_MS = 10_000;
/** How long the end stands before it begins again. */
export const HOLD_MS = 2000;
const SLOWEST = 0.02;
const SLOWER = [0.5, 0.2, 0.1, 0.05];
const FASTEST = 20;
const FASTER = [2, 5, 10];

/** Frames of a lane, at most. */
const MOST_FRAMES = 10;

/**
 * The films of both builds on one clock. Each is one load, which takes another time than the median by chance: it is
 * stretched to the median, so that the race ends as the comparison does. Undefined where a build was not filmed, or none
 * was complete.
 */
export function raceOf(report: CompareReport, most = MOST_FRAMES): Race | undefined {
  const figures = report.result.comparisons.find(({ metric }) => metric === 'pageComplete');
  const known = BUILDS.flatMap((build) => {
    const { evidence, runs } = report[build].result;
    const filmed = runs.find(({ role, ok }) => role === 'evidence' && ok)?.pageComplete;
    const complete = filmed?.state === 'complete' && isTime(filmed.at) ? filmed.at : undefined;
    const median = figures?.[build].median;
    const stretch = complete !== undefined && isTime(median) ? median / complete : 1;
    const finish = complete === undefined ? undefined : complete * stretch;
    return evidence === undefined ? [] : [{ build, evidence, stretch, finish }];
  });
  const length = Math.max(0, ...known.flatMap(({ finish = 0 }) => finish));
  if (known.length < BUILDS.length || length === 0) return undefined;
  const lanes = known.map(({ build, evidence, stretch, finish }): RaceLane => {
    const frames = framesOf(evidence, stretch, finish ?? length, most);
    return { build, frames, ...(finish !== undefined && { finish }) };
  });
  if (lanes.some(({ frames }) => frames.length < 2)) return undefined;
  return { lanes, length, speed: speedOf(length) };
}

function speedOf(length: Ms): number {
  if (length < SHORTEST_PLAY_MS) return SLOWER.find((speed) => length / speed >= SHORTEST_PLAY_MS) ?? SLOWEST;
  if (length > LONGEST_PLAY_MS) return FASTER.find((speed) => length / speed <= LONGEST_PLAY_MS) ?? FASTEST;
  return 1;
}

const isTime = (value: number | undefined): value is number =>
  value !== undefined && Number.isFinite(value) && value > 0;

/** The frames up to the end, the last one as the page is when it is complete; of too many, those in which the most changed. */
function framesOf(evidence: Evidence, stretch: number, end: Ms, most: number): readonly RaceFrame[] {
  const strip = stripOf(evidence).filter(({ at }) => at * stretch < end);
  const [first, ...others] = strip;
  if (first === undefined) return [];
  const last = evidence.pictures.find(({ moment }) => moment === 'page-complete') ?? strip.at(-1) ?? first;
  const changes = others.map((frame, i) => ({
    frame,
    by: Math.abs((frame.progress ?? 0) - (strip[i]?.progress ?? 0)),
  }));
  const kept = changes.toSorted((a, b) => b.by - a.by).slice(0, Math.max(0, most - 2));
  const between = kept
    .map(({ frame }) => ({ at: frame.at * stretch, file: frame.file }))
    .toSorted((a, b) => a.at - b.at);
  return [{ at: 0, file: first.file }, ...between, { at: end, file: last.file }];
}
