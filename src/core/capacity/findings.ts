import type { CapacityFigures, CapacityFindingFacts, CapacityLevel, UslFit } from '../../model/capacity.ts';
import { defined } from '../text/defined.ts';
import type { CapacityContext } from './judge-context.ts';
import { driverLimitFrom, fallsAtEnd, highest, kneeLevel, usableLevels } from './knee.ts';
import { busyShare, DRIVER_MARKED } from './level.ts';
import { levelsToTry } from './limit.ts';
import { MAX_ERRORS } from './pass.ts';
import { FEWEST_LEVELS, throughputAt } from './usl.ts';

/** A 90th percentile that grows as connections do, within these bounds, is that of a queue. */
const QUEUE = [0.7, 1.4] as const;
/** A fit that explains less is not to be relied on. */
const POOR_FIT = 0.9;
/** Nor is one that is off by more, as a share: where throughput hardly differs there is little to explain. */
const MISFIT = 0.05;
/** Processors that are idle at the plateau by more than this are not the limit. */
const IDLE = 0.3;
/** Memory that has grown by more, with times that did so too. */
const MEMORY_GROWTH = 1.2;
/** Other programs that use more of the driver's machine disturb. */
const OTHERS = 0.25;
const STEAL = 0.05;
/** Connections that wait to be accepted: a server that accepts in time has hardly one. */
const ACCEPT_QUEUE = 2;

type Judged = Pick<CapacityFigures, 'levels' | 'limit' | 'limitFacts' | 'usl'>;

/** What is remarkable in the levels of one server, the weightiest first. */
export function findingsOf(judged: Judged, context: CapacityContext): readonly CapacityFindingFacts[] {
  const { levels, limit, limitFacts, usl } = judged;
  const usable = usableLevels(levels);
  const knee = kneeLevel(usable);
  const best = highest(usable);
  const last = usable.at(-1);
  const found: CapacityFindingFacts[] = [];
  const add = (
    code: CapacityFindingFacts['code'],
    level: CapacityFindingFacts['level'],
    facts: CapacityFindingFacts['facts'] = {},
  ) => found.push({ code, level, facts });

  const [first] = usable;
  if (limit === 'already-saturated' && first) {
    add('already-saturated', 'warning', {
      concurrency: first.concurrency,
      tryLevels: levelsToTry(context.cores, first.concurrency),
    });
  }
  const driverFrom = driverLimitFrom(levels);
  if (driverFrom !== undefined) add('driver-limit', 'warning', { concurrency: driverFrom });
  // A level that was over before the first time-out has no answers and no errors.
  const isSilent = ({ throughput, errors }: CapacityLevel) => throughput === 0 && errors === 0;
  const failing = levels.find((level) => level.errorShare > MAX_ERRORS || isSilent(level));
  if (failing) {
    const kinds = Object.entries(failing.errorKinds ?? {});
    const [kind = isSilent(failing) ? 'timeout' : ''] = kinds.toSorted(([, a], [, b]) => b - a)[0] ?? [];
    add(kind === 'timeout' ? 'timeouts' : 'errors', 'warning', {
      concurrency: failing.concurrency,
      share: isSilent(failing) ? 1 : failing.errorShare,
      kind,
    });
  }
  if (limit === 'configured' && limitFacts.concurrency !== undefined) {
    add('configured-limit', 'warning', { concurrency: limitFacts.concurrency });
  }
  if (limit !== 'cpu' && limitFacts.idle !== undefined && limitFacts.idle > IDLE && knee) {
    add('cpu-idle', 'note', { idle: limitFacts.idle, concurrency: knee.concurrency });
  }
  if (best && last && fallsAtEnd(usable)) {
    add('past-the-knee', 'warning', {
      concurrency: best.concurrency,
      throughput: best.throughput,
      last: last.concurrency,
      lastThroughput: last.throughput,
      ...defined({ rate: best.rate, lastRate: last.rate }),
    });
  }
  const queue = queueFacts(usable, limit === 'already-saturated' ? first : knee);
  if (queue) add('queue', 'note', queue);
  const growth = memoryGrowth(levels);
  if (growth) add('memory-growth', 'warning', growth);
  const drifting = levels.filter(({ unstable }) => unstable?.includes('drift'));
  if (drifting.length > 0) add('drift', 'warning', { levels: drifting.map(({ concurrency }) => concurrency) });
  const shaky = levels.filter(({ unstable }) =>
    unstable?.some((code) => code === 'littles-law' || code === 'wide-interval'),
  );
  if (shaky.length > 0) add('unstable-levels', 'note', { levels: shaky.map(({ concurrency }) => concurrency) });
  const marked = levels.filter(({ driver }) => driver !== undefined && busyShare(driver) > DRIVER_MARKED);
  if (driverFrom === undefined && marked[0]?.driver) {
    add('driver-busy', 'note', { concurrency: marked[0].concurrency, share: busyShare(marked[0].driver) });
  }
  const others = mostOf(levels, ({ driver }) => driver?.others);
  if (others > OTHERS) add('others-busy', 'warning', { share: others });
  const steal = mostOf(levels, ({ driver }) => driver?.steal);
  if (steal > STEAL) add('stolen-time', 'warning', { share: steal });
  const waiting = mostOf(levels, ({ server }) => server?.acceptQueue);
  if (waiting > ACCEPT_QUEUE) add('accept-queue', 'note', { connections: waiting });
  if (context.shared) add('shared-machine', 'note');
  if (context.watched && levels.length > 0 && levels.every(({ server }) => server === undefined))
    add('server-unknown', 'note');
  if (usable.length > 0 && usable.length < FEWEST_LEVELS && context.load === 'closed')
    add('few-levels', 'note', { levels: usable.length });
  if (usl && usl.r2 < POOR_FIT && misfit(usl, usable) > MISFIT) add('usl-poor', 'note', { r2: usl.r2 });
  if (context.load === 'open') add('open-load', 'note');
  return found;
}

