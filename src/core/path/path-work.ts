import type { Work } from '../../model/main-thread.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { WorkStepFacts } from '../../model/result/run-facts.ts';
import type { Ms } from '../../model/units.ts';
import { workInTimings } from '../rendering/timed-work.ts';
import { defined } from '../text/defined.ts';
import type { Stretch } from '../time/overlap.ts';
import { toMicroseconds } from '../time/time.ts';

/** Less work than this explains nothing: a task of so many ms is long. Source: Long Tasks API. */
const LEAST_MS = 50;
/** A thread that pauses for less than a frame of the display does one thing in pieces: a frame at 60 Hz, ms. */
const PAUSE_MS = 1_000 / 60;

/** What the page's main thread did: as the trace tells, and else as the page's own timeline does. In order of time. */
export function workOf({ recording, known }: Visit): readonly Work[] {
  return recording.work ?? workInTimings(recording.page ?? {}, known?.places);
}

/**
 * The work that filled the time before a moment of the critical path, and for which that had to wait: what kept the thread
 * busy up to the moment, and, where it is known that the step before led there, what the thread was busy with from that
 * step's end on. What lies in between, with pauses on both sides, ran while the page waited for something else.
 *
 * @param gap from the end of the step before to the moment
 * @param isLed the step before led to the moment
 */
export function workBefore(work: readonly Work[], gap: Stretch, isLed: boolean): readonly WorkStepFacts[] {
  if (gap.to - gap.from < LEAST_MS) return [];
  const inGap = work.flatMap((each) => clipped(each, gap));
  const chosen = new Set([...reachingBack(inGap, gap.to), ...(isLed ? reachingOn(inGap, gap.from) : [])]);
  const long = longOf(inGap.filter((each) => chosen.has(each)));
  const steps: WorkStepFacts[] = [];
  let from = gap.from;
  for (const run of runsOf(long)) {
    const at = Math.max(run.at, from);
    const ms = Math.min(run.ms, run.until - at);
    if (!(ms > 0)) continue;
    const endsAt = toMicroseconds(run.until);
    const took = toMicroseconds(ms);
    steps.push({
      cause: 'work',
      category: run.category ?? 'other',
      ...(run.place && { place: run.place }),
      startedAt: toMicroseconds(at),
      endsAt,
      delay: toMicroseconds(endsAt - from - took),
      work: took,
    });
    from = endsAt;
  }
  return steps;
}

function clipped(work: Work, { from, to }: Stretch): readonly Work[] {
  const [at, until] = [Math.max(work.at, from), Math.min(work.until, to)];
  if (until <= at) return [];
  const share = work.until > work.at ? (until - at) / (work.until - work.at) : 1;
  return [{ ...work, at, until, ms: Math.min(work.ms * share, until - at) }];
}

/** What ended at the moment, what ended where that began, and so on. */
function reachingBack(work: readonly Work[], moment: Ms): readonly Work[] {
  const reached: Work[] = [];
  let at = moment;
  for (const each of work.toSorted((a, b) => b.until - a.until)) {
    if (at - each.until > PAUSE_MS) break;
    at = Math.min(at, each.at);
    reached.push(each);
  }
  return reached;
}

/** What began at the moment, what began where that ended, and so on. */
function reachingOn(work: readonly Work[], moment: Ms): readonly Work[] {
  const reached: Work[] = [];
  let until = moment;
  for (const each of work.toSorted((a, b) => a.at - b.at)) {
    if (each.at - until > PAUSE_MS) break;
    until = Math.max(until, each.until);
    reached.push(each);
  }
  return reached;
}

/** Who worked: a script, or one kind of work. */
const whoOf = ({ place, category = 'other' }: Work): string => place?.url ?? category;

/** What a script, or one kind of work, did in all, where that was much; where nothing was, but all together were, that. */
function longOf(all: readonly Work[]): readonly Work[] {
  // What a trace calls other is neither script nor rendering: the browser's own, its profiler's too.
  const work = all.filter(({ category, place }) => category !== 'other' || place !== undefined);
  const sums = new Map<string, Ms>();
  for (const each of work) sums.set(whoOf(each), (sums.get(whoOf(each)) ?? 0) + each.ms);
  const long = work.filter((each) => (sums.get(whoOf(each)) ?? 0) >= LEAST_MS);
  if (long.length > 0) return long;
  const sum = [...sums.values()].reduce((total, ms) => total + ms, 0);
  const [most] = work.toSorted((a, b) => b.ms - a.ms);
  return sum < LEAST_MS
    ? []
    : work.map(({ at, until, ms }) => ({ at, until, ms, ...defined({ category: most?.category }) }));
}

/** What the same did one after the other is one step, with the place of the longest of it. */
function runsOf(work: readonly Work[]): readonly Work[] {
  const runs: { run: Work; longest: Ms }[] = [];
  for (const each of work.toSorted((a, b) => a.at - b.at)) {
    const last = runs.at(-1);
    if (last === undefined || whoOf(last.run) !== whoOf(each)) {
      runs.push({ run: each, longest: each.ms });
      continue;
    }
    const { run } = last;
    const longer = each.ms > last.longest ? each : run;
    last.longest = Math.max(last.longest, each.ms);
    last.run = { ...longer, at: run.at, until: Math.max(run.until, each.until), ms: run.ms + each.ms };
  }
  return runs.map(({ run }) => run);
}
