import { cameAnotherWay } from '../../core/background/came-another-way.ts';
import { type AblationOutcome, type FilmedSuspect, prove, type Suspect } from '../../core/background/evidence-rules.ts';
import { cutTo } from '../../core/cut-to.ts';
import { defined } from '../../core/defined.ts';
import { drawingAtOnce, drawnAtOnceAt, drawnLast } from '../../core/drawn-at-once.ts';
import { drawsEvery } from '../../core/drawn-in-turns.ts';
import { isCalm } from '../../core/host/calm.ts';
import { lateContentOf } from '../../core/late-content.ts';
import {
  changesByContent,
  drawnLateAt,
  endsMovement,
  movesAlone,
  paintBesidePlayer,
  updatesOf,
  withDrawing,
  withoutCells,
} from '../../core/late-drawing.ts';
import { mainThreadFindings } from '../../core/main-thread/findings.ts';
import { readMainThread } from '../../core/main-thread/read.ts';
import { LONGEST_MAP_NAME, mapNamedBy } from '../../core/main-thread/source-map.ts';
import { visitSoFar } from '../../core/measure.ts';
import { rulesWithoutEffect } from '../../core/no-effect.ts';
import { pageUrlOf } from '../../core/page-url.ts';
import { type Taught, taughtOf } from '../../core/taught.ts';
import { cellsIn, cellsToText } from '../../core/visual/grid.ts';
import { type FilmReading } from '../../core/visual/impact.ts';
import { keyFrames } from '../../core/visual/key-frames.ts';
import type { Mask } from '../../core/visual/mask.ts';
import { placesOfNotices } from '../../core/visual/notices.ts';
import { completeSeenAt, paintSeenAt } from '../../core/visual/paint-to-frame.ts';
import { progressOf, shareAt, speedIndexOf } from '../../core/visual/progress.ts';
import type { PageComplete } from '../../model/completion.ts';
import type { Coverage } from '../../model/coverage.ts';
import type { Drawing } from '../../model/drawing.ts';
import type { MainThread, UnreadMap } from '../../model/main-thread.ts';
import type { VisualChange } from '../../model/picture.ts';
import type { Recording } from '../../model/recording.ts';
import type { Evidence, EvidencePicture, FilmFrame, PictureMoment, RunResult } from '../../model/result.ts';
import type { Ms } from '../../model/units.ts';
import type { EndpointRule, Policy } from '../../model/verdict.ts';
import type { Visit } from '../../model/visit.ts';
import { decodePng } from '../../shell/disk/pictures.ts';
import { runInSlices } from '../../shell/process/in-turns.ts';
import { momentInWords } from '../../wording/evidence.ts';
import { type Ablated, ablationOf, patternsOf, preparePictures } from './ablation.ts';
import { coverageOf } from './coverage.ts';
import { createEvidenceImages, type EvidenceImages } from './evidence-images.ts';
import { type FinishedRun, judgeRun, type LoadedRun, type PlannedRun, withTraced } from './run.ts';
import { contest, type Early, holdsToTheEnd, loadWithout, sameWithout, sceneOf } from './scene.ts';
import { lookupsIn, type ScriptSources } from './script-sources.ts';

/** Frames of the film that are kept: as many as stand side by side on a wide screen and can still be distinguished. */
const KEY_FRAMES = 12;
/** More pictures than this of what suspects changed show nothing new. */
const PICTURES_OF_CHANGES = 4;

/** What the untimed runs of one page gave. */
export interface Proof {
  /** For the runs that follow: what is background, and what is waited for. */
  readonly taught: Taught;
  /** How the page draws when its network is quiet. */
  readonly drawing?: Drawing;
  readonly evidence?: Evidence;
  /** Which code kept the main thread busy; absent where nothing was traced. */
  readonly mainThread?: MainThread;
  /** How much of the loaded code was used; absent where nothing was traced. */
  readonly coverage?: Coverage;
  /** URL patterns of what the ablation run held; absent when there was none. */
  readonly held?: readonly string[];
  /** Small copies of the pictures, as data URLs, by their path beside the result. */
  readonly thumbnails: Readonly<Record<string, string>>;
  /** The untimed runs themselves, judged with these rules. */
  readonly runs: readonly FinishedRun[];
  /** What this page needs of what another build's page can do without (`contest` in scene.ts); absent where nothing was filmed. */
  readonly contest?: (ofOther: readonly EndpointRule[]) => Promise<readonly EndpointRule[]>;
}

