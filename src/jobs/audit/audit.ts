import { setImmediate } from 'node:timers/promises';
import type { Redactor } from '../../core/har/redact.ts';
import { type Secrecy, withLoginsIn } from '../../core/har/secrecy.ts';
import { shardOf } from '../../core/shards.ts';
import { defined } from '../../core/text/defined.ts';
import type { Lab } from '../../model/recording/lab.ts';
import type { PagesNote } from '../../model/result/note.ts';
import type { Progress } from '../../model/result/progress.ts';
import type { AuditReport } from '../../model/result/report.ts';
import type { AuditHeader, AuditResult, TargetResult } from '../../model/result/result.ts';
import type { FailOn } from '../../model/settings.ts';
import type { ReportFormat } from '../../reporters/formats.ts';
import { auditJson } from '../../reporters/json.ts';
import { failOnOfAudit } from '../../result/fail-on.ts';
import { outcomeOf } from '../../result/outcome.ts';
import type { ResolvedAudit } from '../../settings/resolved.ts';
import { RESULT_FILE } from '../../shell/disk/stored-results.ts';
import { fetchScript } from '../../shell/source-maps/fetch.ts';
import { noteInWords } from '../../wording/result/notes.ts';
import { pack } from '../engine/code/compressed.ts';
import { ensure } from '../engine/code/packages.ts';
import { scriptSources } from '../engine/code/script-sources.ts';
import { defaultFolder, type JobHooks, type JobOutcome, resultHeader } from '../engine/job.ts';
import { browserOf, closeMeanwhile, openLabs } from '../engine/labs.ts';
import { attempt, type Problem, problem, shownProblems } from '../engine/problem.ts';
import { noted } from '../engine/progress-events.ts';
import { createReachabilityCheck } from '../engine/reachable.ts';
import { auditReports, PAGES_WITH_ALL_WATERFALLS } from '../engine/reports/audit-reports.ts';
import { harWriter } from '../engine/reports/har-file.ts';
import { type JobOutput, openOutput } from '../engine/reports/output.ts';
import { prepareFormats } from '../engine/reports/prepare-formats.ts';
import { redactDeep } from '../engine/reports/report-model.ts';
import { traceWriter } from '../engine/reports/trace-file.ts';
import { clearingLab, earlierResult } from '../engine/result/earlier-result.ts';
import type { ReportedTarget } from '../engine/result/reported-target.ts';
import { shardPlaceOf } from '../engine/shard-place.ts';
import { sourcesOf } from '../engine/source.ts';
import { exitOfAudit, problemsOfTarget } from './audit-exit.ts';
import { type AuditSaving, saveAsItGrows } from './audit-saving.ts';
import type { AuditContext, AuditedPage } from './audited-page.ts';
import { measurePages } from './measure-pages.ts';
import { allPages, type ListContext, listedPages, type Page } from './pages.ts';
import { openServer } from './server.ts';

