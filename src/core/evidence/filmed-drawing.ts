import type { EndpointRule, Policy } from '../../model/background/verdict.ts';
import type { Drawing } from '../../model/completion/drawing.ts';
import type { LateContent } from '../../model/completion/late-content.ts';
import type { Visit } from '../../model/network/visit.ts';
import type { Recording } from '../../model/recording/recording.ts';
import { lastChange, learnDrawing, withLastChange } from '../completion/last-change.ts';
import { lateContentOf } from '../completion/late-content.ts';
import { visitOf } from '../measure.ts';
import { defined } from '../text/defined.ts';
import { cellsIn, cellsToText } from '../visual/grid.ts';
import type { FilmReading } from '../visual/impact.ts';
import type { Mask } from '../visual/mask.ts';
import { placesOfNotices } from '../visual/notices.ts';

/** A filmed load, judged with what the film shows that it drew. */
export interface FilmedDrawing {
  /** With a mark where the page drew the last of its content, if that was late. */
  readonly recording: Recording;
  readonly policy: Policy;
  /** How the page draws when its network is quiet. */
  readonly drawing: Drawing;
  /** Content that comes after a whole quiet window, as far as it is no part of the answer. */
  readonly lateContent?: LateContent;
  /** The late requests that timed runs wait for, where late content counts. */
  readonly awaited?: Policy['awaited'];
}

/** A load that was filmed, with what its film says. */
export interface FilmedLoad {
  readonly visit: Visit;
  readonly film: FilmReading;
}

/**
 * Judges a filmed load again: with the rules that were proved, with late content where that counts, and with the moment at
 * which the page drew the last of its content.
 *
 * @param policy with what it was loaded
 */
export function judgeWithFilm(
  { visit: watched, film }: FilmedLoad,
  rules: readonly EndpointRule[],
  policy: Policy,
  includesLate: boolean,
): FilmedDrawing {
  const { recording } = watched;
  const judged = (given: Policy): Visit => visitOf(recording, withRules(given, rules));
  // What the film taught may have moved the answer.
  const judgedVisit = rules.length === 0 ? watched : judged(policy);
  const { changes } = film;
  const lateContent = lateContentOf(judgedVisit, changes, policy);
  const counted = includesLate ? lateContent : undefined;
  const awaited = counted && counted.urls.length > 0 ? counted.awaited : undefined;
  const awaiting: Policy = awaited ? { ...policy, awaited } : policy;
  const visit = awaited ? judged(awaiting) : judgedVisit;
  const { complete } = visit;
  const drawnLate = counted && awaited === undefined && complete.state === 'complete';
  const learnt = learnDrawing(visit, changes, policy);
  const drawing: Drawing = {
    ...learnt,
    ...(drawnLate && { filmed: complete.at + counted.after - complete.networkAt }),
    ...defined({ moving: movingText(film.movingPlaces, placesOfNotices(changes)) }),
  };
  return {
    recording: withLastChange(visit, lastChange(visit, { changes }, drawing, policy)),
    policy: awaiting,
    drawing,
    // What the page draws by itself is part of the time, where it counts.
    ...defined({ lateContent: drawnLate ? undefined : lateContent, awaited }),
  };
}

/** What runs are judged with that know these rules. */
export function withRules(policy: Policy, rules: readonly EndpointRule[]): Policy {
  return rules.length === 0 ? policy : { ...policy, learnt: rules };
}

/** The cells in which a part of a mask lies, with others; undefined where there are none. */
function movingText(mask: Mask | undefined, others: ReadonlySet<number> = new Set()): string | undefined {
  const cells = mask ? new Set([...cellsIn(mask), ...others]) : others;
  return cells.size === 0 ? undefined : cellsToText(cells);
}
