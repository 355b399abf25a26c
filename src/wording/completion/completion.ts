import { uncountedLateContent } from '../../core/completion/late-content.ts';
import { waitingForOf } from '../../core/completion/waiting-for.ts';
import { isCounted, isTimed } from '../../core/counted-runs.ts';
import type { TargetReport } from '../../model/result/report.ts';
import type { BackgroundEndpoint, PageCompleteResult, RunResult, TargetResult } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';
import { filmDoubt, wasFilmedBusy } from '../../result/doubt/film-doubt.ts';
import { isUnproved } from '../../result/doubt/unproved.ts';
import { idleOnPage, idleRun, isAlike, mostlyComplete } from '../../result/representative.ts';
import { formatCount, formatInterval, formatValue } from '../text/format.ts';
import { listNames, nameOf } from '../text/names.ts';
import { capitalized } from '../text/text.ts';
import { doubtInWords } from './doubt.ts';
import { countOf, describeEndpoints } from './endpoints.ts';
import { lateContentInWords } from './late-content.ts';
import { lacksLoad, waitingForListed, whileWaiting } from './waiting-for.ts';

/** What the sentences about a target are made of. */
export interface Completion {
  readonly result: TargetResult;
  /** The timed run that stands for the target; absent when none was measured. */
  readonly representative: RunResult | undefined;
  /** Recordings that were read, not runs that were made. */
  readonly analysis: boolean;
}

/**
 * A sentence each: when the page is complete and whether the runs agree; and what network idle would have said of it,
 * where there is something to say.
 */
export function completionSentences(of: Completion): Pick<TargetReport, 'sentence' | 'networkIdle'> {
  return { sentence: answerSentence(of), networkIdle: quiescenceSentence(of) };
}

/** Both sentences of a page. */
export function completionText({ sentence, networkIdle }: Pick<TargetReport, 'sentence' | 'networkIdle'>): string {
  return networkIdle === undefined ? sentence : `${sentence} ${networkIdle}`;
}

/** A part of the answer: the time that it is about, or what the time rests on; else words around them. */
export interface AnswerPart {
  readonly text: string;
  readonly is?: 'figure' | 'basis';
}

function answerSentence(of: Completion): string {
  return answerParts(of)
    .map(({ text }) => text)
    .join('');
}

/** The answer in its parts, so that a reporter can show its time larger than the rest. */
export function answerParts({ result, representative, analysis }: Completion): readonly AnswerPart[] {
  const answer = representative?.pageComplete;
  const pageUrl = pageOf(result);
  if (answer === undefined) return [{ text: unmeasured(result, analysis) }];
  switch (answer.state) {
    case 'complete': {
      const says = answer.decidedBy === 'mark' ? 'The page says that it is complete' : 'The page is complete';
      const at = result.summary.pageComplete?.median ?? answer.at;
      // A time that is not there is no time of 0.
      if (at === undefined) return [{ text: `${says}; the time is not known.` }];
      const unproved = isUnproved(result) ? ` ${UNPROVED}` : '';
      const mostly = mostlyComplete(result);
      const figure = mostly === undefined ? 'pageComplete' : 'mostlyComplete';
      const follows = mostly === undefined ? '' : followingSentence(answer, at, pageUrl);
      const rest = `${basis(result, analysis, figure)}${lateContentClause(result)}.${follows}${unproved}${filmSentence(result, at)}${backgroundSentence(answer, pageUrl)}`;
      // What the runs agree on stands beside the answer; that they disagree is part of it.
      const isBeside = result.runs.filter(isCounted).length > 1 && result.summary[figure]?.agreement !== 'disagrees';
      return [
        { text: `${mostly === undefined ? says : 'The page is mostly complete'} after ` },
        { text: formatValue(mostly ?? at, 'ms'), is: 'figure' },
        { text: rest, ...(isBeside && { is: 'basis' }) },
      ];
    }
    case 'never': {
      const counted = result.runs.filter(isCounted);
      const never = counted.filter(({ pageComplete }) => pageComplete?.state === 'never').length;
      const which = never === counted.length ? 'any' : never;
      const runs = !analysis && counted.length > 1 ? ` in ${which} of ${counted.length} runs` : '';
      const within = formatValue(answer.observedUntil, 'ms');
      const open = waitingForListed(answer, pageUrl);
      return [{ text: `The page was never complete within ${within}${runs}. It was still waiting for ${open}.` }];
    }
    default: {
      const ended = lacksLoad(answer)
        ? 'the file does not contain the whole load'
        : `${analysis ? 'the recording ends' : 'watching ended'} after ${formatValue(answer.observedUntil, 'ms')}, ${whileWaiting(answer, pageUrl)}`;
      return answer.at === undefined
        ? [{ text: `It is not known when the page is complete: ${ended}.` }]
        : [
            { text: 'The page is probably complete after ' },
            { text: formatValue(answer.at, 'ms'), is: 'figure' },
            { text: `, but this is not confirmed: ${ended}.` },
          ];
    }
  }
}

