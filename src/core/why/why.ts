import type { Build, PerBuild } from '../../model/compare/build.ts';
import type { Changes, ComparedFigures, Decision, PlacedRun } from '../../model/compare/comparison.ts';
import type { RequestTiming, Why, WhyFacts, WhyPlace } from '../../model/compare/why.ts';
import type { ChangeOverLoads, CodeChangesFacts, FunctionChange } from '../../model/main-thread.ts';
import type { TargetResult } from '../../model/result/result.ts';
import type { Bytes, Ms } from '../../model/units.ts';
import type { Inventory } from '../changes/inventory.ts';
import { otherBuild } from '../changes/other-build.ts';
import { type Loads, PROVEN_LEVEL, provenChanges } from '../main-thread/proven.ts';
import { ANONYMOUS } from '../main-thread/samples.ts';
import { isWorthNaming, WORTH_NAMING_MS } from '../main-thread/worth-naming.ts';
import { figureOf } from '../metrics/figure.ts';
import { metrics } from '../metrics/index.ts';
import { median } from '../time/median.ts';
import { toMicroseconds } from '../time/time.ts';
import { type FileState, fileStates } from './changed-files.ts';
import { type BuildLoads, buildLoads, type SeenRequest } from './loads.ts';

/** What explains less of a change is no reason for it. */
const LEAST_SHARE = 0.1;
/** A kind of work is what changed when it has this share of the change. */
const MOSTLY = 0.5;

/** What a comparison knows when it is asked why. */
export interface WhyInput {
  readonly targets: PerBuild<TargetResult>;
  readonly runs: readonly PlacedRun[];
  readonly decision: Decision | 'invalid';
  readonly comparisons: readonly ComparedFigures[];
  /** What the loads that count asked for. */
  readonly inventories: PerBuild<readonly Inventory[]>;
  readonly changes: Pick<Changes, 'grown' | 'shrunk'>;
  readonly code?: CodeChangesFacts | undefined;
}

/** A reason in the direction of the slower build: all of it is above 0. */
interface Reason extends Omit<Why, 'ms' | 'low' | 'high' | 'takes'> {
  readonly own: Interval;
  /** Of the file that is to blame. */
  readonly state?: FileState;
  /** Reasons of the first group are shown first. */
  readonly group: 0 | 1 | 2;
}

interface Interval {
  readonly ms: Ms;
  readonly low: Ms;
  readonly high: Ms;
}

/** Both builds by which of them is slower. */
interface Sides {
  readonly slow: BuildLoads;
  readonly fast: BuildLoads;
  /** 1 where that is the candidate. */
  readonly sign: 1 | -1;
}

/**
 * Why one build is slower than the other: what is proven to take longer itself, by an interval over the loads. First code,
 * then requests that are new, larger or answered later, then those that are asked for later because what asks for them has
 * changed. What only follows from something else is no reason: a file that is the same in both builds is not blamed for
 * being asked for later. Nothing where neither build is slower.
 */
export function whyOf(input: WhyInput): WhyFacts {
  const change = changeOf(input);
  if (change === undefined) return {};
  const loads = buildLoads(input.targets, input.inventories);
  const slow: Build = change.ms > 0 ? 'candidate' : 'base';
  const sides: Sides = { slow: loads[slow], fast: loads[otherBuild(slow)], sign: change.ms > 0 ? 1 : -1 };
  const stateOf = fileStates(sides.slow, sides.fast);
  const path = pathOf(sides.slow, input, change.metric);
  const code = codeReasons(input, sides, stateOf);
  const requests = requestReasons(input, sides, path);
  const style = styleReasons(input, sides, stateOf, code);
  const proven = withoutFollowing([...code, ...style, ...requests]);
  const starts = startReasons(sides, path, stateOf, proven);
  return allocated([...proven, ...starts], change.ms, () => largestDifference(sides, path, stateOf));
}

// --- The change ---------------------------------------------------------------------------------------------------

interface Change {
  readonly metric: string;
  readonly ms: Ms;
}

