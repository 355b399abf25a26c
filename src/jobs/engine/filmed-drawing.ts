import { completedAt } from '../../core/completed-at.ts';
import { defined } from '../../core/defined.ts';
import { drawingAtOnce, drawnAtOnceAt, drawnLast } from '../../core/drawn-at-once.ts';
import { drawsEvery } from '../../core/drawn-in-turns.ts';
import { isSeenInFilmOnly } from '../../core/idleness.ts';
import { lateContentOf } from '../../core/late-content.ts';
import {
  changesByContent,
  drawnLateAt,
  endsMovement,
  isAnimated,
  movesAlone,
  paintBesidePlayer,
  updatesOf,
  withDrawing,
  withoutCells,
} from '../../core/late-drawing.ts';
import { cellsIn, cellsToText } from '../../core/visual/grid.ts';
import type { FilmReading } from '../../core/visual/impact.ts';
import type { Mask } from '../../core/visual/mask.ts';
import { placesOfNotices } from '../../core/visual/notices.ts';
import type { PageComplete } from '../../model/completion.ts';
import type { Drawing } from '../../model/drawing.ts';
import type { LateContent } from '../../model/late-content.ts';
import type { VisualChange } from '../../model/picture.ts';
import type { Recording } from '../../model/recording.ts';
import type { Ms } from '../../model/units.ts';
import type { EndpointRule, Policy } from '../../model/verdict.ts';
import type { Visit } from '../../model/visit.ts';
import { type FinishedRun, judgeRun, type LoadedRun } from './run.ts';

/** A filmed run, judged with what the film shows that it drew. */
export interface FilmedDrawing {
  readonly run: FinishedRun;
  /** How the page draws when its network is quiet. */
  readonly drawing: Drawing;
  /** Content that comes after a whole quiet window, as far as it is no part of the answer. */
  readonly lateContent?: LateContent;
  /** The late requests that timed runs wait for, where late content counts. */
  readonly awaited?: Policy['awaited'];
}

/** A run that was filmed, with what its film says. */
export interface FilmedRun {
  readonly filmed: FinishedRun;
  readonly visit: Visit;
  readonly film: FilmReading;
}

/**
 * Judges a filmed run again: with the rules that were proved, with late content where that counts, and with the moment at
 * which the page drew the last of its content.
 */
export function judgeWithFilm(
  { filmed, visit: watched, film }: FilmedRun,
  rules: readonly EndpointRule[],
  policy: Policy,
  includesLate: boolean,
): FilmedDrawing {
  // What the film taught may have moved the answer.
  const judged = rules.length === 0 ? filmed : judgeRun(filmed.loaded, rules);
  const { visit: judgedVisit = watched } = judged;
  const moving = movesAlone(judgedVisit, film.changes);
  const changes = withoutCells(film.changes, moving);
  const lateContent = lateContentOf(judgedVisit, changes, policy);
  const counted = includesLate ? lateContent : undefined;
  const awaited = counted && counted.urls.length > 0 ? counted.awaited : undefined;
  const loaded = awaited ? { ...filmed.loaded, policy: { ...policy, awaited } } : filmed.loaded;
  const included = awaited ? judgeRun(loaded, rules) : judged;
  const { visit = judgedVisit } = included;
  const { complete } = visit;
  const every = drawsEvery(visit, rules, changes);
  const updates = updatesOf(visit, changes, policy, defined({ every }));
  const at = completedAt(complete);
  const lateAt = counted && awaited === undefined && at !== undefined ? at + counted.after : undefined;
  const known = defined({ updates, every, animations: visit.recording.animations });
  const drawnAt = lateAt ?? drawnLateAt(visit, changes, policy, known);
  // What is drawn in turns the document shows in turns, too.
  const atOnce = every === undefined ? drawingAtOnceIn(visit, changes, policy, known) : {};
  const contentDrawnAt = drawnLast(drawnAt, drawnAtOnceAt(visit, atOnce));
  const lastDrawnAt = drawnAt ?? paintBesidePlayer(visit);
  const drawn =
    contentDrawnAt === undefined
      ? undefined
      : { at: contentDrawnAt, animated: isAnimated(contentDrawnAt, changes, { ...known, ...atOnce }) };
  return {
    run: drawn === undefined ? included : judgeRun(withContentDrawn(loaded, drawn, complete), rules),
    drawing: {
      late: lastDrawnAt !== undefined || every !== undefined || isSeenInFilmOnly(visit.timeline),
      ...(lastDrawnAt !== undefined && complete.state === 'complete' && { after: lastDrawnAt - complete.networkAt }),
      ...(drawnAt !== undefined && endsMovement(changes, drawnAt) && { ends: true }),
      ...defined({
        moving: movingText(film.moving, moving),
        movingPlaces: movingText(film.movingPlaces, new Set([...moving, ...placesOfNotices(film.changes)])),
        every,
        updates,
      }),
      ...atOnce,
    },
    // What the page draws by itself is part of the time, where it counts.
    ...defined({ lateContent: lateAt === undefined ? lateContent : undefined, awaited }),
  };
}

/** The cells in which a part of a mask lies, with others; undefined where there are none. */
function movingText(mask: Mask | undefined, others: ReadonlySet<number>): string | undefined {
  const cells = mask ? new Set([...cellsIn(mask), ...others]) : others;
  return cells.size === 0 ? undefined : cellsToText(cells);
}

function drawingAtOnceIn(
  visit: Visit,
  changes: readonly VisualChange[],
  policy: Policy,
  known: Pick<Drawing, 'updates'> & Pick<Recording, 'animations'>,
) {
  const filmedAt = drawnLateAt(visit, changes, policy, known, 0);
  return drawingAtOnce(visit, changesByContent(visit, changes, known), policy, filmedAt);
}

/** The load with a mark where the page drew the last of its content. */
function withContentDrawn(
  loaded: LoadedRun,
  { at, animated }: { readonly at: Ms; readonly animated: boolean },
  complete: PageComplete,
): LoadedRun {
  const { outcome } = loaded;
  if (!outcome.ok) return loaded;
  return { ...loaded, outcome: { ...outcome, recording: withDrawing(outcome.recording, at, complete, animated) } };
}
