import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { metricsWith } from '../../core/metrics/own/index.ts';
import { defined } from '../../core/text/defined.ts';
import { capacityMeasurements, whyNotComparable } from '../../core/trend/capacity.ts';
import { measurementsOf } from '../../core/trend/measurements.ts';
import { byCommit, byTime } from '../../core/trend/order.ts';
import { trendPages } from '../../core/trend/pages.ts';
import type { Metric } from '../../model/network/visit.ts';
import type { Measurement, PageFigures, SkippedResult, TrendResult } from '../../model/trend.ts';
import { trendFormats } from '../../reporters/formats.ts';
import type { ResolvedTrend } from '../../settings/resolved.ts';
import { isFile } from '../../shell/disk/is-file.ts';
import { openStore } from '../../shell/disk/store.ts';
import { fileInside } from '../../shell/disk/stored-file.ts';
import { type FoundResult, findResults, RESULT_FILE } from '../../shell/disk/stored-results.ts';
import { historyOf, subjectsOf } from '../../shell/git/git.ts';
import { EXIT, QuiesceError } from '../../wording/messages/messages.ts';
import { listed } from '../../wording/text/format.ts';
import { kebabCase } from '../../wording/text/kebab-case.ts';
import { skippedInWords, skippedLine } from '../../wording/trend/skips.ts';
import { slowerPages, trendInWords, trendSentence } from '../../wording/trend/trend.ts';
import { browsersInWords, whyByTime } from '../../wording/trend/words.ts';
import { defaultFolder, type Hooks, type Outcome, resultHeader } from '../engine/job.ts';
import { problem } from '../engine/problem.ts';
import { earlierResult } from '../engine/result/earlier-result.ts';
import { readMeasured } from '../engine/result/stored-result.ts';

/** What a caller of `trend` may hook into. */
export interface TrendHooks extends Hooks {
  /** A folder of the repository that knows the order of commits; the current one when absent. */
  readonly repository?: string;
}

/** What a trend leaves behind. */
export interface TrendOutcome extends Outcome<TrendResult> {
  /** One line for everything that was found and does not count. */
  readonly warnings: readonly string[];
}

/** Skipped files are listed up to here, one by one; trend.json has all of them. */
const MAX_SKIPPED_FILES = 10;

/**
 * Puts stored results in order, page by page, and marks where a metric changed its level by more than noise explains.
 * Rejects with a `QuiesceError` when there is no result, or when the reports cannot be written.
 */
export async function trend(settings: ResolvedTrend, hooks: TrendHooks = {}): Promise<TrendOutcome> {
  const startedAt = new Date();
  const folder = path.resolve(settings.out ?? defaultFolder('trend', startedAt));
  const { measurements, skipped, browsers, results } = await collect(await findResults(settings.paths), folder, hooks);
  if (measurements.length === 0) {
    const [first] = skipped;
    const detail = first === undefined ? '' : ` ${skippedLine(first)}`;
    throw new QuiesceError('trend-empty', { path: settings.paths.join(', '), detail });
  }
  const shown = shownMetrics(settings.metrics, measurements);
  const repository = hooks.repository ?? process.cwd();
  const { ordered, order, warning } = await inOrder(measurements, settings.by, repository);
  const pages = trendInWords(await withSubjects(trendPages(ordered, shown), repository));
  const result: TrendResult = {
    ...resultHeader(startedAt),
    kind: 'trend',
    browser: { product: browsersInWords(browsers) },
    settings: { ...settings.stored, metric: shown.map(({ name }) => name) },
    order,
    sentence: trendSentence(pages, results),
    pages,
    skipped,
  };
  hooks.signal?.throwIfAborted();
  // Its page would be written over.
  if (await isFile(path.join(folder, RESULT_FILE))) throw new QuiesceError('trend-out-taken', { path: folder });
  const store = await openStore(folder);
  const clearEarlier = await earlierResult(folder, settings);
  const slower = settings.failOn === 'slower' ? slowerPages(pages) : [];
  const failed = slower.length > 0;
  await clearEarlier?.();
  const files: string[] = [];
  for (const { format, file, load } of trendFormats) {
    if (!settings.formats.includes(format)) continue;
    const render = await load();
    files.push(await store.write(file, render(result)));
  }
  hooks.onProgress?.({ kind: 'written', files });
  return {
    result,
    out: store.folder,
    files,
    exit: failed ? EXIT.gate : EXIT.ok,
    problems: slower.map((detail) => problem('trend-slower', { detail })),
    warnings: [
      ...(warning === undefined ? [] : [warning]),
      ...listed(skipped.map(skippedLine), MAX_SKIPPED_FILES, 'file'),
    ],
  };
}

/**
 * The metrics that were asked for, ours and those that the user had defined when it was measured: the last definition counts.
 *
 * @throws QuiesceError `metric-unknown` for one that no result has
 */
function shownMetrics(asked: readonly string[], measurements: readonly Measurement[]): readonly Metric[] {
  const own = new Map(
    byTime(measurements).flatMap(({ ownMetrics = [] }) => ownMetrics.map((each) => [each.name, each] as const)),
  );
  const known = metricsWith([...own.values()]);
  return asked.map((name) => {
    const found = known.find((metric) => metric.name === name);
    if (found) return found;
    const suggestion = known.map((metric) => kebabCase(metric.name)).join(', ');
    throw new QuiesceError('metric-unknown', { option: '--metric', detail: kebabCase(name), suggestion });
  });
}