/** What follows when the page is mostly complete: " Small parts of /api/stream follow until 2.26 s." */
function followingSentence({ reason }: PageCompleteResult, at: Ms, pageUrl: string): string {
  const of =
    reason?.code === 'stream-content' || reason?.code === 'response' ? ` of ${nameOf(reason.url, pageUrl)}` : '';
  return ` Small parts${of} follow until ${formatValue(at, 'ms')}.`;
}

const UNPROVED =
  'This is not proved: there was no evidence run (--no-evidence), so the time may include the first requests of background traffic.';

function unmeasured({ runs }: TargetResult, analysis: boolean): string {
  const failed = runs.filter((run) => isTimed(run) && !run.ok).length;
  if (analysis) return `${failed > 1 ? `${failed} recordings` : 'The recording'} could not be analysed.`;
  if (failed === 0) return 'The page was not measured.';
  return `The page could not be measured: ${failed === 1 ? 'its run' : failed === 2 ? 'both runs' : `all ${failed} runs`} failed.`;
}

/** What the time rests on: " (1.21–1.29 s from 5 runs, stable)", ", but the 5 runs disagree: 0.90–2.10 s". */
function basis(result: TargetResult, analysis: boolean, figure: 'pageComplete' | 'mostlyComplete'): string {
  const noun = analysis ? 'recording' : 'run';
  const measured = result.runs.filter(isCounted);
  const times = measured.flatMap(({ pageComplete, metrics }) => {
    if (pageComplete?.state !== 'complete') return [];
    return (figure === 'mostlyComplete' ? metrics?.mostlyComplete : pageComplete.at) ?? [];
  });
  if (measured.length <= 1) return analysis ? ' in the recording' : ' (one run)';
  const { low, high, agreement } = result.summary[figure] ?? {};
  const of =
    times.length === measured.length
      ? formatCount(measured.length, noun)
      : `${times.length} of ${formatCount(measured.length, noun)}`;
  const rest = unlike(measured, noun);
  // Where only the film disagrees, a sentence of its own says so.
  if (agreement === 'disagrees' && filmDoubt(result.runs) === undefined) {
    const spread = formatInterval(Math.min(...times), Math.max(...times), 'ms');
    return `, but the ${noun}s disagree: ${spread} in ${of}${rest}`;
  }
  const agree = agreement === 'varies' ? ', which vary' : agreement === 'stable' ? ', stable' : '';
  const span = low === undefined || high === undefined ? '' : `${formatInterval(low, high, 'ms')} from `;
  return ` (${span}${of}${agree})${rest}`;
}

/** What the filmed load shows, where the timed loads do not see it. */
function filmSentence({ runs }: TargetResult, at: Ms): string {
  const doubt = filmDoubt(runs);
  const busy = wasFilmedBusy(runs)
    ? ' The machine was busy with other things while the page was filmed, so this may be wrong.'
    : '';
  if (doubt === undefined) return busy;
  const [shown, wrong] = doubt.at > at ? ['only', 'early'] : ['already', 'late'];
  return ` The filmed load shows the last content ${shown} after ${formatValue(doubt.at, 'ms')}, so this may be too ${wrong}.`;
}

/** What was left out without a proof, in the run that stands for the page. */
function backgroundSentence({ doubts = [] }: PageCompleteResult, pageUrl: string): string {
  const [first, ...more] = doubts.filter(({ code }) => code === 'background-unproved');
  if (first === undefined) return '';
  const others = more.length === 0 ? '' : ` (and ${formatCount(more.length, 'more endpoint')})`;
  return ` ${capitalized(doubtInWords(first, pageUrl))}${others}.`;
}

/** Nothing where it counts. */
function lateContentClause(target: TargetResult): string {
  const late = uncountedLateContent(target);
  return late === undefined ? '' : `; ${lateContentInWords(late, pageOf(target))}`;
}

/** The runs that have no time, while others have one: "; in 2 runs it never was". */
function unlike(measured: readonly RunResult[], noun: string): string {
  const having = (state: PageCompleteResult['state']): number =>
    measured.filter(({ pageComplete }) => pageComplete?.state === state).length;
  const [never, unconfirmed] = [having('never'), having('unconfirmed')];
  return [
    ...(never > 0 ? [`; in ${formatCount(never, noun)} it was never complete`] : []),
    ...(unconfirmed > 0 ? [`; in ${formatCount(unconfirmed, noun)} this is not confirmed`] : []),
  ].join('');
}