/** What is to be explained: the moment that decides, page complete before others. */
function changeOf({ decision, comparisons }: WhyInput): Change | undefined {
  if (decision !== 'slower' && decision !== 'faster') return undefined;
  const moments = new Set(metrics.flatMap(({ name, isMoment }) => (isMoment ? [name as string] : [])));
  const changed = comparisons.filter(
    (each) => each.decision === decision && moments.has(each.metric) && (each.gate || each.metric === 'pageComplete'),
  );
  const { metric, difference } = changed.find((each) => each.metric === 'pageComplete') ?? changed[0] ?? {};
  return metric === undefined || difference === undefined ? undefined : { metric, ms: difference.absolute };
}

/**
 * What the moment waited for in the slower build: the chain of requests, or the image that was painted, and whatever asks
 * for these.
 */
function pathOf(slow: BuildLoads, { targets }: WhyInput, metric: string): ReadonlySet<string> {
  const ends =
    metric === 'largestContentfulPaint'
      ? [targets[slow.build].largestContentfulPaint?.url].flatMap((url) =>
          (url === undefined ? [] : [slow.nameOf(url) ?? []]).flat(),
        )
      : [...slow.waitedFor.keys()];
  const path = new Set<string>();
  const add = (name: string): void => {
    if (path.has(name)) return;
    path.add(name);
    const by = slow.requests.get(name)?.askedBy;
    const asker = by && slow.nameOf(by.url);
    if (asker !== undefined) add(asker);
  };
  for (const name of ends) add(name);
  return path;
}

// --- Code ---------------------------------------------------------------------------------------------------------

/** How much longer something takes in the slower build, where that is proven and matters. */
function longer(change: ChangeOverLoads | undefined, sign: 1 | -1): Interval | undefined {
  if (change === undefined || !isWorthNaming(change)) return undefined;
  const { difference = 0, low, high } = change;
  if (difference * sign <= 0 || low === undefined || high === undefined) return undefined;
  return sign > 0 ? { ms: difference, low, high } : { ms: -difference, low: -high, high: -low };
}

function codeReasons(
  { code }: WhyInput,
  { slow, fast, sign }: Sides,
  stateOf: (name: string) => FileState,
): readonly Reason[] {
  return (code?.byScript ?? []).flatMap(({ url, profiled, functions = [] }): readonly Reason[] => {
    const state = stateOf(slow.nameOf(url) ?? fast.nameOf(url) ?? '');
    const named = functions.flatMap((each) => {
      const own = longer(each, sign);
      return own ? [{ each, own }] : [];
    });
    // What it called is in the time of a function that stands for them.
    const whole = named.find(({ each }) => each.withCalled);
    const reasons = (whole ? [whole] : named).map(
      ({ each, own }): Reason => ({ code: 'function', url, place: placeOf(each), own, state, group: 0 }),
    );
    const own = longer(profiled, sign);
    return reasons.length > 0 || own === undefined ? reasons : [{ code: 'script', url, own, state, group: 0 }];
  });
}

function placeOf({ name, line, column, source }: FunctionChange): WhyPlace {
  return { name, line, column, source };
}

/** What the main thread was busy for longer, and no script was, where style and layout are most of it and a file has changed. */
function styleReasons(
  { code }: WhyInput,
  { slow, sign }: Sides,
  stateOf: (name: string) => FileState,
  scripts: readonly Reason[],
): readonly Reason[] {
  const busy = longer(code?.timed, sign);
  const row = code?.byCategory.find(({ category }) => category === 'styleLayout');
  if (busy === undefined || row === undefined) return [];
  const inScripts = scripts.reduce((sum, { own }) => sum + own.ms, 0);
  const own = less(busy, inScripts);
  if (own === undefined || (row.candidate - row.base) * sign < MOSTLY * busy.ms) return [];
  const changed = [...slow.requests.values()].filter(({ name }) => stateOf(name) === 'changed');
  const styles = changed.filter(({ item }) => item.type === 'stylesheet');
  const [only, ...more] = styles.length > 0 ? styles : changed.filter(({ item }) => item.type === 'document');
  if (only === undefined) return [];
  return [{ code: 'style-layout', ...(more.length === 0 && { url: only.item.url }), own, state: 'changed', group: 0 }];
}

