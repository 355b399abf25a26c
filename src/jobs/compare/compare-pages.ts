import { randomInt } from 'node:crypto';
import { PAIRS_PER_BLOCK } from '../../core/experiment/blocks.ts';
import { mostPairsOfPage, pagesOfRound, planOfPage } from '../../core/experiment/pages.ts';
import { PORT_PLACE } from '../../core/text/port-place.ts';
import { BUILDS } from '../../model/compare/build.ts';
import type { ComparePagesResult } from '../../model/compare/comparison.ts';
import type { Lab } from '../../model/recording/lab.ts';
import type { Progress } from '../../model/result/progress.ts';
import type { ComparePagesReport } from '../../model/result/report.ts';
import type { Ms } from '../../model/units.ts';
import { fileFormats } from '../../reporters/formats.ts';
import type { ResolvedCompare } from '../../settings/resolved.ts';
import { RESULT_FILE } from '../../shell/disk/stored-results.ts';
import { stated } from '../../wording/host/conditions.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { noteInWords } from '../../wording/result/notes.ts';
import { ensure } from '../engine/code/packages.ts';
import { defaultFolder, type JobOutcome, resultHeader } from '../engine/job.ts';
import { browserOf, closeMeanwhile, openLabs } from '../engine/labs.ts';
import { attempt, type Problem, problem, shownProblems } from '../engine/problem.ts';
import { noted } from '../engine/progress-events.ts';
import { createReachabilityCheck } from '../engine/reachable.ts';
import { folderOf, type JobOutput, openOutput } from '../engine/reports/output.ts';
import { prepareFormats } from '../engine/reports/prepare-formats.ts';
import { redactDeep } from '../engine/reports/report-model.ts';
import { clearingLab, earlierResult } from '../engine/result/earlier-result.ts';
import { openScript } from '../engine/script.ts';
import { askedFor } from './asked-for.ts';
import { type MadeBuilds, type OpenBuilds, perBuild, withQuery } from './builds.ts';
import { type CompareHooks, nameBuilds } from './compare.ts';
import { comparePagesReport, exitOfPages, problemsOfPages, type ReportedPage } from './compare-pages-result.ts';
import { planFor } from './compare-plan.ts';
import { compareReport } from './compare-result.ts';
import { readOthers, readStored, resumable, type StoredComparison } from './compare-state.ts';
import { compareWriter } from './compare-writer.ts';
import { ComparedPageJob } from './compared-page.ts';
import { blockIndex, newComparison, sidesOf, timedLoads, timedLoadsAhead } from './comparison.ts';
import { createContext, timer } from './create-context.ts';
import { isResumable, makeBuilds } from './make-builds.ts';
import { gatesOfLoad, onlyPage, type PageToCompare, pagesToCompare, stepName, urlsOfPage } from './pages.ts';
import { createProving } from './prove-builds.ts';
import { sideNames } from './side-names.ts';
import { planSteps } from './steps/plan-steps.ts';
import { createStepFolders } from './steps/step-folders.ts';