const pageOf = ({ finalUrl, url }: TargetResult): string => finalUrl ?? url;

/** What network idle would have said; nothing where no load was watched for long enough to know it. */
function quiescenceSentence({ result, representative, analysis }: Completion): string | undefined {
  const idle = idleRun(result.runs, representative);
  const answer = idle?.pageComplete;
  if (idle === undefined || answer?.state !== 'complete') return undefined;
  const { raw } = answer;
  const pageUrl = pageOf(result);
  if (raw.state === 'never') {
    const loud = endless(idle);
    if (loud.length > 0) {
      return `Tools that wait for a silent network would never finish here: ${describeEndpoints(loud, pageUrl)} ${countOf(loud) === 1 ? 'keeps' : 'keep'} the network busy.`;
    }
    return `Tools that wait for a silent network would never finish here: after ${formatValue(answer.observedUntil, 'ms')}, they would still wait for ${waitingForListed(raw, pageUrl)}.`;
  }
  if (raw.state === 'unconfirmed' || raw.at === undefined) {
    return analysis ? 'What network idle would have said is not known: the recording ends too early.' : undefined;
  }
  const said = `Network idle would have said ${formatValue(idleOnPage(answer, result.summary.pageComplete?.median), 'ms')}`;
  if (answer.decidedBy === 'mark') return `${said}.`;
  const needed = answer.networkAt ?? raw.at;
  if (answer.at !== undefined && raw.at < answer.at && !readsAlike(raw.at, answer.at)) {
    // Background may have moved it too, but what it missed is what a reader wants to know.
    return answer.at > needed ? `${said}: it does not wait for painting.` : `${said}.`;
  }
  if (!readsAlike(raw.at, needed)) {
    const loud = late(idle, needed, raw.at);
    const why = loud.length === 0 ? 'background traffic' : describeEndpoints(loud, pageUrl);
    return `${said}: ${why} kept the network busy until then.`;
  }
  return 'Network idle gives the same time: no background traffic delayed it.';
}

/** Times that are close, or written the same: a sentence that tells them apart would contradict the table, or itself. */
const readsAlike = (a: number, b: number): boolean => isAlike(a, b) || formatValue(a, 'ms') === formatValue(b, 'ms');

/** The endpoints that never let the wire fall silent. */
function endless({ background = [], pageComplete }: RunResult): readonly BackgroundEndpoint[] {
  const waitedFor = new Set(
    waitingForOf(pageComplete?.raw ?? {}).flatMap((each) => (each.code === 'endpoint' ? each.endpoint : [])),
  );
  return background.filter((each) => each.excluded && (each.countedState === 'never' || waitedFor.has(each.endpoint)));
}

/**
 * The endpoints that moved network idle's answer from one time to another, the one that moved it most first. Where none did
 * alone, or where that is not known: those that were under way in between, the last to end first.
 */
function late({ background = [] }: RunResult, from: number, to: number): readonly BackgroundEndpoint[] {
  const excluded = background.filter((each) => each.excluded);
  const moved = excluded.filter(({ cost = 0 }) => cost >= (to - from) / 2);
  if (moved.length > 0) return moved.toSorted((a, b) => (b.cost ?? 0) - (a.cost ?? 0));
  return excluded
    .filter(({ firstStartedAt, lastActivityAt }) => firstStartedAt < to && lastActivityAt > from)
    .toSorted((a, b) => b.lastActivityAt - a.lastActivityAt);
}

/** One sentence each: what determined the time, who overruled a detector, and what was left out of the load event. */
export function completionNotes({ result, representative }: Omit<Completion, 'analysis'>): readonly string[] {
  const answer = representative?.pageComplete;
  const pageUrl = pageOf(result);
  const overruled = overruledNotes(representative, pageUrl);
  if (answer?.state !== 'complete') return overruled;
  return [
    ...(answer.because === undefined ? [] : [`${capitalized(answer.because)}.`]),
    ...overruled,
    ...(answer.withoutLoadEvent === undefined
      ? []
      : [
          `The load event does not count: only background requests delayed it (${listNames(answer.withoutLoadEvent, pageUrl)}).`,
        ]),
  ];
}

/** Who overruled a detector, or flagged what none did: nobody shall have to look for that in a table. */
function overruledNotes(run: RunResult | undefined, pageUrl: string): readonly string[] {
  return (run?.background ?? []).flatMap(({ excluded, overruledBy, kind, endpoint, because }) => {
    const name = nameOf(endpoint, pageUrl);
    if (!excluded) return [`${name} looks like background (${kind}), but counts: ${overruledBy ?? because}.`];
    return kind === 'user' ? [`${name} does not count because it ${because}.`] : [];
  });
}
