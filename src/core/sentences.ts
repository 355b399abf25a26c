import type { BackgroundEndpoint, PageCompleteResult, RunResult, TargetResult } from '../model/result.ts';
import { spoken } from './background/spoken.ts';
import { count, duration } from './background/words.ts';
import { interval } from './experiment/figures.ts';
import { originOf } from './origin.ts';

/** Longest address that a sentence can hold and still be read. */
const LONGEST_NAME = 60;

/** Addresses, in a text, as a sentence names them: without the page's own origin and without the query's values. */
export function nameOf(text: string, pageUrl: string): string {
  const origin = originOf(pageUrl);
  // "the load event", a selector: what is no address is named as it is.
  return text.replace(/[a-z][\w+.-]*:\/\/\S+/gi, (url) => shortened(url, origin));
}

function shortened(url: string, origin: string): string {
  const local = origin !== '' && url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
  const name = local.replace(/\?(?!\*$).+$/s, '?…').replace(/#.*$/s, '');
  if (name.length <= LONGEST_NAME) return name;
  return `${name.slice(0, LONGEST_NAME / 2)}…${name.slice(-LONGEST_NAME / 2)}`;
}

/** How a clause begins that says that the page's own mark, not silence, was the answer. */
export const OWN_MARK = "the page's own mark was met";

/** What the sentences about a target are made of. */
export interface Completion {
  readonly result: TargetResult;
  /** The timed run that stands for the target; absent when none was measured. */
  readonly representative: RunResult | undefined;
  /** Recordings that were read, not runs that were made. */
  readonly analysis: boolean;
}

/**
 * The answer first: when the page is complete and whether the runs agree; then what plain quiescence would have said
 * of it, and what kept that from falling silent. One or two sentences.
 */
export function completionSentence(of: Completion): string {
  return [answerSentence(of), quiescenceSentence(of)].filter((sentence) => sentence !== undefined).join(' ');
}

function answerSentence({ result, representative, analysis }: Completion): string {
  const answer = representative?.pageComplete;
  const pageUrl = pageOf(result);
  if (answer === undefined) return unmeasured(result, analysis);
  switch (answer.state) {
    case 'complete': {
      const says = answer.because?.startsWith(OWN_MARK) ? 'The page says that it is complete' : 'The page is complete';
      const at = result.summary.pageComplete?.median ?? answer.at;
      // A time that is not there is no time of 0.
      if (at === undefined) return `${says}; when is not known.`;
      return `${says} after ${duration(at)}${basis(result, analysis)}.`;
    }
    case 'never': {
      const { length } = measuredRuns(result);
      const runs = !analysis && length > 1 ? ` in any of ${length} runs` : '';
      return `The page was never complete within ${duration(answer.observedUntil)}${runs}: it still waited for ${listed(answer.waitingFor, pageUrl)}.`;
    }
    default: {
      const ended = `${analysis ? 'the recording ends' : 'watching ended'} after ${duration(answer.observedUntil)}, ${whileWaiting(answer.waitingFor, pageUrl)}`;
      return answer.at === undefined
        ? `When the page is complete is not known: ${ended}.`
        : `The page is probably complete after ${duration(answer.at)}, which is not confirmed: ${ended}.`;
    }
  }
}

function unmeasured({ runs }: TargetResult, analysis: boolean): string {
  const failed = runs.filter((run) => run.role === 'timed' && !run.ok).length;
  if (analysis) return `${failed > 1 ? `${failed} recordings` : 'The recording'} could not be analysed.`;
  if (failed === 0) return 'The page was not measured.';
  return `The page could not be measured: ${failed === 1 ? 'its run' : failed === 2 ? 'both runs' : `all ${failed} runs`} failed.`;
}

/** What the time rests on: " (1.21–1.29 s from 5 runs, stable)", ", but the 5 runs disagree: 0.90–2.10 s". */
function basis(result: TargetResult, analysis: boolean): string {
  const noun = analysis ? 'recording' : 'run';
  const measured = measuredRuns(result);
  const times = measured.flatMap(({ pageComplete }) =>
    pageComplete?.state === 'complete' && pageComplete.at !== undefined ? pageComplete.at : [],
  );
  if (measured.length <= 1) return analysis ? ' in the recording' : ' (one run)';
  const { low, high, agreement } = result.summary.pageComplete ?? {};
  const of =
    times.length === measured.length
      ? count(measured.length, noun)
      : `${times.length} of ${count(measured.length, noun)}`;
  const rest = unlike(measured, noun);
  if (agreement === 'disagrees') {
    const spread = interval(Math.min(...times), Math.max(...times), 'ms');
    return `, but the ${noun}s disagree: ${spread} in ${of}${rest}`;
  }
  const agree = agreement === 'varies' ? ', which vary' : agreement === 'stable' ? ', stable' : '';
  const span = low === undefined || high === undefined ? '' : `${interval(low, high, 'ms')} from `;
  return ` (${span}${of}${agree})${rest}`;
}

/** The runs that have no time, while others have one: "; in 2 runs it never was". */
function unlike(measured: readonly RunResult[], noun: string): string {
  const having = (state: PageCompleteResult['state']): number =>
    measured.filter(({ pageComplete }) => pageComplete?.state === state).length;
  const [never, unconfirmed] = [having('never'), having('unconfirmed')];
  return [
    ...(never > 0 ? [`; in ${count(never, noun)} it never was`] : []),
    ...(unconfirmed > 0 ? [`; in ${count(unconfirmed, noun)} that is not confirmed`] : []),
  ].join('');
}

const measuredRuns = ({ runs }: TargetResult): readonly RunResult[] =>
  runs.filter((run) => run.role === 'timed' && run.excluded === undefined && run.pageComplete !== undefined);

const pageOf = ({ finalUrl, url }: TargetResult): string => finalUrl ?? url;

/** What plain quiescence would have said of the run that stands for the target. */
function quiescenceSentence({ result, representative, analysis }: Completion): string | undefined {
  const answer = representative?.pageComplete;
  if (representative === undefined || answer?.state !== 'complete') return undefined;
  const { raw } = answer;
  const pageUrl = pageOf(result);
  if (raw.state === 'never') {
    const loud = endless(representative, raw.waitingFor ?? []);
    if (loud.length > 0) {
      return `Plain quiescence would never have called it complete: ${spoken(loud, pageUrl)} never ${loud.length === 1 ? 'goes' : 'go'} quiet.`;
    }
    return `Plain quiescence would never have called it complete: after ${duration(answer.observedUntil)} it still waited for ${listed(raw.waitingFor ?? [], pageUrl)}.`;
  }
  if (raw.state === 'unconfirmed' || raw.at === undefined) {
    return `What plain quiescence would have said is not known: ${analysis ? 'the recording ends' : 'watching ended'} too early for it.`;
  }
  const said = `Plain quiescence would have said ${duration(raw.at)}`;
  if (answer.because?.startsWith(OWN_MARK)) return `${said}.`;
  const needed = answer.networkAt ?? raw.at;
  if (answer.at !== undefined && raw.at < answer.at && duration(raw.at) !== duration(answer.at)) {
    // Background may have moved it too, but what it missed is what a reader wants to know.
    return answer.at > needed ? `${said}: it does not wait for what is painted.` : `${said}.`;
  }
  if (duration(raw.at) !== duration(needed)) {
    const loud = late(representative, raw.at - needed);
    const why = loud.length === 0 ? 'background traffic' : spoken(loud, pageUrl);
    return `${said}: ${why} kept the wire busy until then.`;
  }
  return 'Plain quiescence agrees: no background traffic moved it.';
}

/** The endpoints that never let the wire fall silent. */
function endless({ background = [] }: RunResult, waitingFor: readonly string[]): readonly BackgroundEndpoint[] {
  return background.filter(
    (each) => each.excluded && (each.countedState === 'never' || waitingFor.includes(each.endpoint)),
  );
}

/** The endpoints that moved plain quiescence's answer, the one that moved it most first; none where only all together did. */
function late({ background = [] }: RunResult, by: number): readonly BackgroundEndpoint[] {
  return background
    .filter((each) => each.excluded && (each.cost ?? 0) >= by / 2)
    .toSorted((a, b) => (b.cost ?? 0) - (a.cost ?? 0));
}

/** "while waiting for the load event", "before it was seen whether GET /status goes on (poll)", or both. */
export function whileWaiting(waitingFor: readonly string[], pageUrl = ''): string {
  const questions = waitingFor.filter((each) => each.startsWith('whether '));
  const others = waitingFor.filter((each) => !each.startsWith('whether '));
  const clauses = [
    ...(others.length > 0 || questions.length === 0 ? [`while waiting for ${listed(others, pageUrl)}`] : []),
    ...(questions.length > 0 ? [`before it was seen ${listed(questions, pageUrl)}`] : []),
  ];
  return clauses.join(' and ');
}

/** One sentence each: what determined the time, who overruled a detector, and what was left out of the load event. */
export function completionNotes({ result, representative }: Omit<Completion, 'analysis'>): readonly string[] {
  const answer = representative?.pageComplete;
  const pageUrl = pageOf(result);
  const overruled = overruledNotes(representative, pageUrl);
  if (answer?.state !== 'complete') return overruled;
  return [
    ...(answer.because === undefined ? [] : [ended(`At that moment ${answer.because}`)]),
    ...overruled,
    ...(answer.withoutLoadEvent === undefined
      ? []
      : [
          `The load event was left out: nothing but background held it up (${listed(answer.withoutLoadEvent, pageUrl)}).`,
        ]),
  ];
}

/** With a full stop, unless an address was cut off there. */
const ended = (text: string): string => (text.endsWith('…') ? text : `${text}.`);

/** Who overruled a detector, or flagged what none did: nobody shall have to look for that in a table. */
function overruledNotes(run: RunResult | undefined, pageUrl: string): readonly string[] {
  return (run?.background ?? []).flatMap(({ excluded, overruledBy, kind, endpoint, because }) => {
    const name = nameOf(endpoint, pageUrl);
    if (!excluded)
      return [`${name} looked like background (${kind}) and counts all the same: ${overruledBy ?? because}.`];
    return kind === 'user' ? [`${name} was left out because it ${because}.`] : [];
  });
}

/** A list for a sentence, cut after three. */
export function listed(names: readonly string[], pageUrl = ''): string {
  const shown = names
    .slice(0, 3)
    .map((name) => nameOf(name, pageUrl))
    .join(', ');
  const more = names.length - 3;
  return names.length === 0 ? 'nothing it could name' : more > 0 ? `${shown} and ${more} more` : shown;
}
