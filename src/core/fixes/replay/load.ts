import type { Mark, Request } from '../../../model/network/timeline.ts';
import type { Visit } from '../../../model/network/visit.ts';
import type { Ms } from '../../../model/units.ts';
import { type CauseLookup, causesIn } from '../../causes/lookup.ts';
import { type Foreground, foregroundOf } from '../../completion/foreground.ts';
import {
  createPredecessors,
  criticalRequestsOf,
  isDrawnInVain,
  isSameContext,
  type Link,
  lastNeeded,
} from '../../path/critical-path.ts';
import { isBlocking } from '../../rendering/blocking.ts';
import { answeredAt, type Initiators, initiatorsOf, timerOf } from '../../requests/initiators.ts';
import { lastUntil, sortedByTime } from '../../time/last-between.ts';

/**
 * How many of the answers that a script had asked for together are taken for awaited together. Source: more change nothing
 * in a replay, since the latest of them decide.
 */
const AWAITED_TOGETHER = 8;

/** One request that the page needed, with what had to come before it. */
export interface Step {
  readonly request: Request;
  /** When it could be sent: of one with a preflight or a redirect before it, when that was over. */
  readonly startedAt: Ms;
  readonly arrivedAt: Ms;
  /** When it had brought what was needed of it. */
  readonly broughtAt: Ms;
  readonly after: readonly After[];
}

/** Something that a step, or a moment of the load, had to wait for. */
export interface After {
  readonly step: Step;
  /** True when only the order of the document made it wait: a script or style sheet that blocks. */
  readonly isHeld: boolean;
  /**
   * From when on the next thing was possible: from its end, from a point of its download (0 to 1), or from its start and
   * some ms.
   */
  readonly from:
    | { readonly at: 'end' }
    | { readonly at: 'part'; readonly share: number }
    | { readonly at: 'start'; readonly plus: Ms };
}

/** When that was possible in the load itself. */
export function wasAt({ step, from }: After): Ms {
  switch (from.at) {
    case 'end':
      return step.broughtAt;
    case 'part':
      return step.arrivedAt + from.share * (step.broughtAt - step.arrivedAt);
    case 'start':
      return step.startedAt + from.plus;
  }
}

/** A moment that page complete waits for: the last answer and what came after it, a paint, the load event. */
export interface Moment {
  readonly at: Ms;
  readonly after: readonly After[];
}

/** A load as what waited for what: what a replay needs. */
export interface Load {
  readonly completeAt: Ms;
  /** What an emulated network lets through, bytes a millisecond; absent where the network was the machine's own. */
  readonly rate?: number;
  /** What an emulated network adds to each answer, ms. */
  readonly latency: Ms;
  /** All that the page needed, each behind everything that it waited for. */
  readonly steps: readonly Step[];
  /** The critical path, in order of time. */
  readonly critical: readonly Step[];
  readonly moments: readonly Moment[];
  /** The page's own document. */
  readonly document: Step;
  readonly initiators: Initiators;
  readonly causeOf: CauseLookup;
  readonly marks: readonly Mark[];
  readonly visit: Visit;
}

/** What waited for what in a load; undefined when page complete, or the document, is not known. */
export function loadOf(visit: Visit): Load | undefined {
  const { timeline, verdicts, complete, recording } = visit;
  if (complete.state !== 'complete') return undefined;
  const { at } = complete;
  const spans = foregroundOf(timeline, verdicts);
  const ended = spans.filter(({ to }) => to <= at).toSorted((a, b) => a.to - b.to);
  const initiators = initiatorsOf(timeline);
  const causeOf = causesIn(visit);
  const before = createPredecessors(timeline, spans, recording.page?.longTasks ?? [], causeOf);
  const steps = stepsOf(ended, initiators, (request) => before(request, new Set([request])));
  const stepOf = new Map(steps.map((step) => [step.request, step]));
  const document = steps.findLast(({ request }) => request.mainDocument);
  if (document === undefined) return undefined;
  const blockers = steps.filter(({ request }) => isBlocking(request, initiators));
  const critical = criticalRequestsOf(visit).flatMap(({ request }) => stepOf.get(request) ?? []);
  const last = lastNeeded(spans, timeline, complete);
  const end = last && stepOf.get(last);
  const marks = timeline.marks.filter((mark) => mark.at <= at);
  const ends: readonly Moment[] = end === undefined ? [] : [momentOf(at, end, at > complete.networkAt ? blockers : [])];
  return {
    completeAt: at,
    ...rateOf(recording.navigation),
    latency: recording.navigation.network?.latency ?? 0,
    steps,
    critical,
    document,
    initiators,
    causeOf,
    marks,
    visit,
    moments: [...ends, ...paints(marks, steps, blockers)],
  };
}

/** Kilobits a second are bits a millisecond. */
function rateOf({ network }: Visit['recording']['navigation']): Pick<Load, 'rate'> {
  return network?.download === undefined ? {} : { rate: network.download / 8 };
}

const FLOORS: ReadonlySet<Mark['name']> = new Set(['largest-contentful-paint', 'load', 'dom-content-loaded']);

