import { movedCauses } from '../../core/causes/lookup.ts';
import { otherBuild } from '../../core/changes/other-build.ts';
import { moveRules, shareRules } from '../../core/changes/share.ts';
import { warmUpPolicy } from '../../core/completion/warm-up.ts';
import { originOf } from '../../core/requests/origin.ts';
import { defined } from '../../core/text/defined.ts';
import { BUILDS, type Build, type PerBuild } from '../../model/compare/build.ts';
import type { Progress } from '../../model/result/progress.ts';
import { gatherEvidence, type Proof } from '../engine/evidence/evidence.ts';
import { createUntimedOverlap, type UntimedTurn } from '../engine/evidence/untimed-overlap.ts';
import { noted } from '../engine/progress-events.ts';
import { comeAsOneUser, type FinishedRun, judgeRun, type LoadedRun, type PlannedRun } from '../engine/run.ts';
import type { StepSeries } from '../engine/step-series.ts';
import type { OpenBuilds } from './builds.ts';
import { buildLoader, type CompareContext, harName, type LoadBuild, runFinished } from './compare-context.ts';
import type { SideState } from './compare-state.ts';
import { type Comparison, isMeasured, mostPairs, pageUrlOf, sidesOf } from './comparison.ts';
import { openSteps } from './steps/open-steps.ts';

/** The builds of one page, to be loaded untimed. */
export interface ToProve {
  readonly builds: OpenBuilds;
  readonly comparison: Comparison;
  readonly context: CompareContext;
}

/** Pages on their way to being proved. */
export interface Proving {
  /**
   * Loads the builds of the i-th page untimed: it warms up the server, the operating system and the browser, and it shows what
   * is background, for both builds alike. In order of `i`. Gives a reason to stop when a build cannot be measured.
   */
  prove(i: number): Promise<'interrupted' | 'not-measurable' | undefined>;
  /** To be called before a load is timed. */
  close(): Promise<void>;
}

/** Proves one page after the other; each load begins when the one before is only watched, where that may be. */
export function createProving(pages: readonly ToProve[]): Proving {
  const [first] = pages;
  if (!first) return { prove: () => Promise.reject(new RangeError('no page')), close: async () => undefined };
  const { builds, context } = first;
  const { lab, secondBrowser, signal } = context;
  const labs = {
    lab,
    ...(secondBrowser && !builds.oneAtATime && { secondBrowser: () => secondBrowser(builds.secondBrowserArgs) }),
  };
  const items = pages.flatMap((page) => BUILDS.map((build) => ({ page, build })));
  const proved = new Map<(typeof items)[number], ProvedBuild>();
  const untimed = createUntimedOverlap(items, labs, signal, async (item, turn) => {
    const done = await proveInTurn(item.build, turn, item.page);
    if (done) proved.set(item, done);
  });
  return {
    prove: (i) =>
      proveBoth(pages[i] ?? first, async (build) => {
        const at = BUILDS.length * i + BUILDS.indexOf(build);
        await untimed.result(at);
        const item = items[at];
        const done = item && proved.get(item);
        // A film is large, and there may be many pages.
        if (item) proved.delete(item);
        return done;
      }),
    close: () => untimed.close(),
  };
}

async function proveInTurn(
  build: Build,
  turn: UntimedTurn,
  { builds, comparison, context }: ToProve,
): Promise<ProvedBuild | undefined> {
  const of = mostPairs(comparison);
  const loadable = { ...builds, use: (each: Build) => builds.use(each, turn.inSecondBrowser) };
  const load = buildLoader(loadable, of, { ...context, ...turn });
  const prove = () => proveBuild(build, builds.urls[build], of, load, context, turn.onOnlyWatched);
  const proved = await prove();
  // A build that fails now and then fails now and then; what never works fails twice.
  return proved && !works(proved.side) && !turn.signal.aborted && context.mayLoadMore() ? await prove() : proved;
}

async function proveBoth(
  { comparison, context }: ToProve,
  provedOf: (build: Build) => Promise<ProvedBuild | undefined>,
): Promise<'interrupted' | 'not-measurable' | undefined> {
  const { signal, loading, budget, onProgress } = context;
  const proofs: (readonly [Build, ProvedBuild])[] = [];
  for (const [i, build] of BUILDS.entries()) {
    const loads = (BUILDS.length - i) * (loading.evidence && loading.ablation ? 2 : 1);
    const within = budget.left();
    onProgress({ kind: 'loads-ahead', loads: loads + 2 * mostPairs(comparison), atMost: true, within });
    const proved = await provedOf(build);
    if (proved) comparison.sides[build] = proved.side;
    if (!proved || !works(proved.side)) return signal.aborted ? 'interrupted' : 'not-measurable';
    proofs.push([build, proved]);
  }
  await contestRules(proofs, comparison, context);
  if (signal.aborted) return 'interrupted';
  shareProvedRules(comparison);
  openSteps(comparison, new Map(proofs.map(([build, { steps }]) => [build, steps])));
  // With the rules of both: what is background in one is expected of neither.
  for (const [build, { filmed }] of proofs) {
    if (filmed) context.endings[build].learn(judgeRun(filmed, comparison.sides[build]?.learnt ?? []));
  }
  dropUnmeasuredGates(comparison, context.onProgress);
  return undefined;
}

