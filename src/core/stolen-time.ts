import type { MainThreadSample, Recording } from '../model/recording.ts';
import type { CriticalPathFacts } from '../model/run-facts.ts';
import type { Request } from '../model/timeline.ts';
import type { Ms } from '../model/units.ts';
import type { CriticalRequest } from './critical-path.ts';
import { overlapOf, type Stretch } from './overlap.ts';

/** What both clocks of the main thread had counted by a moment of the load, ms. */
export interface MainThreadTimes {
  /** In tasks, by the wall's clock. */
  readonly wall: Ms;
  /** In tasks, by the processor's clock: the rest of the wall's was stolen. */
  readonly cpu: Ms;
}

/** The machine took more than this share of a moment: runs on a quiet machine differ by less (`stable`, CONTRACT). */
const ROBBED = 0.05;

/** Did the machine take so much that a moment says something of it, and not of the page alone? */
export function wasRobbed(measured: Ms, undisturbed: Ms): boolean {
  return measured > (1 + ROBBED) * undisturbed;
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

/** Whose main thread is known. */
type Threads = Pick<Recording, 'mainThread' | 'frameThreads'>;

/**
 * The part of the stolen time up to `until` that made the page later: that from which a main thread was robbed while page
 * complete waited for it and for no request. Undefined where the page's own clocks do not tell.
 *
 * @param path as `mainThreadSpans` gives them
 */
export function stolenOnPath(
  path: readonly ThreadSpan[],
  { mainThread, frameThreads = [] }: Threads,
  until: Ms,
): Ms | undefined {
  const own = stolenFromThread(
    path.filter(({ frameId }) => frameId === undefined),
    mainThread,
    until,
  );
  if (own === undefined) return undefined;
  const fromFrames = frameThreads.map(({ frameId, samples }) => {
    const spans = path.filter((span) => span.frameId === frameId);
    return spans.length === 0 ? 0 : (stolenFromThread(spans, samples, until) ?? 0);
  });
  return Math.min(
    fromFrames.reduce((sum, stolen) => sum + stolen, own),
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
  let before: TwoClocks = { at: 0, taskTime: 0, cpuTime: 0 };
  let stolen = 0;
  for (const sample of samples.filter(hasTwoClocks)) {
    const tasks = sample.taskTime - before.taskTime;
    const robbed = Math.max(0, tasks - (sample.cpuTime - before.cpuTime));
    const length = (to: Ms): Ms => path.reduce((sum, span) => sum + overlapOf(span, { from: before.at, to }), 0);
    const onPath = length(Math.min(sample.at, until));
    // What of these tasks came after `until` made nothing of before it later.
    const whole = sample.at > before.at ? Math.min(1, (until - before.at) / (sample.at - before.at)) : 1;
    const counted = tasks * whole;
    if (counted > 0) stolen += robbed * whole * Math.min(1, onPath / counted);
    before = sample;
    if (sample.at >= until) break;
  }
  return stolen;
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
  for (const [i, { delay, wait, receive }] of steps.entries()) {
    const request = chain[i]?.request;
    spans.push({ from, to: from + delay, ...(request?.type !== 'document' && threadOf(request)) });
    from += delay + wait + receive;
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
