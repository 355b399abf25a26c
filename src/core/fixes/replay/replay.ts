import type { Bytes, Ms } from '../../../model/units.ts';
import { timerOf } from '../../requests/initiators.ts';
import { overlapOf, type Stretch } from '../../time/overlap.ts';
import { toMicroseconds } from '../../time/time.ts';
import { type After, type Load, type Step, wasAt } from './load.ts';

/** What would be different about the requests of a load. */
export interface Change {
  /** How much sooner the first byte of a step comes, and how much shorter its download is, ms. */
  readonly shorter?: ReadonlyMap<Step, { readonly head: Ms; readonly receive: Ms }>;
  /** Steps that take no time: they are not made. What waited for one, waits for what it waited for. */
  readonly without?: ReadonlySet<Step>;
  /** Steps that are not made because another one brings the same; it must have come. */
  readonly sameAs?: ReadonlyMap<Step, Step>;
  /** Steps that are requested when the first byte of the document has come; `costs`: ms for a connection of their own. */
  readonly preloaded?: ReadonlyMap<Step, { readonly costs: Ms }>;
  /** Steps that block nothing any more. */
  readonly freed?: ReadonlySet<Step>;
  /** Work of the main thread that is not done before page complete. The stretches do not overlap. */
  readonly idle?: readonly Stretch[];
}

/** A step in a replay. */
interface Replayed {
  readonly startedAt: Ms;
  readonly arrivedAt: Ms;
  readonly broughtAt: Ms;
  /** When it could be used: a file that came too soon waits until it is asked for. */
  readonly readyAt: Ms;
}

/**
 * When the page would have been complete with a change, ms. What a step waited for comes sooner, so it starts sooner; the
 * time between (scripts, timers, parsing) stays, but for work that is taken away. A step with several things before it waits for the last of them, and page
 * complete for the last of all: a saving ends where another chain decides, and where an emulated network is never idle.
 * Apart from that, bandwidth and processor are not shared anew.
 */
export function replay(load: Load, change: Change): Ms {
  const done = new Map<Step, Replayed>();
  for (const step of load.steps) done.set(step, replayStep(step, change, done, load));
  const answers = [...done.values()].map(({ broughtAt }) => broughtAt);
  const moments = load.moments.map(({ at, after }) => possibleAt(at, after, change, done));
  return [...answers, ...moments, allThroughAt(load, change, done)].reduce((latest, at) => Math.max(latest, at), 0);
}

/** When all bytes are through an emulated network that is busy from the document's first byte on, ms; 0 where there is none. */
function allThroughAt(load: Load, change: Change, done: ReadonlyMap<Step, Replayed>): Ms {
  const { rate, steps, document, completeAt } = load;
  if (rate === undefined) return 0;
  const bytes = steps.reduce((sum, step) => sum + bytesOf(step, change), 0);
  // A network may let more through than it was to: no page was complete later than it was.
  return Math.min(completeAt, (done.get(document)?.arrivedAt ?? 0) + bytes / rate);
}

/** What a step has to bring in a replay: a download that takes half as long is half as large. */
function bytesOf(step: Step, { shorter, without, sameAs }: Change): Bytes {
  const { response, transferSize, bodySize } = step.request;
  if (without?.has(step) || sameAs?.has(step) || response?.fromCache !== undefined) return 0;
  const took = step.broughtAt - step.arrivedAt;
  const less = took > 0 ? Math.min(1, (shorter?.get(step)?.receive ?? 0) / took) : 0;
  return (transferSize ?? bodySize ?? 0) * (1 - less);
}

/** How much sooner the page would have been complete with a change, ms, never less than 0. */
export function savingOf(load: Load, change: Change): Ms {
  return toMicroseconds(Math.max(0, load.completeAt - replay(load, change)));
}

function replayStep(step: Step, change: Change, done: ReadonlyMap<Step, Replayed>, load: Load): Replayed {
  // What a timer starts comes when its time is over, whatever ran meanwhile.
  const { idle, ...others } = change;
  const isTimed = idle !== undefined && timerOf(step.request.initiator) !== undefined;
  const possible = possibleAt(step.startedAt, step.after, isTimed ? others : change, done);
  const same = change.sameAs?.get(step);
  if (change.without?.has(step) || same !== undefined) {
    const at = Math.max(possible, (same && done.get(same)?.broughtAt) ?? possible);
    return { startedAt: at, arrivedAt: at, broughtAt: at, readyAt: at };
  }
  const preloaded = change.preloaded?.get(step);
  const asked = done.get(load.document)?.arrivedAt;
  const startedAt =
    preloaded === undefined || asked === undefined ? possible : Math.min(possible, asked + preloaded.costs);
  const { head = 0, receive = 0 } = change.shorter?.get(step) ?? {};
  const arrivedAt = startedAt + Math.max(0, step.arrivedAt - step.startedAt - head);
  const broughtAt = arrivedAt + Math.max(0, step.broughtAt - step.arrivedAt - receive);
  return { startedAt, arrivedAt, broughtAt, readyAt: Math.max(broughtAt, possible) };
}

/** When something that was at `at` is possible in a replay: as long after the last thing that it waits for as it was. */
function possibleAt(at: Ms, after: readonly After[], change: Change, done: ReadonlyMap<Step, Replayed>): Ms {
  const was = latest(after.map((each) => wasAt(each)));
  const still = after.filter(({ step, isHeld }) => !(isHeld && change.freed?.has(step)));
  const now = latest(still.map((each) => isAt(each, done.get(each.step))));
  if (was === undefined || now === undefined) return at;
  const idle = (change.idle ?? []).reduce((sum, each) => sum + overlapOf(each, { from: was, to: at }), 0);
  // A change makes nothing later.
  return Math.min(at, now + at - was - idle);
}

function isAt({ step, from }: After, replayed: Replayed | undefined): Ms {
  if (replayed === undefined) return wasAt({ step, from, isHeld: false });
  switch (from.at) {
    case 'end':
      return replayed.readyAt;
    case 'part':
      return replayed.arrivedAt + from.share * (replayed.broughtAt - replayed.arrivedAt);
    case 'start':
      return replayed.startedAt + from.plus;
  }
}

const latest = (times: readonly Ms[]): Ms | undefined =>
  times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b));