/** What gathering evidence needs. */
export interface EvidenceOptions {
  readonly policy: Policy;
  /** Trace what the main thread does while the page is filmed. */
  readonly trace: boolean;
  /** Hold the suspects back in one more run. */
  readonly ablation: boolean;
  /** Never two loads of the page at a time: where all come as one user, one may change what the other sees, or log it out. */
  readonly oneAtATime: boolean;
  /** Content that comes after a whole quiet window counts. */
  readonly includesLate: boolean;
  /** The number of the ablation run. */
  readonly ablationIndex: number;
  /** Loads and judges; undefined when the user ended it. */
  load(planned: PlannedRun): Promise<FinishedRun | undefined>;
  /** Writes a picture beside the result. */
  write(name: string, content: Uint8Array): Promise<void>;
  /** Writes the trace beside the result, and gives its name; undefined where none is kept. */
  writeTrace(recording: Recording): Promise<string | undefined>;
  /** Scripts with their source maps; absent where nobody asked for them. */
  readonly sources?: ScriptSources | undefined;
  /**
   * Called once, when nothing more is loaded beside the film, and the page is only watched for what may still come; never for
   * a page that keeps the machine busy.
   */
  onOnlyWatched?(): void;
}

/**
 * Loads the page once on film and, when there are suspects, once more with them held back; proves from both what is
 * background. Undefined when the user ended it before the film was taken; later, what was filmed is kept.
 */
export async function gatherEvidence(options: EvidenceOptions): Promise<Proof | undefined> {
  const policy: Policy = { ...options.policy, thorough: true };
  const { trace } = options;
  const images = createEvidenceImages(options.write);
  let early: Promise<Early> | undefined;
  let prepared: Promise<void> | undefined;
  const filmed = await options.load({
    index: 0,
    role: 'evidence',
    policy,
    with: {
      film: true,
      ...(trace && { trace }),
      ...(options.ablation &&
        !options.oneAtATime && {
          async onlyWatched(soFar) {
            early = (async () => {
              const scene = await sceneOf(visitSoFar(soFar, policy), policy, true);
              return { scene, ablated: await loadWithout(scene, options) };
            })();
            const found = await early;
            // Nobody waits for these while the page is still watched.
            if (found.ablated) prepared = runInSlices(preparePictures(found.ablated, images));
            // Where the load itself fails, nobody asks for them.
            prepared?.catch(() => undefined);
            if (isCalm(soFar)) options.onOnlyWatched?.();
            return sameWithout(found);
          },
        }),
    },
  });
  const before = await early;
  await prepared;
  if (!filmed) return undefined;
  const { visit } = filmed;
  if (!visit) return { taught: {}, thumbnails: {}, runs: [withoutPictures(filmed)] };
  const { recording } = visit;
  const { animations } = recording;
  const { pageComplete } = filmed.run;
  const scene = await sceneOf(visit, policy, options.ablation);
  const { suspects, film, impacts } = scene;
  // What is different without them may only have moved meanwhile: the whole film knows more of what moves by itself.
  const isProved = before?.ablated?.same === true && holdsToTheEnd(before.scene, scene);
  const ablated = isProved ? before.ablated : await loadWithout(scene, options);
  const ablation = ablated && (await ablationOf(ablated, pageComplete?.raw ?? { state: 'unconfirmed' }, images));
  const proof = prove(visit, suspects, impacts, ablated && outcomeOf(ablated, visit), {
    quietWindow: policy.quietWindow,
    changes: film.changes,
    drawn: film.drawn,
  });
  const rules = [...proof, ...rulesWithoutEffect(ablated?.free ?? [])];
  // What the film taught may have moved the answer.
  const judged = rules.length === 0 ? filmed : judgeRun(filmed.loaded, rules);
  const moving = judged.visit ? movesAlone(judged.visit, film.changes) : new Set<number>();
  const changes = withoutCells(film.changes, moving);
  const lateContent = judged.visit && lateContentOf(judged.visit, changes, policy);
  const counted = options.includesLate ? lateContent : undefined;
  const awaited = counted && counted.urls.length > 0 ? counted.awaited : undefined;
  const loaded = awaited ? { ...filmed.loaded, policy: { ...policy, awaited } } : filmed.loaded;
  const included = awaited ? judgeRun(loaded, rules) : judged;
  const every = included.visit && drawsEvery(included.visit, rules, changes);
  const updates = included.visit && updatesOf(included.visit, changes, policy, defined({ every }));
  const { complete } = included.visit ?? {};
  const lateAt =
    counted && awaited === undefined && complete?.state === 'complete' ? complete.at + counted.after : undefined;
  const known = defined({ updates, every, animations });
  const drawnAt = lateAt ?? (included.visit && drawnLateAt(included.visit, changes, policy, known));
  // What is drawn in turns the document shows in turns, too.
  const atOnce = included.visit && every === undefined ? drawingAtOnceIn(included.visit, changes, policy, known) : {};
  const noted = included.visit && drawnAtOnceAt(included.visit, atOnce);
  const contentDrawnAt = drawnLast(drawnAt, noted);
  const proved =
    contentDrawnAt === undefined ? included : judgeRun(withContentDrawn(loaded, contentDrawnAt, complete), rules);
  const lastDrawnAt = drawnAt ?? (included.visit && paintBesidePlayer(included.visit));
  const mainThread = await mainThreadOf(proved, options);
  const coverage = await coverageOf(proved, options.sources);
  const traced = mainThread ? mainThreadFindings(mainThread) : [];
  const visited = withTraced({ ...proved, loaded: { ...proved.loaded, traced } });
  const filmedScene = proved.visit && { ...scene, visit: proved.visit };
  const strip = await stripOf(proved, suspects, impacts, film, images);
  return {
    taught: taughtOf({ learnt: rules, awaited }),
    drawing: {
      late: lastDrawnAt !== undefined || every !== undefined,
      ...(lastDrawnAt !== undefined && complete?.state === 'complete' && { after: lastDrawnAt - complete.networkAt }),
      ...(drawnAt !== undefined && endsMovement(changes, drawnAt) && { ends: true }),
      ...defined({
        moving: movingText(film.moving, moving),
        movingPlaces: movingText(film.movingPlaces, new Set([...moving, ...placesOfNotices(film.changes)])),
        every,
        updates,
      }),
      ...atOnce,
    },
    evidence: {
      watchedUntil: recording.observedUntil,
      watchedBecause: pageComplete?.watchedBecause ?? '',
      ...(pageComplete?.watchedReason && { watchedReason: pageComplete.watchedReason }),
      ...strip,
      // What the page draws by itself is part of the time, where it counts.
      ...defined({ lateContent: lateAt === undefined ? lateContent : undefined, ablation }),
    },
    ...defined({ mainThread, coverage }),
    ...(ablated && { held: patternsOf(ablated.trial.held) }),
    thumbnails: images.thumbnails,
    runs: (ablated ? [visited, ablated.trial.without] : [visited]).map(withoutPictures),
    ...(filmedScene && { contest: (ofOther) => contest(filmedScene, proved.policy, ofOther, options) }),
  };
}

