import type { VisualChange } from '../../model/picture.ts';
import type { Request } from '../../model/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { codePlacesOf } from '../initiators.ts';
import { median } from '../median.ts';
import { originOf } from '../origin.ts';
import { fillsPlace } from '../visual/changes.ts';
import { FOLLOWS_WITHIN_MS } from '../visual/impact.ts';

/** What one place in a script asks for within this time, ms, is one round. */
export const ONE_ROUND_MS = 50;
/** Rounds that make a habit. */
const MIN_ROUNDS = 3;

/** A question that is asked again and again, and when it was answered. */
interface Repeated {
  readonly requests: readonly Request[];
  readonly arrivals: readonly Ms[];
}

/**
 * The questions by who asks them: those that the same place in a script asks round by round, all at once, belong together (the
 * tiles of a layer of a map). Their answers come so close to each other that nobody can tell which of them changed the picture.
 */
export function byRounds<Each extends Repeated>(questions: readonly Each[]): readonly (readonly Each[])[] {
  const groups: Each[][] = [];
  for (const question of questions) {
    const group = groups.find(([head]) => head !== undefined && areAskedTogether(question, head));
    if (group) group.push(question);
    else groups.push([question]);
  }
  return groups;
}

/** A script that begins may ask for the first round elsewhere: later ones tell. */
function areAskedTogether({ requests: [, ...own] }: Repeated, { requests: [, ...others] }: Repeated): boolean {
  const [first] = own;
  const place = first && placeOf(first);
  if (place === undefined || own.length + 1 < MIN_ROUNDS || Math.abs(own.length - others.length) > 1) return false;
  if (![...own, ...others].every((request) => placeOf(request) === place)) return false;
  return median(own.map((request) => nearest(request, others))) <= ONE_ROUND_MS;
}

/** Where it was asked for, with all that led there, and of whom; undefined where nobody knows. */
function placeOf(request: Request): string | undefined {
  const places = codePlacesOf(request);
  return places.length === 0 ? undefined : siteText(request, places);
}

/** What is asked for, of whom, and where in the code. */
export function siteText({ type, method, url, frameId }: Request, places: readonly string[]): string {
  return [type, method, frameId, originOf(url), ...places].join(' ');
}

function nearest({ startedAt }: Request, others: readonly Request[]): Ms {
  return Math.min(...others.map((other) => Math.abs(other.startedAt - startedAt)));
}

/**
 * How many rounds are content: up to the last whose answers filled an empty place, before a quiet window without one. What
 * paints anew where an earlier round had painted is an update.
 *
 * @param answers when each of the questions was answered
 * @param changedAt the changes of the picture that answers caused
 */
export function roundsToFilled(
  answers: readonly (readonly Ms[])[],
  changedAt: readonly Ms[],
  { changes, quietWindow }: { readonly changes: readonly VisualChange[]; readonly quietWindow: Ms },
): number {
  const firsts = answers.flatMap(([first]) => first ?? []);
  const since = Math.min(...firsts);
  let last = Math.max(...firsts);
  let count = 1;
  for (const at of changedAt) {
    if (at - last > quietWindow) break;
    if (!fillsPlace(at, since, changes)) continue;
    last = Math.max(last, at);
    count = Math.max(count, roundAt(at, answers));
  }
  return count;
}

/** The round whose answers can have caused a change: the earliest of which one had just come, since rounds may overlap. */
export function roundAt(at: Ms, answers: readonly (readonly Ms[])[]): number {
  const rounds = answers.flatMap((own) => {
    const i = own.findIndex((came) => came <= at && at - came <= FOLLOWS_WITHIN_MS);
    return i < 0 ? [] : [i + 1];
  });
  return rounds.length === 0 ? 1 : Math.min(...rounds);
}
