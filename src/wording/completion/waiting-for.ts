import { isQuestion, waitingForOf } from '../../core/completion/waiting-for.ts';
import type { CompletionReason, Question, WaitingFor, WatchReason } from '../../model/completion/completion.ts';
import type { Finding, PageCompleteResult } from '../../model/result/result.ts';
import { formatCount, formatValue, joined } from '../text/format.ts';
import { listNames, nameOf } from '../text/names.ts';

/** What is waited for, as a result names it. With a page's address, its own origin and long addresses are cut short. */
export function waitingForInWords(what: WaitingFor, pageUrl?: string): string {
  const name = (text: string): string => (pageUrl === undefined ? text : nameOf(text, pageUrl));
  switch (what.code) {
    case 'endpoint':
      return name(what.endpoint);
    case 'quiet-window':
      return 'the end of the quiet window';
    case 'load-event':
      return 'the load event';
    case 'first-paint':
      return 'the first paint';
    case 'main-thread':
      return 'the end of a long task';
    case 'handshake':
      return `the server to accept ${name(what.endpoint)}`;
    case 'stream-content':
      return `content from ${name(what.endpoint)} that the untimed run had seen`;
    case 'action':
      return 'the end of the action';
    case 'mark':
      return name(what.completeOn);
    case 'whole-recording':
      return 'a file with the whole load';
    case 'goes-on':
      return `whether ${name(what.endpoint)} continues (${what.kind})`;
    case 'becomes-rhythm':
      return `whether ${name(what.endpoint)} is repeated regularly (requested again after ${formatValue(what.interval, 'ms')})`;
    case 'comes-back':
      return 'whether its scripts repeat a request slowly';
    case 'recorded':
      return name(what.text);
  }
}

/** What an answer still waits for, as a list for a sentence, cut after three. */
export function waitingForListed(
  answer: Pick<PageCompleteResult['raw'], 'waitingFor' | 'waitingForFacts'> | undefined,
  pageUrl = '',
): string {
  return listNames((answer ? waitingForOf(answer) : []).map((each) => waitingForInWords(each, pageUrl)));
}

/** Does a file lack the load itself, so that no longer recording would have helped? */
export function lacksLoad(answer: Pick<PageCompleteResult['raw'], 'waitingFor' | 'waitingForFacts'>): boolean {
  return waitingForOf(answer).some(({ code }) => code === 'whole-recording');
}

/** What is known of an answer that recorded files do not confirm: `missing` is what they lack. */
export function unconfirmedInWords(
  answer: Pick<PageCompleteResult, 'at' | 'waitingFor' | 'waitingForFacts'> | undefined,
  missing: Pick<Finding, 'message'> | undefined,
  pageUrl: string,
): string {
  const estimate = answer?.at === undefined ? '' : `The best estimate is ${formatValue(answer.at, 'ms')}. `;
  return `${estimate}${missing?.message ?? `It still waited for ${waitingForListed(answer, pageUrl)}.`}`;
}

/** "while waiting for the load event", "before Quiesce knew whether GET /status continues (poll)", or both. */
export function whileWaiting(
  answer: Pick<PageCompleteResult['raw'], 'waitingFor' | 'waitingForFacts'> | undefined,
  pageUrl = '',
): string {
  const waitingFor = answer ? waitingForOf(answer) : [];
  const [questions, others] = [waitingFor.filter(isQuestion), waitingFor.filter((each) => !isQuestion(each))];
  const inWords = (all: readonly WaitingFor[]): string =>
    listNames(all.map((each) => waitingForInWords(each, pageUrl)));
  const clauses = [
    ...(others.length > 0 || questions.length === 0 ? [`while waiting for ${inWords(others)}`] : []),
    ...(questions.length > 0 ? [`before Quiesce knew ${inWords(questions)}`] : []),
  ];
  return joined(clauses);
}

/** What happened when the page was complete, as a clause. */
export function completionReasonInWords(reason: CompletionReason, pageUrl: string): string {
  switch (reason.code) {
    case 'mark':
      return `the page's own mark was reached: ${reason.completeOn}`;
    case 'first-paint':
      return 'its first content was painted';
    case 'drawn':
      return 'the last event was the final paint of content';
    case 'paint':
      return 'the last event was the largest contentful paint';
    case 'response':
      return `the last thing the page needed was ${nameOf(reason.url, pageUrl)}`;
    case 'stream-content':
      return `the last thing the page needed was content from a stream, ${nameOf(reason.url, pageUrl)}`;
    case 'action':
      return 'the last event was the end of the action';
    case 'dom-content-loaded':
      return 'the last event was DOMContentLoaded';
    case 'load':
      return 'the last event was the load event';
  }
}

/** Why a page was watched for so long, as a clause. */
export function watchReasonInWords(reason: WatchReason, pageUrl: string): string {
  switch (reason.code) {
    case 'limit':
      return 'the limit was reached';
    case 'recording-ends':
      return 'the recording ends there';
    case 'mark':
      return "the page's own mark was reached";
    case 'first-paint':
      return 'the page painted nothing';
    case 'quiet-window':
      return `the quiet window of ${formatValue(reason.quietWindow, 'ms')}${alsoSeen(reason.questions ?? [], pageUrl)}`;
    case 'expected-content':
      return `all content of the longer loads had arrived, then ${formatValue(reason.quietWindow, 'ms')} of silence${alsoSeen(reason.questions ?? [], pageUrl)}`;
  }
}

function alsoSeen([first, ...others]: readonly Question[], pageUrl: string): string {
  if (first === undefined) return '';
  const more = others.length === 0 ? '' : `, and ${formatCount(others.length, 'more check')}`;
  return `, and to see ${waitingForInWords(first, pageUrl)}${more}`;
}
