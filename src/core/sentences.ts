import type { RunResult } from '../model/result.ts';
import { seconds } from './background/words.ts';
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

/** One sentence: when the page was complete and why. */
export function completionSentence(run: RunResult | undefined, pageUrl: string): string {
  const answer = run?.pageComplete;
  if (!answer) return 'The page could not be measured.';
  if (answer.state === 'complete')
    return `Page complete at ${seconds(answer.at ?? 0)}: ${answer.because ?? 'nothing more came'}.`;
  if (answer.state === 'never') {
    return `Never complete within ${seconds(answer.observedUntil)}: still waiting for ${listed(answer.waitingFor, pageUrl)}.`;
  }
  const guess = answer.at === undefined ? '' : ` It was probably complete at ${seconds(answer.at)}.`;
  return `Not confirmed: watching ended after ${seconds(answer.observedUntil)}, ${whileWaiting(answer.waitingFor, pageUrl)}.${guess}`;
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

/** What plain quiescence would have said, and what was left out of the load event. */
export function completionNotes(run: RunResult | undefined, pageUrl: string): readonly string[] {
  const answer = run?.pageComplete;
  const overruled = overruledNotes(run, pageUrl);
  if (answer?.state !== 'complete') return overruled;
  const notes: string[] = [...overruled];
  const { raw } = answer;
  if (raw.state !== 'complete') {
    notes.push(
      `Plain quiescence never calls it complete: after ${seconds(answer.observedUntil)} it still waited for ${listed(raw.waitingFor ?? [], pageUrl)}.`,
    );
  } else if (raw.at !== undefined && Math.abs(raw.at - (answer.networkAt ?? raw.at)) >= 1) {
    notes.push(`Plain quiescence says ${seconds(raw.at)}, because it counts background traffic.`);
  } else {
    notes.push('Plain quiescence agrees: no background traffic moved it.');
  }
  if (answer.withoutLoadEvent) {
    notes.push(
      `The load event was left out: nothing but background held it up (${listed(answer.withoutLoadEvent, pageUrl)}).`,
    );
  }
  return notes;
}

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
