import type { Request } from '../../model/network/timeline.ts';
import type { MainThreadSample, Recording } from '../../model/recording/recording.ts';
import type { CriticalPathFacts } from '../../model/result/run-facts.ts';
import type { Ms } from '../../model/units.ts';
import { overlapOf, type Stretch } from '../time/overlap.ts';
import type { CriticalRequest } from './critical-path.ts';

/** What both clocks of the main thread had counted by a moment of the load, ms. */
export interface MainThreadTimes {
  /** In tasks, by the wall's clock. */
  readonly wall: Ms;
  /** In tasks, by the processor's clock: the rest of the wall's was stolen. */
  readonly cpu: Ms;
}

/** The machine took more than this share of a moment: runs on a quiet machine differ by less (`stable`, CONTRACT). */
const DISTURBED_SHARE = 0.05;

/** Did the machine take so much that a moment says something of it, and not of the page alone? */
export function isDisturbed(measured: Ms, undisturbed: Ms): boolean {
  return measured > (1 + DISTURBED_SHARE) * undisturbed;
}

/** A sample in which both clocks were read. */
type TwoClocks = Required<MainThreadSample>;

/**
 * Time in tasks by `at`, on the line between the readings around it; undefined without a reading after it. Tasks can be
 * counted that began before navigation start: no thread is busy for longer than the wall's time.
 */
export function taskTimeAt(samples: readonly MainThreadSample[], at: Ms): Ms | undefined {
  const wall = between(samples, ({ taskTime }) => taskTime, at);
  return wall === undefined ? undefined : Math.min(wall, at);
}

/** The same by both clocks; undefined where only one was read. */
export function mainThreadTimesAt(samples: readonly MainThreadSample[], at: Ms): MainThreadTimes | undefined {
  const wall = taskTimeAt(samples, at);
  const cpu = between(samples.filter(hasTwoClocks), ({ cpuTime }) => cpuTime, at);
  // Each clock is exact to some microseconds only, and they are not read at the very same moment.
  return wall === undefined || cpu === undefined ? undefined : { wall, cpu: Math.min(cpu, wall) };
}

/** A span in which page complete waited for a main thread: the page's, or that of a frame with a process of its own. */
export interface ThreadSpan extends Stretch {
  readonly frameId?: string;
}

/** Whose threads are known. */
type Threads = Pick<Recording, 'mainThread' | 'frameThreads' | 'workerThreads'>;

/**
 * The part of the stolen time up to `until` that made the page later: that from which a main thread was robbed while page
 * complete waited for it and for no request, and that from which a worker was robbed while the main thread waited for it.
 * Undefined where the page's own clocks do not tell.
 *
 * @param path as `mainThreadSpans` gives them
 */
export function stolenOnPath(
  path: readonly ThreadSpan[],
  { mainThread, frameThreads = [], workerThreads = [] }: Threads,
  until: Ms,
): Ms | undefined {
  const ownPath = path.filter(({ frameId }) => frameId === undefined);
  const own = stolenFromThread(ownPath, mainThread, until);
  if (own === undefined) return undefined;
  const fromFrames = frameThreads.map(({ frameId, samples }) => {
    const spans = path.filter((span) => span.frameId === frameId);
    return spans.length === 0 ? 0 : (stolenFromThread(spans, samples, until) ?? 0);
  });
  // Of workers that compute side by side the page waits for the slowest.
  const fromWorkers = workerThreads.map(({ samples }) => stolenFromWorker(ownPath, mainThread, samples, until));
  return Math.min(
    fromFrames.reduce((sum, stolen) => sum + stolen, own + Math.max(0, ...fromWorkers)),
    until,
  );
}

/**
 * The same of one thread. Between two readings of the clocks it is not known when a task ran, nor when it was robbed. Tasks
 * are taken to have filled the spans of the path first, for which the page would not have had to wait otherwise, and to
 * have been robbed evenly.
 */
function stolenFromThread(path: readonly Stretch[], samples: readonly MainThreadSample[], until: Ms): Ms | undefined {
  if (mainThreadTimesAt(samples, until) === undefined) return undefined;
  let stolen = 0;
  for (const reading of readingsOf(samples, until)) {
    if (reading.tasks > 0) stolen += reading.stolen * Math.min(1, onPath(path, reading) / reading.tasks);
  }
  return stolen;
}

/** A worker that fills less than this share of the time between two readings was not busy throughout. */
const BUSY = 0.8;