/** What is left of an interval when something is taken off, where that is still proven and matters. */
function less({ ms, low, high }: Interval, by: Ms): Interval | undefined {
  return low - by > 0 && ms - by >= WORTH_NAMING_MS ? { ms: ms - by, low: low - by, high: high - by } : undefined;
}

// --- Requests -----------------------------------------------------------------------------------------------------

function requestReasons({ changes, runs }: WhyInput, sides: Sides, path: ReadonlySet<string>): readonly Reason[] {
  const { slow, fast, sign } = sides;
  const [larger, smaller] = sign > 0 ? [changes.grown, changes.shrunk] : [changes.shrunk, changes.grown];
  const grown = new Map(
    [...larger, ...smaller].map((each) => [
      each.name,
      sign * ((each.candidate?.transferSize ?? 0) - (each.base?.transferSize ?? 0)),
    ]),
  );
  const own = [...slow.requests.values()].filter(({ name }) => !fast.has(name));
  const isMoreTraffic = own.length > 0 || [...grown.values()].some((bytes) => bytes > 0);
  const code = sign > 0 ? 'new-request' : 'gone-request';
  const proof = createProof(sides);
  const candidates: { readonly reason: Omit<Reason, 'own'>; readonly loads: Loads }[] = [];
  const consider = (reason: Omit<Reason, 'own' | 'group' | 'state'>, loads: Loads): void => {
    candidates.push({ reason: { ...reason, group: 1, state: 'changed' }, loads });
  };
  for (const { name, item, transferSize } of own) {
    const waited = slow.waitedFor.get(name);
    if (path.has(name) && waited)
      consider({ code, url: item.url, bytes: transferSize }, proof.loads(insteadOf(item.type, sides, own), waited));
    else if (isBlocking(slow, name)) consider({ code, url: item.url, bytes: transferSize }, parsedLater(runs, sides));
  }
  for (const name of path) {
    const [is, was] = [slow.requests.get(name), fast.requests.get(name)];
    if (is === undefined || was === undefined) continue;
    const { url } = is.item;
    const bytes = grown.get(name) ?? 0;
    const took = ({ wait, receive }: RequestTiming): Ms => wait + receive;
    if (bytes > 0) consider({ code: 'size', url, bytes }, proof.ofBoth(was, is, took));
    // What else is loaded at the same time makes downloads longer, and no server slower.
    else consider({ code: 'server', url }, proof.ofBoth(was, is, isMoreTraffic ? ({ wait }) => wait : took));
  }
  const proven = provenChanges(
    candidates.map(({ loads }) => loads),
    PROVEN_LEVEL,
    0,
  );
  return candidates.flatMap(({ reason, loads }) => {
    const interval = longer(proven.get(loads), 1);
    return interval ? [{ ...reason, own: interval }] : [];
  });
}

/** Values of the faster build stand for the base, those of the slower one for the candidate. */
function createProof(sides: Sides) {
  const zeros = Array.from({ length: sides.fast.loads }, () => 0);
  return {
    loads: (fast: readonly Ms[] | undefined, slow: readonly Ms[]): Loads => ({ base: fast ?? zeros, candidate: slow }),
    ofBoth: (was: SeenRequest, is: SeenRequest, read: (timing: RequestTiming) => Ms): Loads => ({
      base: was.timings.map(read),
      candidate: is.timings.map(read),
    }),
  };
}

/** How long the faster build waited for what it has instead: for the one request of that type that the slower one has not. */
function insteadOf(type: string, { slow, fast }: Sides, own: readonly SeenRequest[]): readonly Ms[] | undefined {
  const gone = [...fast.requests.values()].filter(({ name, item }) => item.type === type && !slow.has(name));
  const [only, ...more] = gone;
  if (only === undefined || more.length > 0 || own.filter(({ item }) => item.type === type).length > 1)
    return undefined;
  return fast.waitedFor.get(only.name);
}