/** Where a level changes, what was said with the commit. */
async function withSubjects(pages: readonly PageFigures[], repository: string): Promise<readonly PageFigures[]> {
  const changed = pages.map(
    ({ metrics: own }) => new Set(own.flatMap(({ changes }) => changes.map(({ point }) => point))),
  );
  const commits = pages.flatMap(({ points }, i) =>
    points.flatMap(({ source }, at) => (changed[i]?.has(at) && source?.commit) || []),
  );
  const subjects = await subjectsOf(repository, [...new Set(commits)]);
  return pages.map((page, i) => ({
    ...page,
    points: page.points.map((point, at) => {
      const subject = changed[i]?.has(at) ? subjects.get(point.source?.commit ?? '') : undefined;
      return { ...point, ...defined({ subject }) };
    }),
  }));
}

/** What the results say, one read at a time: a year of them would not fit into memory. */
async function collect(found: readonly FoundResult[], folder: string, { signal, onProgress }: TrendHooks) {
  const counted: Counted[] = [];
  const skipped: SkippedResult[] = [];
  /** By what makes a copy: the same job, begun in the same millisecond. */
  const seen = new Map<string, string>();
  for (const [i, file] of found.entries()) {
    onProgress?.({ kind: 'reading', file: file.name, index: i + 1, of: found.length });
    // Between two files Ctrl-C is heard and progress drawn.
    await setImmediate();
    signal?.throwIfAborted();
    try {
      const result = await readMeasured(file);
      const { shard, merged } = result;
      const key = JSON.stringify([
        result.kind,
        result.startedAt,
        result.settings.targets,
        shard?.index,
        merged !== undefined,
      ]);
      const before = seen.get(key);
      if (before !== undefined) {
        skipped.push(skippedInWords(file.name, { code: 'copy', of: before }));
        continue;
      }
      seen.set(key, file.name);
      if (result.kind === 'compare' && shard) {
        const { index, of } = shard;
        skipped.push(skippedInWords(file.name, { code: 'lone-shard', shard: { index, of } }));
        continue;
      }
      const why = result.kind === 'capacity' ? whyNotComparable(result) : undefined;
      if (why !== undefined) {
        skipped.push(skippedInWords(file.name, { code: 'not-comparable', why }));
        continue;
      }
      const place = await linksFor(file, folder);
      const measured = result.kind === 'capacity' ? capacityMeasurements(result, place) : measurementsOf(result, place);
      if (measured.length === 0) skipped.push(skippedInWords(file.name, { code: 'unmeasured' }));
      counted.push({
        file: file.name,
        measured,
        browser: result.browser.product,
        ...(shard && { shard: shardKey(shard.index, result.startedAt) }),
        joined: merged?.shards.map(({ index, startedAt }) => shardKey(index, startedAt)) ?? [],
      });
    } catch (error) {
      if (!(error instanceof QuiesceError)) throw error;
      const { code, message } = error;
      skipped.push(skippedInWords(file.name, { code: 'unreadable', failure: { code, message } }));
    }
  }
  const kept = withoutParts(counted, skipped);
  return {
    measurements: kept.flatMap(({ measured }) => measured),
    skipped,
    browsers: [
      ...new Set(
        kept.flatMap(({ measured, browser }) => (measured.some(({ kind }) => kind === undefined) ? browser : [])),
      ),
    ],
    results: kept.length,
  };
}

/** A result with what it says of pages. */
interface Counted {
  readonly file: string;
  readonly measured: readonly Measurement[];
  readonly browser: string;
  /** Set for one shard of an audit. */
  readonly shard?: string;
  /** Which shards were joined in it. */
  readonly joined: readonly string[];
}

function shardKey(index: number, startedAt: string): string {
  return `${index} ${startedAt}`;
}

/** Pages of a shard that was joined with the others count once. */
function withoutParts(counted: readonly Counted[], skipped: SkippedResult[]): readonly Counted[] {
  const whole = new Map(counted.flatMap(({ file, joined }) => joined.map((shard) => [shard, file] as const)));
  return counted.filter(({ file, shard }) => {
    const joined = shard === undefined ? undefined : whole.get(shard);
    if (joined === undefined) return true;
    skipped.push(skippedInWords(file, { code: 'part', of: joined }));
    return false;
  });
}

async function linksFor(
  file: FoundResult,
  folder: string,
): Promise<{ readonly result: string; readonly report?: string }> {
  const report = await fileInside(path.dirname(file.path), 'index.html');
  const from = (target: string): string => path.relative(folder, target).split(path.sep).join('/');
  return { result: from(file.path), ...(report !== undefined && { report: from(report) }) };
}

async function inOrder(measurements: readonly Measurement[], by: ResolvedTrend['by'], repository: string) {
  if (by === 'time') return { ordered: byTime(measurements), order: 'time' as const };
  const commits = [...new Set(measurements.flatMap(({ source }) => source?.commit ?? []))];
  const history = await historyOf(repository, commits);
  if (history) return { ordered: byCommit(measurements, history), order: 'commit' as const };
  return { ordered: byTime(measurements), order: 'time' as const, warning: whyByTime(commits.length) };
}
