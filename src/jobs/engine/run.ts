import { isOneUser } from '../../core/access/one-user.ts';
import { asWaitedFor } from '../../core/completion/mostly-complete.ts';
import { coverageFindings, type SlowScript, withUse } from '../../core/coverage/findings.ts';
import { withRules } from '../../core/evidence/filmed-drawing.ts';
import { hostHealth } from '../../core/host/health.ts';
import { measure, visitOf } from '../../core/measure.ts';
import { journeyOf } from '../../core/rendering/journey.ts';
import { isAccident } from '../../core/requests/load-failure.ts';
import { defined } from '../../core/text/defined.ts';
import { waterfallOf } from '../../core/waterfall.ts';
import type { EndpointRule, Policy } from '../../model/background/verdict.ts';
import type { Drawing } from '../../model/completion/drawing.ts';
import type { ExpectedContent } from '../../model/completion/expected.ts';
import type { CoveredFile } from '../../model/coverage.ts';
import type { KnownOfPage, Visit } from '../../model/network/visit.ts';
import type { Lab, LoadOutcome, LoadRequest } from '../../model/recording/lab.ts';
import type { CoverageFact, MainThreadFact } from '../../model/result/finding.ts';
import type { RetryReason } from '../../model/result/note.ts';
import type { Progress } from '../../model/result/progress.ts';
import type { Waterfall } from '../../model/result/report.ts';
import type { Failure, Finding, RunResult, RunRole } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';
import type { LoadOptions } from '../../settings/resolved.ts';
import { hostInWords } from '../../wording/host/reasons.ts';
import { findingInWords } from '../../wording/result/findings.ts';
import { runInWords } from '../../wording/result/run.ts';
import { waterfallInWords } from '../../wording/waterfall.ts';
import { withPlaces } from './code/script-places.ts';
import type { ScriptSources } from './code/script-sources.ts';
import { visibleAt } from './evidence/film.ts';
import { markDrawing, markDrawingOfSteps, stillDraws } from './evidence/last-change.ts';
import { runRetried } from './progress-events.ts';
import type { OpenScript } from './script.ts';

/** Where runs are loaded. */
export interface RunContext {
  /** As the user named it. */
  readonly target: string;
  readonly url: string;
  /** Timed runs that are planned. */
  readonly of: number;
  readonly content: boolean;
  /** Under which conditions, and with what to get in. */
  readonly options: LoadOptions;
  /** What is done before each load. */
  readonly script?: OpenScript;
  /** The steps that the script does after a load are measured; where they are `required`, a load fails with the first that does. */
  readonly steps?: 'measured' | 'required';
  /** Which build is loaded; only in comparisons. */
  readonly build?: 'base' | 'candidate';
  /** Scripts with their source maps; absent where they were not requested. */
  readonly sources?: ScriptSources | undefined;
  readonly signal: AbortSignal;
  /** How much CPU time the page's server has used by now, where that is known. */
  serverCpuTime?(): Ms | undefined;
  /** Why a load that failed is worth another try, as a clause; undefined when it is not. */
  retry(failure: Failure, role: RunRole): RetryReason | undefined;
  lab(): Promise<Lab>;
  onProgress(event: Progress): void;
}

/** What is to be loaded, and how it is judged. */
export interface PlannedRun {
  readonly index: number;
  readonly role: RunRole;
  readonly policy: Policy;
  readonly with?: Pick<
    LoadRequest,
    'film' | 'trace' | 'profile' | 'hold' | 'watchUntil' | 'onlyWatched' | 'onlyUpdating' | 'justBefore'
  >;
  /** How the page draws when its network is quiet, where an untimed run saw it. */
  readonly drawing?: Drawing;
  /** What an untimed run shows of used code: a timed run gives what sending less would save. */
  readonly covered?: readonly CoveredFile[];
  /** What an untimed run shows of the page's scripts, for the critical path. */
  readonly known?: KnownOfPage;
  /** What whole loads needed in each step of the script, by its name. */
  readonly expectedSteps?: ReadonlyMap<string, ExpectedContent>;
}

/** A load that is over. How it was asked for is left out: it may hold functions, and what came of it is plain. */
export interface LoadedRun extends Omit<PlannedRun, 'with' | 'drawing' | 'expectedSteps'> {
  readonly outcome: LoadOutcome;
  readonly attempts: number;
  /** What its trace showed, which is let go once it has been read. */
  readonly traced?: readonly MainThreadFact[];
}

/** A run with what is said and drawn of it. */
export interface FinishedRun {
  readonly loaded: LoadedRun;
  /** With what it was judged. */
  readonly policy: Policy;
  readonly run: RunResult;
  /** Absent when the load failed. */
  readonly visit?: Visit;
  readonly waterfall?: Waterfall;
}

/** Do all loads come as one user? What a script does before a load is not known. */
export function comeAsOneUser({
  options,
  script,
}: Pick<RunContext, 'options'> & { readonly script?: unknown }): boolean {
  return script !== undefined || isOneUser(options.access);
}

/** A browser that died says nothing of the page. */
export function retryDeadBrowser({ code }: Failure): RetryReason | undefined {
  return code === 'browser-lost' || code === 'browser-died' ? { code } : undefined;
}

/** The same, and what may have been an accident where all that follows depends on it: in an untimed load. */
export function retryAccident(failure: Failure, role: RunRole): RetryReason | undefined {
  const mayRepeat = role !== 'timed' && isAccident(failure);
  return retryDeadBrowser(failure) ?? (mayRepeat ? { code: 'load-failed', failure } : undefined);
}