/** The 90th percentile grows as the number of connections does, from the knee on. */
function queueFacts(usable: readonly CapacityLevel[], knee: CapacityLevel | undefined) {
  const last = usable.at(-1);
  if (knee?.p90 === undefined || last?.p90 === undefined || last.concurrency < 1.9 * knee.concurrency) return undefined;
  const growth = last.p90 / knee.p90 / (last.concurrency / knee.concurrency);
  if (growth < QUEUE[0] || growth > QUEUE[1]) return undefined;
  return { concurrency: knee.concurrency, p90: knee.p90, last: last.concurrency, lastP90: last.p90 };
}

/** How far a fit is off, as a share of throughput: root mean square. */
function misfit(usl: UslFit, usable: readonly CapacityLevel[]): number {
  const squares = usable.map(({ concurrency, throughput }) => (throughputAt(usl, concurrency) / throughput - 1) ** 2);
  return Math.sqrt(squares.reduce((sum, each) => sum + each, 0) / Math.max(1, squares.length));
}

/** The server's memory has grown, and it became slower at a level that was measured twice. */
function memoryGrowth(levels: readonly CapacityLevel[]) {
  const known = levels.flatMap(({ server }) => (server?.memory === undefined ? [] : [server]));
  const drifts = levels.some(({ unstable }) => unstable?.includes('drift'));
  const from = Math.min(
    ...known.map(({ memoryBefore = Number.POSITIVE_INFINITY, memory = Number.POSITIVE_INFINITY }) =>
      Math.min(memory, memoryBefore),
    ),
  );
  const to = Math.max(...known.map(({ memory = 0 }) => memory));
  if (known.length === 0 || !drifts || to < MEMORY_GROWTH * from) return undefined;
  return defined({ from, to });
}

function mostOf(levels: readonly CapacityLevel[], read: (level: CapacityLevel) => number | undefined): number {
  return Math.max(0, ...levels.map((level) => read(level) ?? 0));
}