const isBlocking = (loads: BuildLoads, name: string): boolean =>
  loads.requests.get(name)?.timings.some(({ blocking }) => blocking) ?? false;

/** How much later documents were parsed to their end: what a file that blocks them can have done. */
function parsedLater(runs: readonly PlacedRun[], { slow, fast }: Sides): Loads {
  const of = (build: Build): readonly Ms[] =>
    runs
      .filter((run) => run.build === build)
      .flatMap(({ metrics: values }) => figureOf(values, 'domContentLoaded') ?? []);
  return { base: of(fast.build), candidate: of(slow.build) };
}

/** Code that is the same in both builds runs longer because of something else: where that is known, it is no reason. */
function withoutFollowing(reasons: readonly Reason[]): readonly Reason[] {
  const own = reasons.filter(({ state }) => state !== 'same');
  return own.length > 0 ? own : reasons;
}

// --- Requests that are asked for later ------------------------------------------------------------------------------

/** What is asked for later by something else than before, by something that has changed, or because of the only file that has; not where what is proven already explains it. */
function startReasons(
  sides: Sides,
  path: ReadonlySet<string>,
  stateOf: (name: string) => FileState,
  proven: readonly Reason[],
): readonly Reason[] {
  const { slow, fast } = sides;
  const candidates = [...path].flatMap((name) => {
    const [is, was] = [slow.requests.get(name), fast.requests.get(name)];
    const moved = is && was && movedBy(is, was, sides, stateOf);
    return moved ? [{ ...moved, at: median(is.timings.map(({ startedAt }) => startedAt)) }] : [];
  });
  const changes = provenChanges(
    candidates.flatMap(({ loads, since }) => [loads, ...(since ? [since] : [])]),
    PROVEN_LEVEL,
    0,
  );
  let explained = proven.reduce((sum, { own }) => sum + own.ms, 0);
  const found: Reason[] = [];
  for (const { reason, loads, since } of candidates.toSorted((a, b) => a.at - b.at)) {
    const interval = longer(changes.get(since ?? loads), 1);
    // An answer that came earlier makes the time since then longer, and nothing later.
    if (interval && (changes.get(loads)?.difference ?? 0) < MOSTLY * interval.ms) continue;
    const own = interval && less(interval, explained);
    if (own === undefined) continue;
    explained += own.ms;
    found.push({ ...reason, own, state: 'changed', group: 2 });
  }
  return found;
}

interface Moved {
  readonly reason: Omit<Reason, 'own' | 'group' | 'state'>;
  readonly loads: Loads;
  /** How long that is after something else, which proves it more precisely. */
  readonly since?: Loads | undefined;
}

/** Why a request that both builds have may be asked for later in the slower one; undefined where nothing of its own changed. */
function movedBy(
  is: SeenRequest,
  was: SeenRequest,
  sides: Sides,
  stateOf: (name: string) => FileState,
): Moved | undefined {
  const { slow, fast, sign } = sides;
  const [now, then] = [is.askedBy, was.askedBy];
  if (now === undefined || then === undefined) return undefined;
  const [by, before] = [slow.nameOf(now.url), fast.nameOf(then.url)];
  if (by === undefined || before === undefined) return undefined;
  const shown = sign > 0 ? now : then;
  const { line, column } = shown;
  const name = shown.name === ANONYMOUS ? undefined : shown.name;
  const place = shown.kind === 'script' && line !== undefined ? { line, column: column ?? 1, name } : undefined;
  const url = is.item.url;
  if (by !== before || now.kind !== then.kind) {
    const [candidate, base] = sign > 0 ? [now, then] : [then, now];
    const isNew = !(sign > 0 ? fast : slow).has(sign > 0 ? by : before);
    return {
      reason: {
        code: 'requester',
        url,
        by: candidate.url,
        before: base.url,
        ...(isNew && { newBy: true as const }),
        place,
      },
      loads: startsOf(was, is),
    };
  }
  const times = { loads: startsOf(was, is), since: sinceAnswer(was, is, sides) };
  if (stateOf(by) === 'changed') {
    // Where other code has changed as well, and had come, it may be what the requester waits for.
    if (changedCode(sides, stateOf).some((name) => name !== by && hadCome(name, is, was, sides))) return undefined;
    return { reason: { code: 'start', url, by: shown.url, place }, ...times };
  }
  const only = onlyChange(sides, stateOf);
  if (only) return { reason: { code: 'only-change', url: only.item.url, request: url }, ...times };
  const led = onlyLeading(is, was, sides, stateOf);
  return led && { reason: { code: 'only-change', url: led.item.url, request: url, led: true }, ...times };
}

