import type { EndpointRule, Policy, Verdict } from '../../model/background/verdict.ts';
import type { Request, Timeline } from '../../model/network/timeline.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { Ms } from '../../model/units.ts';
import { ruleFrom } from '../background/content/consensus.ts';
import type { Held } from '../background/content/evidence-rules.ts';
import { answersOf, type Source } from '../background/content/source.ts';
import { endpointOf } from '../background/endpoint.ts';
import { originOf } from '../requests/origin.ts';
import { siteOf } from '../requests/site.ts';
import { AT_ONCE_MS, FEW_BYTES, GOES_ON_WITHIN_MS, NOTICEABLE_MS } from '../time/lags.ts';
import { endOf } from '../timeline/inflight.ts';
import type { Impact } from '../visual/impact.ts';
import { FINISHED, judgeWith } from './complete.ts';

/** Types of which a page can be the same without one: what scripts ask for, and what frames load. */
const ASKED_BY_SCRIPT: ReadonlySet<string> = new Set(['xhr', 'fetch', 'image']);
/** What markup names is part of the page, whether it is seen or not. */
const NAMED_BY_MARKUP: ReadonlySet<string> = new Set(['parser', 'preload']);
/** More endpoints than this are not held back together: what is left out counts. */
const MAX_TRIALS = 40;

/**
 * Content without which the page might be the same: endpoints that were asked for last, so that the answer is another one
 * without them. In order of their end, the latest first. What leads only to such requests is one. Scripts, styles and fonts of the page itself never are, but for modules
 * that are fetched ahead.
 */
export function trialsOf(visit: Visit, policy: Policy): readonly Source[] {
  const { timeline, verdicts, overruled } = visit;
  const main = timeline.requests.find(
    ({ mainDocument, fromPreviousDocument }) => mainDocument && !fromPreviousDocument,
  );
  const pageUrl = pageUrlOf(visit);
  const isPossible = (request: Request): boolean =>
    !verdicts.has(request.id) &&
    !overruled.has(request.id) &&
    !request.fromPreviousDocument &&
    !request.mainDocument &&
    request.endedAt !== undefined &&
    (isOfFrame(request, main) ||
      isAskedByScript(request) ||
      isModulePreload(request) ||
      isForeignScript(request, pageUrl));
  const possible = timeline.requests.filter(isPossible);
  // What streams bring is in question as well.
  const background = [...verdicts].map(([id, { counts: _counts, ...verdict }]) => [id, verdict] as const);
  const supposed = new Map([
    ...background,
    ...withPreflights(possible, timeline).map(({ id }) => [id, suppose(id)] as const),
  ]);
  const without = judgeWith(supposed, timeline, policy, FINISHED);
  if (without.state !== 'complete' || visit.complete.state !== 'complete') return [];
  const late = possible.filter((request) => endOf(request) > without.networkAt);
  const inQuestion = withLeading(late, possible, visit);
  const keys = new Set(inQuestion.map((request) => endpointOf(request).key));
  const asked = timeline.requests.filter((each) => !each.fromPreviousDocument && keys.has(endpointOf(each).key));
  const groups = Map.groupBy(asked, (request) => endpointOf(request).key);
  const suspects = [...groups.values()].flatMap((requests): readonly Source[] => {
    const [first] = requests;
    if (!first || !requests.every(isPossible)) return [];
    const endpoint = endpointOf(first);
    const arrivals = answersOf(requests, timeline);
    const reason = { code: 'supposed' } as const;
    const kind = requests.every(isModulePreload) ? 'speculative' : 'no-effect';
    return [{ key: endpoint.key, endpoint, fixed: {}, kind, reason, requests, arrivals }];
  });
  return suspects.toSorted((a, b) => lastEnd(b) - lastEnd(a)).slice(0, MAX_TRIALS);
}

/** The requests with the questions whether they may be asked: nobody asks these for their own sake. */
function withPreflights(requests: readonly Request[], timeline: Timeline): readonly Request[] {
  const ids = new Set<string | undefined>(requests.map(({ id }) => id));
  const isOwn = ({ type, initiator }: Request): boolean => type === 'preflight' && ids.has(initiator?.requestId);
  return [...requests, ...timeline.requests.filter(isOwn)];
}

/**
 * The requests with those that lead only to them, or to background traffic: as soon as one was answered, some of these were
 * asked for, and nothing else.
 */
function withLeading(
  late: readonly Request[],
  possible: readonly Request[],
  { timeline: { requests }, verdicts }: Pick<Visit, 'timeline' | 'verdicts'>,
): readonly Request[] {
  const found = new Set(late);
  const mayGo = (each: Request): boolean => {
    const verdict = verdicts.get(each.id);
    return found.has(each) || (verdict !== undefined && verdict.counts === undefined);
  };
  for (const request of possible.toSorted((a, b) => endOf(b) - endOf(a))) {
    const next = requests.filter((other) => other !== request && isAskedNext(other, [endOf(request)]));
    if (next.length > 0 && next.every(mayGo)) found.add(request);
  }
  return possible.filter((request) => found.has(request));
}

/** What counts without a proof: nobody loaded the page without it. */
export interface Unproved {
  readonly requests: readonly Request[];
  /** When the page would be complete if nothing of it mattered, ms. */
  readonly withoutAt: Ms;
}

/**
 * Does it look like a report, by its small answer to what the page sends, or to what it asks of others? Where nothing can be
 * tried, all else is taken for what it looks like.
 */