/** What a caller of `audit` may hook into. */
export interface AuditHooks extends JobHooks {
  /** What a `urlsFile` of `-` reads; the process's own when absent. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
}

/** What an audit leaves behind. */
export type AuditOutcome = JobOutcome<AuditResult, AuditReport>;

/**
 * Loads every page several times in fresh profiles, judges each load, and writes reports; results are on disk after
 * every run. Several pages take turns: first each is proved, then each round loads every page once. Rejects with a
 * `QuiesceError` when nothing could be started.
 */
export async function audit(settings: ResolvedAudit, hooks: AuditHooks = {}): Promise<AuditOutcome> {
  const startedAt = new Date();
  const signal = hooks.signal ?? new AbortController().signal;
  const { formats, shard } = settings;
  const failOn = failOnOfAudit(settings.failOn, settings.stored);
  let { secrets, redact, erase }: Secrecy = settings;
  const onProgress = (event: Progress): void => hooks.onProgress?.(redactDeep(event, erase));
  const notes: PagesNote[] = [];
  const note = (each: PagesNote): void => {
    notes.push(each);
    onProgress(noted(each));
  };
  const lists: ListContext = { signal, stdin: hooks.stdin ?? process.stdin, note };
  let browser: AuditResult['browser'] = { product: 'none' };
  const reachability = createReachabilityCheck(settings.browser.browserWs, note);
  const started = (lab: Lab): void => {
    browser = browserOf(lab);
    reachability.checkBrowser(lab);
  };
  const loadings = [settings.loading, ...settings.pages.map(({ loading }) => loading)];
  if (loadings.some(({ lighthouseRuns }) => lighthouseRuns > 0)) {
    await ensure('lighthouse', settings.browser, { signal, onProgress });
  }
  const labs = await openLabs(settings.browser, hooks, started, () => prepareFormats(formats));
  // What is wrong with the list is reported before a server is started for nothing.
  const listed = await listedPages(settings, lists);
  await reachability.checkAddress(listed.map(({ target }) => target));
  const server = await openServer(settings.server, signal, onProgress);
  try {
    const all = await allPages(listed, settings, lists);
    // Lists hold addresses with logins, too.
    ({ secrets, redact, erase } = withLoginsIn(
      all.map(({ target }) => target.url),
      { secrets, redact, erase },
    ));
    const pages = shardOf(all, shard);
    const targets = pages.map(({ target }) => target);
    await reachability.checkAddress(targets);
    const place = shard && shardPlaceOf(shard, all.map(identityOf), all.length, settings.browser.browserWs);
    if (pages.length === 0 && shard) note({ code: 'empty-shard', ...shard, pages: all.length });
    const folder = settings.out ?? defaultFolder(targets[0]?.slug ?? 'audit', startedAt);
    const sources = await sourcesOf(targets, settings.commit ?? settings.ci);
    const output = await openOutput(folder, formats.length > 0);
    const clearEarlier = await earlierResult(output.folder, settings);
    await output.store.hold();
    const header = (): AuditHeader =>
      redactDeep(
        {
          ...resultHeader(startedAt),
          kind: 'audit',
          browser,
          settings: settings.stored,
          ...defined({ source: sources.result, shard: place }),
          ...(notes.length > 0 && { notes: notes.map(noteInWords), noteFacts: notes }),
          ...(signal.aborted && { interrupted: true }),
        },
        redact,
      );
    const audited: AuditedPage[] = [];
    const saving = formats.includes('json')
      ? saveAsItGrows(output.store, redact, () =>
          output.write(RESULT_FILE, auditJson(header(), resultsOf(audited, redact))),
        )
      : undefined;
    const tempFiles = output.openTempFiles();
    const { lab, hasEarlier } = clearingLab(labs.lab, clearEarlier);
    const context: AuditContext = {
      signal,
      tempFiles,
      output,
      redact,
      allWaterfalls: pages.length <= PAGES_WITH_ALL_WATERFALLS,
      writeHar: harWriter({ ...settings, secrets }, output),
      writeTrace: traceWriter({ formats, redact }, output),
      harContent: settings.har.content,
      sources: scriptSources((url) => fetchScript(url, signal)),
      lab,
      secondBrowser: labs.secondBrowser,
      onProgress,
      save: async (slug, target) => saving?.save(slug, target),
    };
    const problems: Problem[] = [];
    try {
      await measurePages({ pages, sources, server, onProgress }, audited, problems, context);
      // The default folder is deleted when nothing was measured, unless a shard's result is expected there.
      const keepsNothing = (settings.out === undefined && shard === undefined) || hasEarlier();
      const finished = { pages, audited, problems, header: header(), formats, failOn, saving };
      return await closeMeanwhile(labs.close, () =>
        conclude(
          { ...finished, keepsNothing },
          { output, signal, redact, erase, onProgress, closeTempFiles: () => tempFiles.close() },
        ),
      );
    } finally {
      await labs.close();
      await tempFiles.close();
      await output.store.release();
    }
  } finally {
    await server?.close();
  }
}

/** Identity of a page across shards. The folder's path is left out: it differs between machines. */
function identityOf({ name, slug, target }: Page) {
  return [target.name, name, slug];
}

/** Every target as it stands in result.json. */
function* resultsOf(audited: readonly AuditedPage[], redact: Redactor): Iterable<TargetResult> {
  for (const page of audited) for (const target of page.targets()) yield redactDeep(target.result(), redact);
}

// --- What is left behind ------------------------------------------------------------------------------------------

/** An audit that is over. */
interface FinishedAudit {
  readonly pages: readonly Page[];
  /** As many of them as were opened. */
  readonly audited: readonly AuditedPage[];
  /** What went wrong with the job itself. */
  readonly problems: Problem[];
  readonly header: AuditHeader;
  readonly formats: readonly ReportFormat[];
  readonly failOn: FailOn;
  /** Absent where result.json is not wanted. */
  readonly saving: AuditSaving | undefined;
  /** Leave no folder behind in which there is nothing to see. */
  readonly keepsNothing: boolean;
}

/** What its end is written with. */
interface Conclusion {
  readonly output: JobOutput;
  readonly signal: AbortSignal;
  /** For what is written. */
  readonly redact: Redactor;
  /** For what is only shown. */
  readonly erase: Redactor;
  onProgress(event: Progress): void;
  /** What memory did not hold is no longer needed. */
  closeTempFiles(): Promise<void>;
}

async function conclude(
  { pages, audited, problems, header, formats, failOn, saving, keepsNothing }: FinishedAudit,
  { output, signal, redact, erase, onProgress, closeTempFiles }: Conclusion,
): Promise<AuditOutcome> {
  const { targets, problems: found, unmeasured, isAnything } = await readTargets(pages, audited, redact, failOn);
  const exit = (): number =>
    exitOfAudit({ interrupted: signal.aborted, unmeasured, own: problems, problems: [...problems, ...found], failOn });
  const reports = await auditReports({ header: { ...header, exit: exit() }, targets, sizes: output.sizes });
  if (keepsNothing && !isAnything) {
    await closeTempFiles();
    await output.discard();
  } else {
    await attempt(problems, async () => {
      await reports.write({
        formats,
        output,
        onPage: (index, of) => onProgress({ kind: 'drawing', index, of }),
      });
      await saving?.done();
    });
  }
  const files = output.files();
  if (files.length > 0) onProgress({ kind: 'written', files });
  const all = [...problems, ...found, ...(signal.aborted ? [problem('interrupted')] : [])];
  return {
    get result() {
      return reports.result;
    },
    report: reports.report,
    out: output.folder,
    files,
    // What could not be written may have changed it.
    exit: exit(),
    problems: shownProblems(all, erase),
  };
}

/** All pages, each compressed as it is to be written, and what is wrong with them. */
async function readTargets(pages: readonly Page[], audited: readonly AuditedPage[], redact: Redactor, failOn: FailOn) {
  const targets: ReportedTarget[] = [];
  const problems: Problem[] = [];
  // Nothing may have fallen to this shard.
  let unmeasured = pages.length > 0 && audited.length === 0;
  let isAnything = false;
  for (const auditedPage of audited) {
    await setImmediate();
    const all = auditedPage.targets();
    unmeasured ||= all.length === 0;
    for (const target of all) {
      // What is said of it is what its report shows, and no more.
      const result = redactDeep(target.result(), redact);
      const name = result.name ?? (pages.length > 1 ? result.target : undefined);
      problems.push(...problemsOfTarget(result, auditedPage.page.loading.policy.timeout, failOn, name));
      unmeasured ||= outcomeOf(result) === 'unmeasured';
      isAnything ||= result.runs.some(({ ok }) => ok);
      targets.push({
        result: pack(result).unpack,
        async visuals() {
          // Pictures hold no text that could be redacted.
          const { waterfalls, thumbnails } = await target.visuals();
          return { waterfalls: redactDeep(waterfalls, redact), thumbnails };
        },
      });
    }
  }
  return { targets, problems, unmeasured, isAnything };
}