/** What a caller of `comparePages` may hook into. */
export interface ComparePagesHooks extends CompareHooks {
  /** What a list of pages called `-` is read from; the standard input when absent. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
}

/** What a comparison of several pages leaves behind. */
export type ComparePagesOutcome = JobOutcome<ComparePagesResult, ComparePagesReport>;

/**
 * Compares several pages of two builds in one experiment, and the steps that scripts do after their loads: in rounds, a block
 * of each page that is open, until each has an answer, and writes reports. Results are on disk after every round, and what they
 * come from after every block. Rejects with a `QuiesceError` when nothing could be started.
 */
export async function comparePages(
  settings: ResolvedCompare,
  hooks: ComparePagesHooks = {},
): Promise<ComparePagesOutcome> {
  const { signal = new AbortController().signal } = hooks;
  const { builds, servers, pages: asked, sides, browser: browserSettings, formats, redact, erase, failOn } = settings;
  const onProgress = (event: Progress): void => hooks.onProgress?.(redactDeep(event, erase));
  const own = sideNames(sides, servers?.env);
  const isSameAllowed = BUILDS.some((build) => own[build] !== '');
  const named = await nameBuilds(settings, isSameAllowed);
  const [base] = named.places;
  const baseUrl = base?.url !== undefined && URL.canParse(base.url) ? base.url : undefined;
  const pages =
    asked === undefined
      ? [onlyPage(settings, baseUrl ?? servers?.url.replace(PORT_PLACE, '1'))]
      : await pagesToCompare(asked, settings, {
          signal,
          stdin: hooks.stdin ?? process.stdin,
          base: baseUrl,
          note: (note) => onProgress(noted(note)),
        });
  const seed = settings.design.seed ?? randomInt(2 ** 32);
  const plans = pages.map((page, i) => {
    const plan = planOfPage(planFor({ builds, design: designOf(page, pages, seed) }), i, pages.length);
    return { ...plan, gates: gatesOfLoad(page) };
  });
  const jobs: ComparedPageJob[] = [];
  const scripts = await Promise.all(
    pages.map(async (page) => ({
      base: await openScript(page.sides.base.script),
      candidate: await openScript(page.sides.candidate.script),
    })),
  );
  const reachability = createReachabilityCheck(browserSettings.browserWs, (note) => onProgress(noted(note)));
  await reachability.checkAddress(named.places);
  if (pages.some(({ loading }) => loading.lighthouseRuns > 0)) await ensure('lighthouse', browserSettings, hooks);
  const started = (lab: Lab): void => {
    for (const { comparison } of jobs) comparison.browser = browserOf(lab);
    reachability.checkBrowser(lab);
  };
  if (settings.shard && scripts.some(({ base, candidate }) => base?.measures || candidate?.measures)) {
    throw new QuiesceError('options-contradict', {
      option: '--shard',
      detail: '--script',
      suggestion: 'leave one of them out, because one machine compares all steps',
    });
  }
  const labs = await openLabs(browserSettings, hooks, started, () => prepareFormats(formats));
  const now = new Date();
  const folder = settings.out ?? defaultFolder(`${named.slugs.base}-${named.slugs.candidate}`, now);
  const output = await openOutput(folder, formats.length > 0);
  const conditions = pages.map((page, i) =>
    redactDeep(
      {
        ...(asked !== undefined && { pages: pages.map(({ path }) => path) }),
        ...askedFor({ ...settings, ...page }, plans[i] ?? missing(), named.states),
      },
      redact,
    ),
  );
  const stored = await storedPages(output, pages, conditions, settings.resume);
  const clearEarlier = stored ? undefined : await earlierResult(output.folder, settings);
  await output.store.hold();
  const begun = stored?.find((each) => each !== undefined);
  const { made, before } = await makeBuilds(named, settings, output, begun, { signal, onProgress });
  const shared = {
    ...clearingLab(labs.lab, clearEarlier),
    secondBrowser: labs.secondBrowser,
    hooks,
    signal,
    made,
    tempFiles: output.openTempFiles(),
    timeLeft: timer(settings.budgetTime),
  };
  const mayResume = isResumable(settings, named);
  const startedAt = begun?.head.startedAt ?? now.toISOString();

  const folderFor = createStepFolders(pages, stored);
  let refused: QuiesceError | undefined;

  /** Opens the comparison of a page. */
  const openPage = (page: PageToCompare, i: number, opened: OpenBuilds): ComparedPageJob => {
    const plan = plans[i] ?? missing();
    const comparison = newComparison(
      {
        // As if it had been compared alone.
        settings: page.isOnly ? settings.stored : { ...settings.stored, pages: [page.path] },
        names: perBuild((build) => {
          const side = own[build] === '' ? '' : ` (${own[build]})`;
          return `${made.targets[build].name}${side}${page.isOnly ? '' : ` ${page.path}`}`;
        }),
        sources: named.sources,
        conditions: stated(page.loading.options.conditions),
        policy: page.loading.policy,
        ownMetrics: page.loading.options.metrics,
        budgets: page.loading.budgets,
        oneAtATime: servers !== undefined && !servers.url.includes(PORT_PLACE),
        startedAt: new Date(startedAt),
        isResumable: mayResume,
        pages: pages.length,
      },
      plan,
      stored?.[i],
    );
    if (made.notes) comparison.serverNotes = made.notes;
    const place = { name: page.name, index: i + 1, of: pages.length };
    const inFolder = folderOf(output, page.folder);
    const context = createContext(
      comparison,
      { ...settings, ...page },
      {
        ...shared,
        scripts: scripts[i] ?? { base: undefined, candidate: undefined },
        output: inFolder,
        outputOf: (step) => folderOf(output, folderFor(page, step)),
        onProgress: (event) => onProgress(ofPage(event, place, aheadOfOthers(jobs, i))),
      },
    );
    const urls = page.isOnly ? opened.urls : urlsOfPage(opened.urls, page.path);
    const withQueries = perBuild((build) => withQuery(urls[build], page.sides[build].query));
    const writer = compareWriter(comparison, conditions[i] ?? {}, ownFormats, inFolder, redact);
    return new ComparedPageJob(page, comparison, context, writer, { ...opened, urls: withQueries });
  };

  // Its own page is all that a page, or a step, writes: the other formats are of all of them.
  const ownFormats = formats.filter((format) => format === 'html' || format === 'har');
  const problems: Problem[] = [];
  const header = () => {
    const noteFacts = made.notes?.() ?? [];
    return redactDeep(
      {
        ...resultHeader(new Date(startedAt)),
        browser: jobs[0]?.comparison.browser ?? { product: 'none' },
        settings: { ...settings.stored, seed },
        ...(signal.aborted && { interrupted: true }),
        ...(named.sources.candidate && { source: named.sources.candidate }),
        ...(noteFacts.length > 0 && { notes: noteFacts.map(noteInWords), noteFacts }),
      },
      redact,
    );
  };
  const alpha = settings.design.alpha;
  const reportedNow = (): readonly ReportedPage[] => jobs.flatMap((job) => reported(job, folderFor, redact));
  const saveResult = async (): Promise<void> => {
    if (!formats.includes('json')) return;
    const { result } = comparePagesReport(header(), reportedNow(), alpha);
    await output.write(RESULT_FILE, `${JSON.stringify(result, null, 2)}\n`);
  };
  try {
    await attempt(problems, async () => {
      const opened = await made.open({ base: undefined, candidate: undefined }, before?.base);
      try {
        for (const build of BUILDS) {
          const { name, folder: served } = made.targets[build];
          if (served !== undefined) onProgress({ kind: 'serving', target: name, url: opened.urls[build] });
        }
        for (const [i, page] of pages.entries()) jobs.push(openPage(page, i, opened));
        refused = await measurePages(jobs, made.targets, seed, saveResult);
      } finally {
        await opened.close();
      }
    });
    if (refused) {
      for (const job of jobs) await job.writer.forget();
      await output.store.release();
      await output.discard();
      throw refused;
    }
    if (problems.length > 0) for (const job of jobs) job.stop('broken');
    const outcome = await closeMeanwhile(labs.close, () => conclude());
    const isAnything = jobs.some(({ comparison }) => comparison.blocks.length > 0 || sidesOf(comparison));
    if (isAnything || settings.out !== undefined) return outcome;
    await output.store.release();
    await output.discard();
    return { ...outcome, files: [] };
  } finally {
    await labs.close();
    await made.close();
    await shared.tempFiles.close();
    await output.store.release();
  }

  /** Writes what is left behind. */
  async function conclude(): Promise<ComparePagesOutcome> {
    const isOver =
      jobs.length > 0 && jobs.every(({ stopped = 'interrupted' }) => !['interrupted', 'broken'].includes(stopped));
    const exit = (all: readonly ReportedPage[]): number => exitOfPages(all, failOn, problems, signal.aborted);
    let report: ComparePagesReport | undefined;
    let all: readonly ReportedPage[] = [];
    await attempt(problems, async () => {
      if (shared.hasEarlier()) return;
      if (!isOver) for (const job of jobs) await saveForLater(job);
      all = reportedNow();
      report = comparePagesReport(header(), all, alpha, exit(all));
      for (const { format, file, load } of fileFormats) {
        if (formats.includes(format)) await output.write(file, (await load()).comparePages(report));
      }
      for (const job of jobs) {
        if (job.leftOut !== undefined) continue;
        await job.writer.writeReports(() => exit(all));
        for (const { name, comparison, leftOut } of job.steps) {
          const inFolder = folderOf(output, folderFor(job.page, name));
          const writer = compareWriter(comparison, {}, ownFormats, inFolder, redact);
          if (leftOut === undefined) await writer.writeReports(() => exit(all));
        }
      }
      if (isOver || !mayResume) for (const job of jobs) await job.writer.forget();
    });
    if (all.length === 0) all = reportedNow();
    report ??= comparePagesReport(header(), all, alpha, exit(all));
    const files = output.files();
    onProgress({ kind: 'written', files });
    const found = [...problems, ...problemsOfPages(all, failOn)];
    const canResume = mayResume && !isOver && jobs.some(({ comparison }) => sidesOf(comparison));
    if (signal.aborted) found.push(problem('interrupted', { path: canResume ? output.folder : undefined }));
    else if (canResume && problems.length > 0) found.push(problem('resume-possible', { path: output.folder }));
    return {
      result: report.result,
      report,
      out: output.folder,
      files,
      exit: exit(all),
      problems: shownProblems(found, erase),
    };
  }
}

/** The plan's options of a page: where nobody says how many pairs there may be, as many as the share of α needs. */
function designOf(page: PageToCompare, pages: readonly PageToCompare[], seed: number): PageToCompare['design'] {
  const { design } = page;
  const isSaid = design.maxPairs !== undefined || design.looks !== undefined;
  const maxPairs = mostPairsOfPage(design.alpha / Math.max(1, gatesOfLoad(page).length), pages.length);
  return { ...design, seed, ...(!isSaid && { maxPairs }) };
}

/** What of each page was stored before an interruption; undefined where the comparison begins anew. */
async function storedPages(
  output: JobOutput,
  pages: readonly PageToCompare[],
  conditions: readonly Parameters<typeof resumable>[1][],
  resume: boolean,
): Promise<readonly (StoredComparison | undefined)[] | undefined> {
  const found = await Promise.all(
    pages.map((page) => readStored(folderOf(output, page.folder).store, (n) => blockIndex(n))),
  );
  const checked = found.map((each, i) => each && resumable(each, conditions[i] ?? {}, resume, output.folder));
  if (checked.some((each) => each !== undefined)) return checked;
  const others = await readOthers(
    output.store,
    pages.map(({ folder }) => folder),
  );
  resumable(others, conditions[0] ?? {}, resume, output.folder);
  return undefined;
}

// --- Measuring ----------------------------------------------------------------------------------------------------

/** All pages untimed, then rounds of those that are open, then what explains the answers. Gives the error for a gate of no step. */
async function measurePages(
  jobs: readonly ComparedPageJob[],
  targets: MadeBuilds['targets'],
  seed: number,
  saveResult: () => Promise<void>,
): Promise<QuiesceError | undefined> {
  for (const job of jobs) await job.findIn(targets);
  await provePages(jobs.filter(({ stopped }) => stopped === undefined));
  const refused = planSteps(jobs);
  if (refused) return refused;
  for (const job of jobs) job.start();
  await loadInRounds(jobs, seed, saveResult);
  for (const job of jobs) await job.conclude();
  for (const job of jobs) if (job.pairs > 0 && job.context.timeLeft() > 0) await job.inspect();
  return undefined;
}

/** Loads all pages untimed, or as many as there is time for: half of it is for loads that are timed. */
async function provePages(jobs: readonly ComparedPageJob[]): Promise<void> {
  const unproved = jobs.flatMap(({ toProve }) => toProve ?? []);
  const proving = createProving(unproved);
  const half = (jobs[0]?.context.timeLeft() ?? 0) / 2;
  try {
    for (const job of jobs) {
      const { signal, timeLeft } = job.context;
      const i = unproved.findIndex(({ comparison }) => comparison === job.comparison);
      const isTime = i === 0 ? timeLeft() > 0 : i === -1 || timeLeft() >= half;
      if (signal.aborted) job.stop('interrupted');
      else if (isTime) await job.begin(proving.prove, i);
      else job.stop('out-of-time');
    }
  } finally {
    await proving.close();
  }
}

async function loadInRounds(
  jobs: readonly ComparedPageJob[],
  seed: number,
  saveResult: () => Promise<void>,
): Promise<void> {
  const first = 1 + Math.max(0, ...jobs.map(({ comparison }) => comparison.blocks.length));
  for (let round = first; ; round++) {
    const known = jobs.map((job) => job.progress(0).pairTime).filter((time) => time > 0);
    const usual = known.length === 0 ? 0 : known.reduce((sum, time) => sum + time, 0) / known.length;
    const left = jobs[0]?.context.timeLeft();
    const order = pagesOfRound(
      jobs.map((job) => job.progress(usual)),
      { seed, round, ...(left !== undefined && { left }) },
    );
    if (order.length === 0) return;
    for (const which of order) {
      const job = jobs[which];
      if (!job) continue;
      const reason = whyOver(job, jobs, job.progress(usual).pairTime * PAIRS_PER_BLOCK);
      if (reason) for (const each of jobs) each.stop(reason);
      if (job.stopped === undefined) await job.loadBlock();
    }
    await saveResult();
  }
}

/** Why no page is loaded any more. `blockTime`: how long the next block probably takes. */
function whyOver({ context }: ComparedPageJob, jobs: readonly ComparedPageJob[], blockTime: Ms) {
  if (context.signal.aborted) return 'interrupted';
  if (context.failFast && jobs.some(({ stopped }) => stopped === 'failed')) return 'failed';
  const left = context.timeLeft();
  return left > 0 && left >= blockTime ? undefined : 'out-of-time';
}

/** An interrupted page: whoever reads the report has looked at its intervals. */
async function saveForLater({ comparison, steps, writer, context }: ComparedPageJob): Promise<void> {
  for (const each of [comparison, ...steps.map((step) => step.comparison)]) {
    const pairs = timedLoads(each) / 2;
    if (pairs > 0 && context.signal.aborted && !each.plan.looks.includes(pairs)) each.extraLooks.push(pairs);
  }
  await writer.saveHead();
  for (const block of comparison.blocks) await writer.saveBlock(block);
}

// --- Parts --------------------------------------------------------------------------------------------------------

/** A page as it stands, and then its steps. */
function reported(
  { page, comparison, leftOut, steps }: ComparedPageJob,
  folderFor: (page: PageToCompare, step: string) => string,
  redact: Parameters<typeof compareReport>[1],
): readonly ReportedPage[] {
  const { name, path, folder } = page;
  return [
    { name, path, folder, report: compareReport(comparison, redact), leftOut },
    ...steps.map((step) => ({
      name: stepName(page, step.name),
      path,
      folder: folderFor(page, step.name),
      step: step.name,
      report: compareReport(step.comparison, redact),
      leftOut: step.leftOut,
    })),
  ];
}

/** Loads that other pages may still need. */
function aheadOfOthers(jobs: readonly ComparedPageJob[], own: number): number {
  const open = jobs.filter(({ stopped }, i) => i !== own && stopped === undefined);
  return open.reduce((sum, { comparison }) => sum + timedLoadsAhead(comparison), 0);
}

/** An event with the page that it is about; where there is but one, only its load is told from its steps. */
function ofPage(event: Progress, page: { name: string; index: number; of: number }, others: number): Progress {
  if (page.of === 1 && event.kind !== 'comparison-progress') return event;
  switch (event.kind) {
    case 'note': {
      const isNamed = event.note.code === 'left-out' || event.note.code === 'leads-elsewhere';
      return isNamed ? event : { ...event, message: `${page.name}: ${event.message}` };
    }
    case 'loads-ahead': {
      const { within: _, ...ahead } = event;
      return { ...ahead, loads: ahead.loads + others };
    }
    case 'run-started':
    case 'run-progress':
    case 'run-retried':
    case 'run-finished':
      return { ...event, page, build: event.target === 'candidate' ? 'candidate' : 'base' };
    case 'comparison-progress':
      // That of a step names it.
      return { ...event, page: event.page ?? page };
    default:
      return event;
  }
}

function missing(): never {
  throw new RangeError('every page has a plan');
}
