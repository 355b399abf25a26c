import type { Policy } from '../../model/background/verdict.ts';
import type { Request } from '../../model/network/timeline.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { FindingFact, MissingEvidence } from '../../model/result/finding.ts';
import type { Ms } from '../../model/units.ts';
import { endpointOf } from '../background/endpoint.ts';
import { asIfEnded } from '../completion/estimate.ts';
import { likelyPending } from '../completion/likely-pending.ts';
import { unprovedOf } from '../completion/no-effect.ts';
import { isQuestion } from '../completion/waiting-for.ts';
import { endOf } from '../timeline/inflight.ts';
import type { HarRecording } from './har.ts';
import { leavesOutOpen, producerOf } from './har-producers.ts';

/** What came for this long after the headers may be a stream, ms. Source: the http-stream row of docs/internals/judgement.md. */
const LONG_ARRIVAL_MS = 2_000;

/**
 * What the file does not hold and the answer would have needed, one finding each: why a page is not confirmed, and what
 * to do about it. Empty when nothing is missing.
 */
export function gapsOf(read: HarRecording, visit: Visit, policy: Policy): readonly FindingFact[] {
  const complete = visit.complete.state === 'complete';
  const notTheLoad = [
    ...(read.missingLoad === undefined ? [] : [missing(read.missingLoad)]),
    ...(read.impossible === 0 ? [] : [missing({ missing: 'figures', impossible: read.impossible })]),
  ];
  if (notTheLoad.length > 0) return [...notTheLoad, ...entriesLeftOut(read)];
  return [
    ...entriesLeftOut(read),
    ...noLoadHolder(read, visit, policy),
    ...(complete
      ? []
      : [...openLeftOut(read, visit, policy), ...noWaits(read), ...noLoadEvent(read, visit), ...noEnds(read, visit)]),
    ...(complete ? [] : earlyEnd(read, visit, policy)),
    ...noCadence(read, visit),
    ...noProof(asIfEnded(visit, policy), policy),
    ...nextLoad(read),
  ];
}

function missing(facts: MissingEvidence, urls: readonly string[] = []): FindingFact {
  return { code: 'evidence-missing', urls, facts };
}

function entriesLeftOut({ leftOut }: HarRecording): readonly FindingFact[] {
  if (leftOut === 0) return [];
  return [{ code: 'entries-left-out', urls: [], facts: { entries: leftOut } }];
}

function earlyEnd(read: HarRecording, visit: Visit, policy: Policy): readonly FindingFact[] {
  const { complete, timeline } = visit;
  if (complete.state !== 'unconfirmed') return [];
  const end = timeline.observedUntil;
  // However long is recorded, the request that is open at the end is left out.
  const leftOut = new Set(seriesLeftOut(read, visit, policy).map(({ last }) => endpointOf(last).label));
  const questions = complete.waitingFor
    .filter(isQuestion)
    .filter((each) => each.code === 'comes-back' || !leftOut.has(each.endpoint));
  const found: FindingFact[] = [];
  if (complete.waitingFor.some(({ code }) => code === 'quiet-window') && complete.at !== undefined) {
    const silence = Math.max(0, end - complete.at);
    // Below a hundredth of a second nothing was seen of a silence.
    const known = silence < 10 && !read.exact ? {} : { silence };
    found.push(missing({ missing: 'silence', ...known, quietWindow: policy.quietWindow }));
  }
  if (questions.length > 0) found.push(missing({ missing: 'answers', endsAt: end, questions }));
  return found;
}

/** A load event that fired in a silence of the network that would prove the page complete. */
function noLoadHolder({ exact }: HarRecording, { timeline }: Visit, { quietWindow }: Policy): readonly FindingFact[] {
  const firedAt = timeline.marks.findLast(({ name }) => name === 'load')?.at;
  if (exact || firedAt === undefined) return [];
  const before = timeline.requests.filter(({ startedAt }) => startedAt < firedAt);
  const lastEndedAt = before.reduce((last, request) => Math.max(last, endOf(request)), 0);
  if (before.length === 0 || firedAt - lastEndedAt < quietWindow) return [];
  return [missing({ missing: 'load-holder', firedAt, lastEndedAt })];
}

/** Requests that seem to end as soon as they start. */
function noWaits({ unwaited }: HarRecording): readonly FindingFact[] {
  return unwaited === 0 ? [] : [missing({ missing: 'waits', requests: unwaited })];
}