function outcomeOf({ suspects: held, same, trial: { without } }: Ablated, whole: Visit): AblationOutcome {
  const suspects = held.map(({ suspect }) => suspect);
  return { held, same, cameAnotherWay: without.visit !== undefined && cameAnotherWay(whole, without.visit, suspects) };
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
function withContentDrawn(loaded: LoadedRun, at: Ms, complete: PageComplete | undefined): LoadedRun {
  const { outcome } = loaded;
  if (!outcome.ok || !complete) return loaded;
  return { ...loaded, outcome: { ...outcome, recording: withDrawing(outcome.recording, at, complete) } };
}

/** What the trace says until page complete. */
async function mainThreadOf(
  { visit }: FinishedRun,
  { writeTrace, sources }: Pick<EvidenceOptions, 'writeTrace' | 'sources'>,
): Promise<MainThread | undefined> {
  const { recording, complete } = visit ?? {};
  if (!recording?.trace || !complete) return undefined;
  const { events, frameId, zero } = recording.trace;
  const until = complete.state === 'complete' ? complete.at : recording.observedUntil;
  const pageUrl = pageUrlOf(recording);
  const scope = { frameId, zero, until, pageUrl };
  const compiled = readMainThread(events, scope);
  const scripts = compiled?.byScript.filter(({ url, functions }) => url !== pageUrl && functions.length > 0) ?? [];
  const found = await sources?.(scripts);
  const lookups = found && lookupsIn(found);
  // Which scripts need a map is known only now, and the packages of all functions only with the maps.
  const read = lookups && lookups.size > 0 ? readMainThread(events, { ...scope, sources: lookups }) : compiled;
  const trace = await writeTrace(recording);
  const unreadMaps = found
    ? [...found.values()].flatMap(({ unread }) => unread ?? [])
    : mapsNobodyAskedFor(scripts, recording.coverage);
  return read && { ...read, ...(unreadMaps.length > 0 && { unreadMaps }), ...defined({ trace }) };
}

/** Maps that scripts name in their texts, as far as the browser gave these. */
function mapsNobodyAskedFor(
  scripts: readonly { readonly url: string }[],
  coverage: Recording['coverage'],
): readonly UnreadMap[] {
  return scripts.flatMap(({ url }) => {
    const text = coverage?.texts.find((each) => each.kind === 'script' && each.url === url)?.text;
    const map = text === undefined ? undefined : mapNamedBy(text);
    return map === undefined ? [] : [{ url, map: cutTo(map, LONGEST_MAP_NAME), reason: { code: 'not-asked' } }];
  });
}

/** A film and a trace are large; once they have been read, nobody needs them. */
function withoutPictures(done: FinishedRun): FinishedRun {
  const { outcome } = done.loaded;
  if (!outcome.recording) return done;
  const {
    animations: _animations,
    lastPicture: _last,
    outline: _outline,
    frameOutlines: _frameOutlines,
    earlierOutline: _earlier,
    pictures: _pictures,
    saysBusy: _saysBusy,
    canvases: _canvases,
    numbers: _numbers,
    earlierNumbers: _earlierNumbers,
    trace: _trace,
    coverage: _coverage,
    ...rest
  } = outcome.recording;
  const recording: Recording = { ...rest, frames: [] };
  return {
    ...done,
    loaded: { ...done.loaded, outcome: outcome.ok ? { ...outcome, recording } : { ...outcome, recording } },
    ...(done.visit && { visit: { ...done.visit, recording } }),
  };
}

// --- What it looked like -------------------------------------------------------------------------------------------

/** A moment that a reader asks for, and when the film shows it. */
interface Moment {
  readonly at: Ms;
  readonly seenAt: Ms;
  readonly moment: PictureMoment;
  readonly endpoint?: string;
}

/** The filmstrip with the moments in it, and how much was there by when. */
async function stripOf(
  { run, visit }: FinishedRun,
  suspects: readonly Suspect[],
  impacts: ReadonlyMap<string, FilmedSuspect>,
  film: FilmReading,
  images: EvidenceImages,
): Promise<Pick<Evidence, 'pictures' | 'film' | 'progress' | 'speedIndex'>> {
  if (!visit) return { pictures: [] };
  const { complete, recording } = visit;
  const { frames, observedUntil } = recording;
  const arrivals = suspects.flatMap((suspect) => suspect.arrivals);
  const goalAt = complete.state === 'complete' ? completeSeenAt(complete.at, arrivals, observedUntil) : observedUntil;
  const { sketches, moving } = film;
  const progress = progressOf(sketches, goalAt, moving);
  const moments = momentsOf(run, goalAt, suspects, impacts, film, recording);
  const changedAt = film.changes.map(({ at }) => at);
  const times = keyFrames(
    defined({ sketches, changedAt, moving }),
    moments.map(({ seenAt }) => seenAt),
    goalAt,
    KEY_FRAMES,
  );
  const strip: FilmFrame[] = [];
  for (const at of times) {
    const frame = frames.find((each) => each.at === at);
    const share = shareAt(progress, at);
    if (!frame) continue;
    const file = await images.addFrame(decodePng(frame.image));
    strip.push({ at, file, ...defined({ progress: share }) });
  }
  const speedIndex = speedIndexOf(progress);
  return {
    pictures: moments.flatMap(({ at, seenAt, ...seen }): readonly EvidencePicture[] => {
      const shown = strip.findLast((each) => each.at <= seenAt) ?? strip[0];
      const caption = momentInWords(seen, pageUrlOf(recording));
      return shown ? [{ at: Math.max(0, at), file: shown.file, caption, ...seen }] : [];
    }),
    ...(strip.length > 0 && { film: strip }),
    ...(progress.length > 0 && { progress }),
    ...defined({ speedIndex }),
  };
}

/** First and largest contentful paint, page complete, what suspects changed first, and the end, in order of time. */
function momentsOf(
  { metrics, pageComplete }: RunResult,
  goalAt: Ms,
  suspects: readonly Suspect[],
  impacts: ReadonlyMap<string, FilmedSuspect>,
  film: FilmReading,
  recording: Recording,
): readonly Moment[] {
  const { observedUntil } = recording;
  const changedAt = film.changes.map(({ at }) => at);
  const paint = (at: Ms | undefined, moment: PictureMoment): readonly Moment[] =>
    at === undefined ? [] : [{ at, seenAt: paintSeenAt(at, changedAt), moment }];
  const completeAt = pageComplete?.state === 'complete' ? pageComplete.at : undefined;
  const changed = suspects.flatMap(({ key, endpoint: { label } }): readonly Moment[] => {
    const [at] = impacts.get(key)?.changedAt ?? [];
    return at === undefined ? [] : [{ at, seenAt: at, moment: 'data-arrived', endpoint: label }];
  });
  return [
    ...paint(metrics?.firstContentfulPaint, 'first-contentful-paint'),
    ...paint(metrics?.largestContentfulPaint, 'largest-contentful-paint'),
    ...(completeAt === undefined ? [] : [{ at: completeAt, seenAt: goalAt, moment: 'page-complete' as const }]),
    ...changed.slice(0, PICTURES_OF_CHANGES),
    { at: observedUntil, seenAt: observedUntil, moment: 'end' as const },
  ].sort((a, b) => a.at - b.at);
}