/** Whatever the page is made of: while it is not known whether one of these differs, no other is the only one that does. */
const MADE_OF: ReadonlySet<string> = new Set(['script', 'other', 'stylesheet', 'document']);

/** The code that is the only file that differs between the builds: a worker's, whose messages timed loads do not trace. */
function onlyChange({ slow, fast }: Sides, stateOf: (name: string) => FileState): SeenRequest | undefined {
  const all = new Map([...fast.requests, ...slow.requests]);
  const states = [...all.values()].map((request) => ({ request, state: stateOf(request.name) }));
  const [changed, ...more] = states.filter(({ state }) => state === 'changed').map(({ request }) => request);
  const isOpen = states.some(({ request, state }) => state === 'unknown' && MADE_OF.has(request.item.type));
  return changed && more.length === 0 && !isOpen && CODE.has(changed.item.type) ? changed : undefined;
}

/**
 * The only changed code on the chain of causes of a request, in both builds, where no other that differs, or may, had come
 * before the request: code may call any other that is there.
 */
function onlyLeading(
  is: SeenRequest,
  was: SeenRequest,
  sides: Sides,
  stateOf: (name: string) => FileState,
): SeenRequest | undefined {
  const all = new Map([...sides.fast.requests, ...sides.slow.requests]);
  const mayDiffer = ({ name, item }: SeenRequest): boolean =>
    stateOf(name) === 'changed' || (stateOf(name) === 'unknown' && MADE_OF.has(item.type));
  const [only, ...more] = [...all.values()].filter((each) => mayDiffer(each) && hadCome(each.name, is, was, sides));
  if (only === undefined || more.length > 0 || !CODE.has(only.item.type) || stateOf(only.name) !== 'changed')
    return undefined;
  return [is, was].every(({ causes }) => causes?.includes(only.name)) ? only : undefined;
}

/** Whether something had come before a request, in any load of either build. */
function hadCome(name: string, is: SeenRequest, was: SeenRequest, { slow, fast }: Sides): boolean {
  const inBuild = (loads: BuildLoads, request: SeenRequest): boolean =>
    request.inLoads.some((timing, i) => {
      const endedAt = loads.requests.get(name)?.inLoads[i]?.endedAt;
      return timing !== undefined && endedAt !== undefined && endedAt <= timing.startedAt;
    });
  return inBuild(slow, is) || inBuild(fast, was);
}

const CODE: ReadonlySet<string> = new Set(['script', 'other']);

/** Scripts that differ, of workers too, and those that only one build has. */
function changedCode({ slow, fast }: Sides, stateOf: (name: string) => FileState): readonly string[] {
  return [slow, fast].flatMap(({ requests }) =>
    [...requests.values()].flatMap(({ name, item }) =>
      CODE.has(item.type) && stateOf(name) === 'changed' ? [name] : [],
    ),
  );
}

const startsOf = (was: SeenRequest, is: SeenRequest): Loads => ({
  base: was.timings.map(({ startedAt }) => startedAt),
  candidate: is.timings.map(({ startedAt }) => startedAt),
});