function noLoadEvent(read: HarRecording, { timeline }: Visit): readonly FindingFact[] {
  // A step that opens no document has none.
  if (timeline.marks.some((mark) => mark.name === 'load' || mark.name === 'step-start')) return [];
  const { pageId, events, unwaited } = read;
  // That one is told already, with the same advice.
  if (unwaited > 0) return [];
  const requests = events.filter((event) => event.kind === 'request').length;
  const producer = producerOf({ creator: read.creator, version: read.creatorVersion });
  return [missing({ missing: 'load-event', producer, ...(pageId === '' && { requests }) })];
}

/** Only what is waited for: an event stream without an end is as it should be. */
function noEnds({ endless }: HarRecording, { timeline, verdicts }: Visit): readonly FindingFact[] {
  const unknown = new Set(endless);
  const waited = timeline.requests.filter(
    ({ id, url, endedAt }) => endedAt === undefined && unknown.has(url) && !verdicts.has(id),
  );
  if (waited.length === 0) return [];
  const urls = waited.map(({ url }) => url);
  return [missing({ missing: 'ends', urls }, [...new Set(urls)])];
}

/** What was answered and asked again at once, time after time, was probably open when the file was written. */
function openLeftOut(read: HarRecording, visit: Visit, policy: Policy): readonly FindingFact[] {
  const { timeline, verdicts, complete } = visit;
  const tool = leavesOutOpen(read.creator);
  if (tool === undefined) return [];
  const series = seriesLeftOut(read, visit, policy);
  const decider = withheldAt('at' in complete ? complete.at : undefined, timeline.requests, verdicts);
  const once = decider && !series.some(({ last }) => last === decider.last) ? [decider] : [];
  return [...series, ...once].map(({ last, lastEndedAt, requests }) =>
    missing({ missing: 'open-requests', tool, endpoint: endpointOf(last).label, requests, lastEndedAt }, [last.url]),
  );
}

function seriesLeftOut({ creator }: HarRecording, { timeline, verdicts }: Visit, policy: Policy) {
  return leavesOutOpen(creator) === undefined ? [] : likelyPending(timeline, verdicts, policy);
}

/** What took so long may have been withheld, ms. Source: the long-poll detector. */
const WITHHELD_MS = 1_500;

/** The answer that decides the estimate, if it may be the first one of a long poll. */
function withheldAt(at: Ms | undefined, requests: readonly Request[], verdicts: Visit['verdicts']) {
  const last = requests.find(
    ({ id, type, startedAt, endedAt }) =>
      endedAt !== undefined &&
      endedAt === at &&
      (type === 'fetch' || type === 'xhr') &&
      !verdicts.has(id) &&
      endedAt - startedAt >= WITHHELD_MS,
  );
  return last?.endedAt === undefined ? undefined : { last, lastEndedAt: last.endedAt, requests: 1 };
}

function noCadence({ exact }: HarRecording, { timeline, verdicts }: Visit): readonly FindingFact[] {
  if (exact) return [];
  const long = timeline.requests.filter((request) => !verdicts.has(request.id) && arrivedUnseen(request));
  if (long.length === 0) return [];
  const urls = long.map(({ url }) => url);
  return [missing({ missing: 'arrival-times', urls, longerThan: LONG_ARRIVAL_MS }, [...new Set(urls)])];
}

/** What the file holds of another load in the same tab. */
function nextLoad({ nextLoad }: HarRecording): readonly FindingFact[] {
  return nextLoad === undefined ? [] : [missing({ missing: 'own-page', ...nextLoad }, [nextLoad.url])];
}

/** A file has no film, and nobody can load its page without a request. */
function noProof(visit: Visit, policy: Policy): readonly FindingFact[] {
  const unproved = unprovedOf(visit, policy);
  if (!unproved) return [];
  const urls = [...new Set(unproved.requests.map(({ url }) => url))];
  return [missing({ missing: 'effect', urls, withoutAt: unproved.withoutAt }, urls)];
}

function arrivedUnseen({ response, endedAt, chunks, messages }: Request): boolean {
  if (!response || endedAt === undefined || chunks.length > 1 || messages.length > 0) return false;
  return endedAt - response.at >= LONG_ARRIVAL_MS;
}