/** The moments before page complete that it cannot come before, each with the last answer before it. */
function paints(marks: readonly Mark[], steps: readonly Step[], blockers: readonly Step[]): readonly Moment[] {
  const byEnd = steps.filter(({ request }) => !isDrawnInVain(request)).toSorted((a, b) => a.broughtAt - b.broughtAt);
  const last = new Map(marks.filter(({ name }) => FLOORS.has(name)).map((mark) => [mark.name, mark]));
  return [...last.values()].flatMap(({ at, url }) => {
    const picture =
      url === undefined
        ? undefined
        : byEnd.findLast(({ request, broughtAt }) => request.url === url && broughtAt <= at);
    const anchor = picture ?? byEnd.findLast(({ broughtAt }) => broughtAt <= at);
    return anchor === undefined ? [] : [momentOf(at, anchor, blockers)];
  });
}

function momentOf(at: Ms, end: Step, blockers: readonly Step[]): Moment {
  const held = blockers.filter((step) => step !== end && step.broughtAt <= at);
  return { at, after: [afterEnd(end, isBlockingEnd(end, blockers)), ...held.map((step) => afterEnd(step, true))] };
}

const isBlockingEnd = (end: Step, blockers: readonly Step[]): boolean => blockers.includes(end);

const afterEnd = (step: Step, isHeld = false): After => ({ step, isHeld, from: { at: 'end' } });

function stepsOf(
  ended: readonly Foreground[],
  initiators: Initiators,
  linkOf: (request: Request) => Link | undefined,
): readonly Step[] {
  const spanOf = new Map(ended.map((span) => [span.request, span]));
  const askedTogether = Map.groupBy(
    sortedByTime(ended, ({ to }) => to),
    ({ what: { request } }) => initiators(request)?.request,
  );
  const blockers = ended.filter(({ request }) => isBlocking(request, initiators));
  const made = new Map<Request, Step>();
  // What waits comes behind what it waits for.
  const links = new Map(ended.map(({ request }) => [request, linkOf(request)]));
  const startOf = (request: Request): Ms => {
    const link = links.get(request);
    const over = link?.afterEnd ? spanOf.get(link.request)?.to : undefined;
    return Math.max(request.startedAt, over ?? request.startedAt);
  };
  const ordered = ended.toSorted((a, b) => startOf(a.request) - startOf(b.request) || a.to - b.to);
  for (const { request, to } of ordered) {
    const startedAt = Math.min(startOf(request), to);
    const link = links.get(request);
    const after: After[] = [];
    const add = (other: Request | undefined, isHeld: boolean, isLink: boolean): void => {
      const step = other && made.get(other);
      if (step === undefined || after.some((each) => each.step === step)) return;
      after.push({ step, isHeld, from: fromOf(step, startedAt, isLink) });
    };
    const isHeldBy =
      link?.reason.code !== 'navigation' &&
      link !== undefined &&
      isAwaited(link) &&
      isBlocking(link.request, initiators);
    // What only came before it did not lead there: sooner, it would change nothing.
    add(link?.reason.code === 'after' ? undefined : link?.request, isHeldBy, true);
    const asker = initiators(request)?.request;
    add(asker, false, false);
    if (request.initiator?.type === 'script' && timerOf(request.initiator) === undefined && asker !== undefined) {
      for (const blocker of blockers) {
        if (blocker.to <= startedAt && isSameContext(blocker.request, request) && isEarlier(blocker.request, asker)) {
          add(blocker.request, true, false);
        }
      }
    }
    if (link !== undefined && isAwaited(link)) {
      const together = askedTogether.get(initiators(link.request)?.request) ?? [];
      // It may be one of them itself.
      const come = lastUntil(together, startedAt, AWAITED_TOGETHER + 1).filter((each) => each.request !== request);
      for (const each of come.slice(-AWAITED_TOGETHER)) {
        add(each.request, isBlocking(each.request, initiators), false);
      }
    }
    const arrivedAt = Math.min(Math.max(answeredAt(request), startedAt), to);
    made.set(request, { request, startedAt, arrivedAt, broughtAt: to, after });
  }
  return [...made.values()];
}

const isAwaited = ({ reason }: Link): boolean => reason.awaited !== undefined;

/** Whether a file of the document stands before the script that asks. A script in the document stands anywhere. */
function isEarlier({ initiator, startedAt }: Request, asker: Request): boolean {
  if (asker.type === 'document') return true;
  const line = asker.initiator?.line;
  if (line !== undefined && initiator?.line !== undefined) return initiator.line < line;
  return startedAt < asker.startedAt;
}

/** From which part of an earlier request on the next one was possible, which started at `at`. */
function fromOf(step: Step, at: Ms, isLink: boolean): After['from'] {
  if (at >= step.broughtAt) return { at: 'end' };
  if (at < step.arrivedAt) return { at: 'start', plus: at - step.startedAt };
  const length = step.broughtAt - step.arrivedAt;
  // Of the file with the script that asks, no more is known than that its beginning had come.
  return { at: 'part', share: isLink && length > 0 ? (at - step.arrivedAt) / length : 0 };
}