/** One load, tried once more where that is worth it, and judged. Undefined when the user ended it. */
export async function loadRun(planned: PlannedRun, context: RunContext): Promise<FinishedRun | undefined> {
  const { index, role, policy, drawing = {}, covered, known } = planned;
  const filmsQuiet = drawing.filmed !== undefined;
  const { target, of, signal, onProgress } = context;
  onProgress({ kind: 'run-started', target, index, of, role });
  const load = async (): Promise<LoadOutcome> => {
    const lab = await context.lab();
    const used = context.serverCpuTime?.();
    const outcome = await lab.record(
      {
        url: context.url,
        policy,
        content: context.content && role === 'timed',
        ...context.options,
        ...scriptFor(planned, context),
        ...planned.with,
        domChanges: drawing.within !== undefined || (context.steps !== undefined && context.script?.measures === true),
        ...((planned.with?.film || filmsQuiet) && { visibleAt }),
        ...(filmsQuiet && {
          filmWhenQuiet: true,
          stillDraws: (soFar) => stillDraws(soFar, policy, drawing),
        }),
        onTick: (tick) => onProgress({ kind: 'run-progress', target, index, of, role, ...tick }),
      },
      signal,
    );
    const timed = withServerTime(outcome, used, context.serverCpuTime?.());
    return withJourney(context.sources ? await withPlaces(timed, context.sources) : timed, context);
  };
  try {
    let attempts = 1;
    let outcome = await load();
    const reason = outcome.ok ? undefined : context.retry(outcome.failure, role);
    if (reason) {
      onProgress(runRetried({ target, index, of, role }, reason));
      attempts = 2;
      outcome = await load();
    }
    if (!planned.with?.film) outcome = await markDrawing(outcome, policy, drawing);
    outcome = markDrawingOfSteps(outcome);
    return judgeRun({ index, role, policy, outcome, attempts, covered, known }, policy.learnt ?? []);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/** A process that has ended takes its time with it: then nothing is known. */
function withServerTime(outcome: LoadOutcome, from: Ms | undefined, to: Ms | undefined): LoadOutcome {
  if (!outcome.ok || from === undefined || to === undefined || to < from) return outcome;
  return { ...outcome, recording: { ...outcome.recording, serverCpuTime: to - from } };
}

/** A page with its suspects held back may well not do what a step wants of it. */
function scriptFor(
  { index, role, expectedSteps }: PlannedRun,
  { script, steps, url, build }: RunContext,
): Pick<LoadRequest, 'script'> {
  if (!script) return {};
  const context = { url, run: index, role, build };
  return {
    script: script.forLoad(context, steps !== undefined && role !== 'ablation', {
      expected: expectedSteps,
    }),
  };
}

/** The load with what was done in the steps after it. */
function withJourney(outcome: LoadOutcome, { steps: wanted }: Pick<RunContext, 'steps'>): LoadOutcome {
  if (!outcome.ok || outcome.steps === undefined) return outcome;
  const { recording, steps } = outcome;
  const failed = steps.find((step) => !step.outcome.ok)?.outcome;
  if (wanted === 'required' && failed?.ok === false) return { ok: false, failure: failed.failure, recording };
  const journey = journeyOf(steps);
  return { ...outcome, recording: { ...recording, ...defined({ journey }) } };
}

/** Everything that a result says of a load, judged with the rules that other runs have taught. */
export function judgeRun(loaded: LoadedRun, rules: readonly EndpointRule[]): FinishedRun {
  const { index, role, outcome, attempts } = loaded;
  // What was held back in an ablation run is background there, whatever it turned out to be.
  const policy = role === 'ablation' ? loaded.policy : withRules(loaded.policy, rules);
  const base = { index, role, ...(attempts > 1 && { attempts }) };
  if (!outcome.ok) return { loaded, policy, run: { ...base, ok: false, failure: outcome.failure } };
  const visit = visitOf(outcome.recording, policy, loaded.known);
  const measured = runInWords(measure(visit, policy), outcome.recording.navigation.url);
  const host = hostInWords(
    hostHealth(outcome.recording.hostSamples, measured.pageComplete.at, measured.metrics.stolenTime),
  );
  return withTraced({
    loaded,
    policy,
    run: { ...base, ok: true, ...measured, host },
    visit,
    waterfall: waterfallInWords(waterfallOf(visit, policy, index)),
  });
}

/** The run with what its trace showed, and what running and sending less code would save it, among its findings. */
export function withTraced(done: FinishedRun): FinishedRun {
  const { loaded, run, visit } = done;
  const pageUrl = visit?.recording.navigation.url ?? '';
  const own = run.findings ?? [];
  const { covered } = loaded;
  if (!covered || !visit) return withFindings(done, own, loaded.traced ?? [], pageUrl);
  const slow = new Set(own.filter(isSlowScript).map(({ facts }) => facts.url));
  const unused = coverageFindings(
    covered.filter(({ url }) => !slow.has(url)),
    asWaitedFor(visit),
  );
  const used = own.map((each) => (isSlowScript(each) ? findingInWords(withUse(each, covered), pageUrl) : each));
  return withFindings(done, used, [...(loaded.traced ?? []), ...unused], pageUrl);
}

function withFindings(
  done: FinishedRun,
  own: readonly Finding[],
  found: readonly (MainThreadFact | CoverageFact)[],
  pageUrl: string,
): FinishedRun {
  const findings = [...own, ...found.map((fact) => findingInWords(fact, pageUrl))];
  return findings.length === 0 ? done : { ...done, run: { ...done.run, findings } };
}

/** A finding that is this fix has its facts. */
function isSlowScript(finding: Finding): finding is Finding & SlowScript {
  return finding.code === 'slow-script';
}