/** In so many loads of each build an answer has to come before a request, for the time between them to be compared. */
const MOST_LOADS = 0.9;

/**
 * How long after an answer that both builds have before it a request is sent: of all such answers the one after which that
 * varies least from load to load. What made the answer late is not in this time.
 */
function sinceAnswer(was: SeenRequest, is: SeenRequest, { slow, fast }: Sides): Loads | undefined {
  const since = (request: SeenRequest, answer: SeenRequest | undefined): readonly Ms[] =>
    request.inLoads.flatMap((timing, i) => {
      const ended = answer?.inLoads[i]?.endedAt;
      return timing === undefined || ended === undefined ? [] : [timing.startedAt - ended];
    });
  const isBefore = (all: readonly Ms[], request: SeenRequest): boolean =>
    all.filter((ms) => ms >= 0).length >= MOST_LOADS * request.timings.length;
  const possible = [...fast.requests.values()].flatMap((answer) => {
    const loads = { base: since(was, answer), candidate: since(is, slow.requests.get(answer.name)) };
    return isBefore(loads.base, was) && isBefore(loads.candidate, is) ? [loads] : [];
  });
  return possible.toSorted((a, b) => spreadOf(a) - spreadOf(b))[0];
}

/** How much the loads of one build differ, in the median, of both builds together. */
function spreadOf({ base, candidate }: Loads): Ms {
  const of = (all: readonly Ms[]): Ms => {
    const middle = median(all);
    return median(all.map((ms) => Math.abs(ms - middle)));
  };
  return of(base) + of(candidate);
}

// --- What is shown ---------------------------------------------------------------------------------------------------

/** Reasons in their order, each with what it explains of what those before it have left. */
function allocated(reasons: readonly Reason[], change: Ms, otherwise: () => readonly Why[]): WhyFacts {
  const sign = Math.sign(change);
  const total = Math.abs(change);
  const ordered = reasons.toSorted((a, b) => a.group - b.group || b.own.ms - a.own.ms);
  let left = total;
  const why: Why[] = [];
  for (const { own, state: _state, group: _group, ...reason } of ordered) {
    const ms = Math.min(own.ms, left);
    if (ms < Math.max(WORTH_NAMING_MS, LEAST_SHARE * total)) continue;
    const [low, high] = [Math.min(own.low, left), Math.min(own.high, left)];
    const signed = (value: Ms): Ms => toMicroseconds(sign * value);
    why.push({
      ...reason,
      ms: signed(ms),
      low: signed(sign > 0 ? low : high),
      high: signed(sign > 0 ? high : low),
      ...(own.ms > ms && { takes: signed(own.ms) }),
    });
    left -= ms;
  }
  return { why: why.length > 0 ? why : otherwise(), unexplained: toMicroseconds(sign * left) };
}

/** Where nothing is proven: the file that differs most, of those that the page waited for if there are any. */
function largestDifference(
  { slow, fast }: Sides,
  path: ReadonlySet<string>,
  stateOf: (name: string) => FileState,
): readonly Why[] {
  const names = new Set([...slow.requests.keys(), ...fast.requests.keys()]);
  const sizeOf = (name: string): Bytes => {
    const lengthIn = ({ requests }: BuildLoads): Bytes => {
      const { timings = [] } = requests.get(name) ?? {};
      return timings.length === 0 ? 0 : median(timings.map(({ contentSize }) => contentSize));
    };
    return Math.abs(lengthIn(slow) - lengthIn(fast));
  };
  const [most] = [...names]
    .filter((name) => stateOf(name) === 'changed')
    .toSorted((a, b) => Number(path.has(b)) - Number(path.has(a)) || sizeOf(b) - sizeOf(a));
  const [inSlow, inFast] = most === undefined ? [] : [slow.requests.get(most), fast.requests.get(most)];
  const item = (inSlow ?? inFast)?.item;
  if (item === undefined) return [];
  const only = inSlow && inFast ? undefined : inSlow ? slow.build : fast.build;
  return [{ code: 'unproven', url: item.url, only }];
}
