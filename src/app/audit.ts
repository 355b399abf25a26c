import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { roundOrder } from '../core/experiment/round-order.ts';
import { messageFor, UsageError } from '../core/messages.ts';
import { dealt } from '../core/shards.ts';
import { slugOf } from '../core/slug.ts';
import type { Progress } from '../model/progress.ts';
import type { AuditReport } from '../model/report.ts';
import type { AuditHeader, AuditResult, TargetResult } from '../model/result.ts';
import type { AuditSettings } from '../model/settings.ts';
import { auditJson } from '../report/json.ts';
import { openSpill, type Spill } from '../shell/spill.ts';
import { openStore, type Store } from '../shell/store.ts';
import { exitOfAudit, isMeasured, problemsOfTarget } from './audit-outcome.ts';
import { type AuditedPage, auditPage } from './audit-page.ts';
import { auditReports, type ReportedTarget } from './audit-report.ts';
import { type AuditSaving, saveAsItGrows } from './audit-saving.ts';
import {
  browserOf,
  defaultFolder,
  type JobHooks,
  type JobOutcome,
  linesOf,
  openLabs,
  type Problem,
  problemOf,
  resultHeader,
} from './job.ts';
import type { LabKeeper } from './labs.ts';
import { eraserOf, redactorOf, withoutSecrets } from './load-options.ts';
import { namesPages } from './names-pages.ts';
import { pack } from './packed.ts';
import { allPages, listedPages, type Page, type PageSurroundings } from './pages.ts';
import { createReach } from './reach.ts';
import { redactDeep } from './report-model.ts';
import { openServer, type ServerUnderTest } from './server.ts';
import { placeOf, shareOf } from './share.ts';
import { type Sources, sourcesOf } from './source.ts';

