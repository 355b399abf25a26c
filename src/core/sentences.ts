import type { BackgroundEndpoint, RunResult } from '../model/result.ts';
import { seconds } from './background/words.ts';

/** Longest address that a sentence can hold and still be read. */
const LONGEST_NAME = 60;

/** An address as a sentence names it: without the page's own origin and without the query's values. */
export function nameOf(url: string, pageUrl: string): string {
  // "the load event", a selector: what is no address is named as it is.
  if (!url.includes('://')) return url;
  const origin = URL.canParse(pageUrl) ? new URL(pageUrl).origin : '';
  const local = origin !== '' && url.includes(`${origin}/`) ? url.replace(origin, '') : url;
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
  return `Not confirmed: watching ended after ${seconds(answer.observedUntil)} while waiting for ${listed(answer.waitingFor, pageUrl)}.`;
}

/** What plain quiescence would have said, and what was left out of the load event. */
export function completionNotes(run: RunResult | undefined, pageUrl: string): readonly string[] {
  const answer = run?.pageComplete;
  if (answer?.state !== 'complete') return [];
  const notes: string[] = [];
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
      `The load event never fired; it was held up by ${listed(answer.withoutLoadEvent, pageUrl)} and left out.`,
    );
  }
  return notes;
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

/** Do runs disagree on what is background? Names what only some of them flagged. */
export function disagreeingEndpoints(runs: readonly RunResult[]): readonly string[] {
  const timed = runs.filter((run) => run.role === 'timed' && run.ok);
  const seen = new Map<string, number>();
  for (const run of timed) {
    for (const label of new Set((run.background ?? []).map((each: BackgroundEndpoint) => each.endpoint))) {
      seen.set(label, (seen.get(label) ?? 0) + 1);
    }
  }
  return [...seen].filter(([, times]) => times < timed.length).map(([label]) => label);
}