/** Asks of each build whether its page can do without what is background in the other. */
async function contestRules(
  proofs: readonly (readonly [Build, ProvedBuild])[],
  { sides }: Comparison,
  { mayLoadMore }: CompareContext,
): Promise<void> {
  const before = { ...sides };
  for (const [build, { contest }] of proofs) {
    const own = before[build];
    const other = before[otherBuild(build)];
    if (!own || !other?.learnt || !contest || !mayLoadMore()) continue;
    const kept = await contest(moveRules(other.learnt, pageUrlOf(other), pageUrlOf(own)));
    if (kept.length > 0) sides[build] = { ...own, learnt: [...(own.learnt ?? []), ...kept] };
  }
}

/** A folder may be served at another port than before the interruption. */
export function moveBuilds(urls: PerBuild<string>, { sides }: Comparison): void {
  for (const build of BUILDS) {
    const side = sides[build];
    const to = urls[build];
    if (!side || side.url === to) continue;
    const [from, origin] = [originOf(side.url), originOf(to)];
    sides[build] = {
      ...side,
      url: to,
      learnt: moveRules(side.learnt ?? [], side.url, to),
      ...defined({
        held: side.held?.map((pattern) => pattern.replace(`${from}/`, `${origin}/`)),
        causes: side.causes && movedCauses(side.causes, from, origin),
        awaited: side.awaited?.map((each) => ({ ...each, endpoint: each.endpoint.replace(`${from}/`, `${origin}/`) })),
      }),
    };
  }
}

/** What is background in one build is background in the other: both are judged with what both have taught. */
export function shareProvedRules(comparison: Comparison): void {
  const sides = sidesOf(comparison);
  if (!sides) return;
  const { base, candidate } = sides;
  const shared = shareRules(
    { learnt: base.learnt ?? [], pageUrl: pageUrlOf(base) },
    { learnt: candidate.learnt ?? [], pageUrl: pageUrlOf(candidate) },
  );
  for (const build of BUILDS) comparison.sides[build] = { ...sides[build], learnt: shared[build] };
}

function works({ untimed }: SideState): boolean {
  return untimed.some(({ ok }) => ok);
}

/** What the untimed runs of a build gave, and the one that was filmed. */
interface ProvedBuild {
  readonly side: SideState;
  /** What the untimed loads showed of each step after them. */
  readonly steps: ReadonlyMap<string, SideState>;
  readonly filmed?: LoadedRun;
  readonly contest?: Proof['contest'];
}

async function proveBuild(
  build: Build,
  url: string,
  of: number,
  load: LoadBuild,
  { loading, sources, options, scripts, steps, output, writeHar, writeTrace, onProgress }: CompareContext,
  onOnlyWatched: () => void,
): Promise<ProvedBuild | undefined> {
  const loadOnce = async (planned: PlannedRun): Promise<FinishedRun | undefined> => {
    const done = await load(build, planned);
    if (done) onProgress(runFinished(build, done.run, of));
    return done;
  };
  const warmUp = async (): Promise<Proof | undefined> => {
    const done = await loadOnce({ index: 0, role: 'discarded', policy: warmUpPolicy(loading.policy) });
    return done && { learntPolicy: {}, thumbnails: {}, runs: [done] };
  };
  const proof = loading.evidence
    ? await gatherEvidence({
        ...loading,
        sources: sources?.[build],
        oneAtATime: comeAsOneUser({ options: options[build], script: scripts[build] }),
        ablationIndex: 0,
        load: loadOnce,
        write: (name, content) => output.write(name, content),
        writeTrace: (recording) => writeTrace(recording, `${build}-trace.json.gz`),
        onOnlyWatched,
      })
    : await warmUp();
  if (!proof) return undefined;
  const untimed: FinishedRun[] = [];
  for (const done of proof.runs) await steps[build].add(done.loaded);
  for (const done of proof.runs) untimed.push(await writeHar(done, harName(build, done.run)));
  const page = untimed.findLast(({ visit }) => visit?.recording.page)?.visit?.recording.page;
  const side: SideState = {
    url,
    ...(page && { title: page.title, finalUrl: page.finalUrl }),
    ...proof.learntPolicy,
    ...defined({
      drawing: proof.drawing,
      evidence: proof.evidence,
      mainThread: proof.mainThread,
      causes: proof.causes,
      coverage: proof.coverage,
      files: proof.files,
      held: proof.held,
    }),
    thumbnails: proof.thumbnails,
    untimed: untimed.map(({ run }) => run),
  };
  const filmed = proof.runs.find(({ run }) => run.role === 'evidence')?.loaded;
  return { side, steps: sidesOfSteps(url, steps[build]), filmed, contest: proof.contest };
}

/** What is known of each step from the untimed loads of a build. */
function sidesOfSteps(url: string, { steps }: StepSeries): ReadonlyMap<string, SideState> {
  const sides = [...steps.values()].map(({ name, runs, rules }): [string, SideState] => [
    name,
    { url, ...runs.page, learnt: rules, thumbnails: {}, untimed: runs.results() },
  ]);
  return new Map(sides);
}

/** A gate metric that these pages do not have cannot decide; of a page that has none of them, nothing can. */
function dropUnmeasuredGates(comparison: Comparison, onProgress: (event: Progress) => void): void {
  const { plan } = comparison;
  const gates = plan.gates.filter((gate) => isMeasured(gate, comparison));
  const missing = plan.gates.filter((gate) => !gates.includes(gate));
  if (gates.length === 0 || missing.length === 0) return;
  onProgress(noted({ code: 'gates-not-measured', metrics: missing }));
  comparison.plan = { ...plan, gates };
}