function looksLikeReport({ method, url, contentSize }: Request, pageUrl: string): boolean {
  return contentSize <= FEW_BYTES && (method !== 'GET' || originOf(url) !== originOf(pageUrl));
}

function isAskedNext({ startedAt }: Request, ends: readonly Ms[]): boolean {
  return ends.some((end) => startedAt >= end && startedAt - end <= AT_ONCE_MS);
}

function pageUrlOf({ timeline }: Pick<Visit, 'timeline'>): string {
  return timeline.requests.find(({ mainDocument }) => mainDocument)?.url ?? '';
}

/** Content on which the answer of a recording depends, and which may have no effect; undefined where that was tried, or there is none. */
export function unprovedOf(visit: Visit, policy: Policy): Unproved | undefined {
  const { complete, timeline, verdicts } = visit;
  if (complete.state !== 'complete' || policy.completeOn !== undefined || (policy.learnt ?? []).length > 0)
    return undefined;
  const pageUrl = pageUrlOf(visit);
  const requests = trialsOf(visit, policy)
    .flatMap((suspect) => suspect.requests)
    .filter((request) => looksLikeReport(request, pageUrl));
  const free = withPreflights(requests, timeline).map(({ id }) => [id, suppose(id)] as const);
  const without = judgeWith(new Map([...verdicts, ...free]), timeline, policy, FINISHED);
  if (without.state !== 'complete' || complete.at - without.at < NOTICEABLE_MS) return undefined;
  // What came after page complete does not count, either way.
  const decisive = requests.filter((request) => endOf(request) > without.networkAt && endOf(request) <= complete.at);
  return decisive.length === 0 ? undefined : { requests: decisive, withoutAt: without.at };
}

/**
 * Those of the trials that neither the film nor the document shows to matter, from the latest to the first that does: what
 * came before that is not what the answer hangs on.
 *
 * @param pictures addresses of the pictures that the document shows: without them it is another one
 */
export function unseenTrials(
  trials: readonly Source[],
  impacts: ReadonlyMap<string, Impact>,
  visit: Pick<Visit, 'timeline' | 'verdicts'>,
  pictures: readonly string[] = [],
): readonly Source[] {
  const shown = new Set(pictures);
  const impactOf = ({ key, arrivals }: Source): Impact['impact'] | undefined =>
    arrivals.length === 0 ? 'none' : impacts.get(key)?.impact;
  const isShown = ({ requests }: Source): boolean => requests.some(({ url }) => shown.has(url));
  const matters = (trial: Source): boolean =>
    isShown(trial) || (impactOf(trial) !== 'none' && impactOf(trial) !== 'unknown');
  const found = trials.findIndex(matters);
  const last = found < 0 ? trials.length : found;
  const needed = trials[last];
  const from = needed === undefined ? Number.NEGATIVE_INFINITY : lastEnd(needed);
  const later = trials
    .slice(0, last)
    .filter((trial) => impactOf(trial) === 'none' || lastEnd(trial) - from >= GOES_ON_WITHIN_MS);
  const unseen = trials.slice(last).filter((trial) => !isShown(trial) && impactOf(trial) === 'none');
  return withLeadingTrials(later, unseen, visit);
}

/** The trials with those that lead only to them. */
function withLeadingTrials(
  tried: readonly Source[],
  trials: readonly Source[],
  visit: Pick<Visit, 'timeline' | 'verdicts'>,
): readonly Source[] {
  const requestsOf = (suspects: readonly Source[]): readonly Request[] => suspects.flatMap(({ requests }) => requests);
  const all = new Set(withLeading(requestsOf(tried), requestsOf([...tried, ...trials]), visit));
  return [
    ...tried,
    ...trials.filter((trial) => !tried.includes(trial) && trial.requests.every((each) => all.has(each))),
  ];
}

/** What a load without them teaches of trials: the page was the same. In another load the answer may depend on any of them. */
export function rulesWithoutEffect(held: readonly Held[]): readonly EndpointRule[] {
  return held.map(({ suspect }) =>
    ruleFrom({ ...suspect, reason: { code: 'same-without-it' }, confidence: 'certain' }, { impact: 'none' }),
  );
}

function suppose(requestId: string): Verdict {
  return { requestId, kind: 'no-effect', reason: { code: 'supposed' }, confidence: 'possible' };
}

function isAskedByScript({ type, initiator }: Request): boolean {
  return ASKED_BY_SCRIPT.has(type) && !NAMED_BY_MARKUP.has(initiator?.type ?? '');
}

/**
 * A module that a link element fetched ahead, which a script put there. Whether it is ever run no message says.
 * Source: seen in Chromium; a module that is imported names its importer.
 */
function isModulePreload({ type, initiator }: Request): boolean {
  return type === 'script' && initiator?.url === 'about:client';
}

/** A script of another site that a script put into the page: a tag, a widget. What it does is not the page's own work. */
function isForeignScript({ type, initiator, url }: Request, pageUrl: string): boolean {
  return type === 'script' && initiator?.type === 'script' && siteOf(url) !== siteOf(pageUrl);
}

/** What belongs to a frame is no part of the page itself: held back, the frame is empty. */
function isOfFrame({ frameId, type }: Request, main: Request | undefined): boolean {
  return frameId !== undefined && main?.frameId !== undefined && frameId !== main.frameId && type !== 'websocket';
}

const lastEnd = ({ requests }: Source): Ms => Math.max(...requests.map(endOf));