/**
 * The same of a worker. No message is recorded, so what the main thread waited for is told by the times: on the path the
 * main thread was idle and the worker busy, and no longer busy when the path went on. What goes on computing was not waited
 * for. What both did between two readings of the main thread is taken to have been done one after the other, if it fits.
 */
function stolenFromWorker(
  path: readonly Stretch[],
  mainThread: readonly MainThreadSample[],
  samples: readonly MainThreadSample[],
  until: Ms,
): Ms {
  const isBusy = ({ from, to, tasks }: Reading): boolean => to > from && tasks > 0 && tasks >= BUSY * (to - from);
  const all = readingsOf(samples, Number.POSITIVE_INFINITY);
  const waits = path.filter(({ to }) => {
    const next = all.find(({ from }) => from >= to);
    return next === undefined || !isBusy(next);
  });
  const busy = readingsOf(samples, until).filter(isBusy);
  let stolen = 0;
  for (const { from, to, tasks } of readingsOf(mainThread, until)) {
    const idle = Math.max(0, onPath(path, { from, to }) - tasks);
    let [filled, robbed] = [0, 0];
    for (const reading of busy) {
      const shared = onPath(waits, { from: Math.max(from, reading.from), to: Math.min(to, reading.to) });
      const share = shared / (reading.to - reading.from);
      filled += share * reading.tasks;
      robbed += share * reading.stolen;
    }
    if (filled > 0) stolen += robbed * Math.min(1, idle / filled);
  }
  return stolen;
}

/** What a thread did between two readings of its clocks, as far as it lies before some moment. */
interface Reading extends Stretch {
  /** By the wall's clock, ms. */
  readonly tasks: Ms;
  readonly stolen: Ms;
}

/** What came after `until` made nothing of before it later. */
function readingsOf(samples: readonly MainThreadSample[], until: Ms): readonly Reading[] {
  let before: TwoClocks = { at: 0, taskTime: 0, cpuTime: 0 };
  const readings: Reading[] = [];
  for (const sample of samples.filter(hasTwoClocks)) {
    const whole = sample.at > before.at ? Math.min(1, (until - before.at) / (sample.at - before.at)) : 1;
    const tasks = sample.taskTime - before.taskTime;
    const stolen = Math.max(0, tasks - (sample.cpuTime - before.cpuTime));
    readings.push({ from: before.at, to: Math.min(sample.at, until), tasks: tasks * whole, stolen: stolen * whole });
    before = sample;
    if (sample.at >= until) break;
  }
  return readings;
}

function onPath(path: readonly Stretch[], stretch: Stretch): Ms {
  return path.reduce((sum, span) => sum + overlapOf(span, stretch), 0);
}

/**
 * Where page complete waited for a main thread: from what a request had brought to the next one, and at the end. A request
 * of a frame with a process of its own waits for that frame's; the frame's document is asked for by the page.
 */
export function mainThreadSpans(
  { steps, rest }: CriticalPathFacts,
  chain: readonly Pick<CriticalRequest, 'request'>[],
  frameThreads: Threads['frameThreads'] = [],
): readonly ThreadSpan[] {
  const threadOf = (request: Request | undefined): Pick<ThreadSpan, 'frameId'> => {
    const thread = frameThreads.find(({ frameId }) => frameId === request?.frameId);
    return thread ? { frameId: thread.frameId } : {};
  };
  let from = 0;
  const spans: ThreadSpan[] = [];
  const add = (length: Ms, thread: Pick<ThreadSpan, 'frameId'>): void => {
    spans.push({ from, to: from + length, ...thread });
    from += length;
  };
  let asked = 0;
  for (const step of steps) {
    if (step.cause === 'work') {
      add(step.delay + step.work, {});
      continue;
    }
    const request = chain[asked]?.request;
    asked += 1;
    add(step.delay, request?.type === 'document' ? {} : threadOf(request));
    from += step.wait + step.receive;
  }
  return [...spans, { from, to: from + rest, ...threadOf(chain.at(-1)?.request) }];
}

function hasTwoClocks(sample: MainThreadSample): sample is TwoClocks {
  return sample.cpuTime !== undefined;
}

function between<S extends MainThreadSample>(samples: readonly S[], read: (sample: S) => Ms, at: Ms): Ms | undefined {
  let [beforeAt, before] = [0, 0];
  for (const sample of samples) {
    const [now, value] = [sample.at, read(sample)];
    if (now >= at) {
      const share = now > beforeAt ? (at - beforeAt) / (now - beforeAt) : 1;
      return before + (value - before) * share;
    }
    [beforeAt, before] = [now, value];
  }
  return undefined;
}