/** What a caller of `audit` may hook into. */
export interface AuditHooks extends JobHooks<AuditSettings> {
  /** What a `urlsFile` of `-` reads; the process's own when absent. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
}

/** What an audit leaves behind. */
export type AuditOutcome = JobOutcome<AuditResult, AuditReport>;

/** So many pages show the waterfall of every run; of more, each shows that of one run, or the report cannot be opened. */
export const PAGES_WITH_ALL_WATERFALLS = 10;
/** The file that is there from the first run on. */
const RESULT = 'result.json';

/**
 * Loads every page several times in fresh profiles, judges each load, and writes reports; results are on disk after
 * every run. Several pages take turns: first each is proved, then each round loads every page once. Rejects with a
 * `UsageError` when nothing could be begun.
 */
export async function audit(settings: AuditSettings, hooks: AuditHooks = {}): Promise<AuditOutcome> {
  if (!namesPages(settings)) throw new UsageError('target-missing');
  const signal = hooks.signal ?? new AbortController().signal;
  const eraser = eraserOf(settings);
  const tell = (event: Progress): void => hooks.onProgress?.(redactDeep(event, eraser));
  const notes: string[] = [];
  const surroundings: PageSurroundings = {
    signal,
    stdin: hooks.stdin ?? process.stdin,
    note(message) {
      notes.push(message);
      tell({ kind: 'note', message });
    },
  };
  const shard = shareOf(settings, (message) => tell({ kind: 'note', message }));
  let browser: AuditResult['browser'] = { product: 'none' };
  const startedAt = new Date();
  const reach = createReach(settings, surroundings.note);
  const labs = await openLabs(settings, hooks, (lab) => {
    browser = browserOf(lab);
    reach.found(lab);
  });
  // What is wrong with the list is told before a server is started for nothing.
  const found = await listedPages(settings, surroundings);
  await reach.expect(found.map(({ target }) => target));
  const server = await openServer(settings, signal, tell);
  try {
    const all = await allPages(found, settings, surroundings);
    const pages = dealt(all, shard);
    await reach.expect(pages.map(({ target }) => target));
    const place = shard && placeOf(shard, all.map(workOf), all.length, settings);
    if (pages.length === 0 && shard) {
      surroundings.note(`Nothing falls to shard ${shard.index} of ${shard.of}: there are ${all.length} pages.`);
    }
    const folder = settings.out ?? defaultFolder(pages[0]?.target.slug ?? 'audit', startedAt);
    const sources = await sourcesOf(
      pages.map(({ target }) => target),
      settings.commit,
    );
    const sizes = new Map<string, number>();
    const store = withSizes(await openStore(path.resolve(folder)), sizes);
    const job: Job = {
      settings,
      pages,
      sources,
      store,
      sizes,
      labs,
      signal,
      tell,
      server,
      audited: [],
      files: new Set(),
      problems: [],
      header: () => ({
        ...resultHeader(startedAt),
        kind: 'audit',
        browser,
        settings: withoutSecrets(settings),
        ...(sources.result && { source: sources.result }),
        ...(place && { shard: place }),
        ...(notes.length > 0 && { notes }),
        ...(signal.aborted && { interrupted: true }),
      }),
    };
    if (settings.format.includes('json')) {
      const redact = redactorOf(settings);
      job.saving = saveAsItGrows({ store, redact, all: () => saveAll(job) });
    }
    const spill = await openSpill(store);
    try {
      await measure(job, spill);
      return await conclude(job);
    } finally {
      await spill.close();
    }
  } finally {
    await server?.close();
  }
}

/** What tells a page of a list from those of other lists; where a folder lies is another machine's own affair. */
function workOf({ name, slug, target }: Page) {
  return [target.name, name, slug];
}

/** The same store, noting how large each file is, bytes, by name. */
function withSizes(store: Store, sizes: Map<string, number>): Store {
  return {
    ...store,
    async write(name, content) {
      const file = await store.write(name, content);
      // What comes in pieces is a report.
      if (typeof content === 'string' || content instanceof Uint8Array) sizes.set(name, Buffer.byteLength(content));
      return file;
    },
  };
}

/** An audit under way. */
interface Job {
  readonly settings: AuditSettings;
  readonly pages: readonly Page[];
  readonly sources: Sources;
  readonly store: Store;
  /** What was written, in bytes, by name. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly labs: LabKeeper;
  readonly signal: AbortSignal;
  readonly server: ServerUnderTest | undefined;
  /** The pages as they are measured, in the order of the list. */
  readonly audited: AuditedPage[];
  readonly files: Set<string>;
  readonly problems: Problem[];
  /** Absent where nobody wants result.json. */
  saving?: AuditSaving;
  tell(event: Progress): void;
  header(): AuditHeader;
}

// --- Rounds ---------------------------------------------------------------------------------------------------------

async function measure(job: Job, spill: Spill): Promise<void> {
  const { pages } = job;
  const closing: (() => Promise<void>)[] = [() => job.labs.close()];
  try {
    for (const [i, page] of pages.entries()) {
      const opened = await page.target.open();
      closing.push(() => opened.close());
      const { name } = page.target;
      const source = job.sources.targets[i];
      if (page.target.folder !== undefined) job.tell({ kind: 'serving', target: name, url: opened.url });
      job.audited.push(
        auditPage(page, opened, {
          ...job,
          ...(pages.length > 1 && { place: { name: page.name ?? name, index: i + 1, of: pages.length } }),
          ...(source && { source }),
          spill,
          allWaterfalls: pages.length <= PAGES_WITH_ALL_WATERFALLS,
          wrote: (file) => job.files.add(file),
          keep: async (target) => job.saving?.keep(partOf(page.slug, target), target),
        }),
      );
    }
    await attempt(job, () => takeTurns(job));
    await attempt(job, async () => {
      for (const [i, page] of job.audited.entries()) {
        if (pages.length > 1) job.tell({ kind: 'settling', index: i + 1, of: pages.length });
        await page.settle();
      }
    });
    await attempt(job, async () => {
      for (const page of job.audited) if (!mustEnd(job)) await page.inspect();
    });
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

/** The browser does not come up again, or the disk is full: what was measured stands. */
async function attempt(job: Job, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    job.problems.push(problemOf(error));
  }
}

/** Each page by itself first, then rounds of all, so that no page has the quiet hours to itself. */
async function takeTurns(job: Job): Promise<void> {
  const { audited } = job;
  for (const page of audited) {
    if (mustEnd(job)) return;
    await page.begin();
  }
  const rounds = Math.max(...audited.map(({ page }) => page.settings.runs));
  for (let round = 1; round <= rounds; round++) {
    for (const [order, which] of roundOrder(audited.length, round).entries()) {
      const page = audited[which];
      if (mustEnd(job)) return;
      if (page?.takesPart(round)) await page.load(round, audited.length > 1 ? order : undefined);
    }
  }
}

/** A page, or a step after its loads, in names of files. */
function partOf(slug: string, { step }: TargetResult): string {
  return [slug, step === undefined ? '' : slugOf(step)].filter((part) => part !== '').join('-');
}

/** Ended by the user, or by the end of what is measured. */
function mustEnd({ signal, server, problems }: Job): boolean {
  const lost = server?.lost();
  if (lost && !problems.includes(lost)) problems.push(lost);
  return signal.aborted || lost !== undefined;
}

// --- What is left behind ------------------------------------------------------------------------------------------

/** What every form of the result begins with. */
function headerOf(job: Job): AuditHeader {
  return redactDeep(job.header(), redactorOf(job.settings));
}

/** Writes result.json as far as it has come. */
async function saveAll(job: Job): Promise<void> {
  const { store, settings, audited } = job;
  const redact = redactorOf(settings);
  const results = function* (): Iterable<TargetResult> {
    for (const page of audited) for (const target of page.targets()) yield redactDeep(target.result(), redact);
  };
  job.files.add(await store.write(RESULT, auditJson(headerOf(job), results())));
}

/** Of what was written to stay; a report cannot say how large it will be itself. */
function lastingSizes({ sizes, files, store }: Job): Readonly<Record<string, number>> {
  return Object.fromEntries([...sizes].filter(([name]) => files.has(path.join(store.folder, name))));
}

/** All pages, each put away as it is to be written, and what is wrong with them. */
async function targetsOf(job: Job) {
  const redact = redactorOf(job.settings);
  const targets: ReportedTarget[] = [];
  const problems: Problem[] = [];
  // Nothing may have fallen to this shard.
  let unmeasured = job.pages.length > 0 && job.audited.length === 0;
  for (const { page, ...audited } of job.audited) {
    await setImmediate();
    const all = audited.targets();
    unmeasured ||= all.length === 0;
    for (const target of all) {
      const result = target.result();
      const name = result.name ?? (job.pages.length > 1 ? result.target : undefined);
      problems.push(...problemsOfTarget(result, page.settings.timeout, name));
      unmeasured ||= !isMeasured(result);
      const packed = pack(redactDeep(result, redact));
      targets.push({
        result: packed.unpack,
        async drawn() {
          // Pictures hold no text that could be redacted.
          const { waterfalls, thumbnails } = await target.drawn();
          return { waterfalls: redactDeep(waterfalls, redact), thumbnails };
        },
      });
    }
  }
  return { targets, problems, unmeasured };
}

async function conclude(job: Job): Promise<AuditOutcome> {
  const { settings, store, signal } = job;
  const { targets, problems: told, unmeasured } = await targetsOf(job);
  const reports = await auditReports({ header: headerOf(job), targets, sizes: () => lastingSizes(job) });
  await attempt(job, async () => {
    await reports.write({
      formats: settings.format,
      store,
      wrote: (file) => job.files.add(file),
      drawing: (index, of) => job.tell({ kind: 'drawing', index, of }),
    });
    await job.saving?.done();
  });
  const files = [...job.files];
  job.tell({ kind: 'written', files });
  const problems = [...job.problems, ...told];
  if (signal.aborted) problems.push({ code: 'interrupted', message: messageFor('interrupted') });
  return {
    get result() {
      return reports.result;
    },
    report: reports.report,
    out: store.folder,
    files,
    exit: exitOfAudit({ interrupted: signal.aborted, unmeasured, own: job.problems, problems }),
    problems: redactDeep(linesOf(problems), eraserOf(settings)),
  };
}
