import { INFORMATIONAL } from '../../core/trend/capacity.ts';
import { FEWEST } from '../../core/trend/changes.ts';
import type { Scale } from '../../model/compare/comparison.ts';
import type {
  ConditionChange,
  ConditionChangeFacts,
  MetricFigures,
  MetricTrend,
  PageFigures,
  ShiftFigures,
  TrendPage,
  TrendPoint,
  TrendShift,
} from '../../model/trend.ts';
import type { FigureUnit } from '../../model/units.ts';
import { areMoments, directionsOf } from '../compare/comparison.ts';
import { formatCount, formatShare, formatValue } from '../text/format.ts';
import { capitalized, elide, plain } from '../text/text.ts';
import { momentInWords, SHORT_HASH, unmeasuredSince } from './words.ts';

/** Longest value of a condition that a sentence can hold. */
const LONGEST_VALUE = 60;

interface TrendSubject {
  readonly title: string;
  readonly unit: FigureUnit;
  readonly scale: Scale;
}

/** Longest subject of a commit that a sentence can hold. */
const LONGEST_SUBJECT = 60;

/** "2 Nov 2026, 03:15 UTC, commit 1a2b3c4 “Load the carousel first”". */
function pointInWords(point: TrendPoint | undefined): string {
  if (point === undefined) return 'an unknown time';
  const { at, source, subject } = point;
  const when = `${momentInWords(at)}${/T\d{2}:\d{2}/.test(at) ? ' UTC' : ''}`;
  return source === undefined
    ? when
    : `${when}, commit ${source.commit.slice(0, SHORT_HASH)}${subject === undefined ? '' : ` “${elide(plain(subject), LONGEST_SUBJECT)}”`}`;
}

/** "browser: Chrome/139 before, Chrome/140 since". */
function conditionInWords({ what, before, after }: ConditionChange): string {
  return `${what}: ${cut(before)} before, ${cut(after)} since`;
}

function cut(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE - 1)}…`.toWellFormed();
}

/** The histories of pages, each change with its sentence. */
export function trendInWords(pages: readonly PageFigures[]): readonly TrendPage[] {
  return pages.map((page) => ({
    ...page,
    metrics: page.metrics.map((metric) => metricInWords(metric, page.points)),
    conditions: page.conditions.map(conditionChangeInWords),
  }));
}

function ofChange(levels: MetricTrend['levels'], index: number, point: TrendPoint | undefined) {
  return { from: levels[index]?.median, to: levels[index + 1]?.median, point };
}

function metricInWords(figures: MetricFigures, points: readonly TrendPoint[]): MetricTrend {
  const { pending, ...metric } = figures;
  const { levels, values } = metric;
  const changes = metric.changes.map((change, i) => {
    const of = ofChange(levels, i, points[change.point]);
    const conditions = netChanges(change.conditions).map((each) => conditionInWords(conditionChangeInWords(each)));
    return { ...change, conditions, sentence: changeSentence(change, metric, of, conditions) };
  });
  if (pending === undefined) return { ...metric, changes };
  const results = values.filter(({ point }) => point >= pending.point).length;
  const sentence = pendingSentence(pending, metric, results, points[pending.point]);
  return { ...metric, changes, pending: { ...pending, sentence } };
}

/** Of a condition that changed more than once about then what it came to; nothing where it is as it was before. */
function netChanges(changes: readonly ConditionChangeFacts[]): readonly ConditionChangeFacts[] {
  return [...Map.groupBy(changes, ({ name }) => name).values()].flatMap((own) => {
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) return [];
    const { before: _, ...rest } = last;
    if (JSON.stringify(first.before) === JSON.stringify(last.after)) return [];
    return ['before' in first ? { ...rest, before: first.before } : rest];
  });
}

/** "Page complete is 12% slower since 2 Nov 2026, commit 1a2b3c4 (9.8% to 14%): 1.23 s instead of 1.10 s." */
function changeSentence(
  shift: ShiftFigures,
  subject: TrendSubject,
  of: {
    readonly from: number | undefined;
    readonly to: number | undefined;
    readonly point: TrendPoint | undefined;
  },
  conditions: readonly string[],
): string {
  const figures = [of.to, of.from].map((value) => formatValue(value, subject.unit));
  const also =
    conditions.length === 0 ? '' : ` The conditions changed at about the same time: ${conditions.join('; ')}.`;
  return `${subject.title}${verb(subject)} ${sizeOf(shift, subject)} since ${pointInWords(of.point)} (${rangeOf(shift, subject)}): ${figures.join(' instead of ')}.${also}`;
}

/** Of one or two results at the end that lie off. */
function pendingSentence(
  shift: ShiftFigures,
  subject: TrendSubject,
  results: number,
  point: TrendPoint | undefined,
): string {
  const which =
    results === 1 ? `The last result, of ${pointInWords(point)}, differs` : `The last ${results} results differ`;
  return `${which}: ${lowerFirst(subject.title)}${verb(subject)} ${sizeOf(shift, subject)} than the level before. Noise does not explain this, but it takes more results to call it a change.`;
}

/** "Not measured in the last 3 results, since 14 Nov 2026, 22:15 UTC: every load failed."; undefined where it has a time. */
export function unmeasuredSentence(page: TrendPage): string | undefined {
  const since = unmeasuredSince(page);
  if (since === undefined) return undefined;
  const many = page.points.length - page.points.indexOf(since);
  const which = many === 1 ? 'the last result, of' : `the last ${formatValue(many, 'count')} results, since`;
  return `Not measured in ${which} ${pointInWords(since)}: every load failed.`;
}

/** One sentence over all pages; of a single page, what its last change was. What cannot be measured any more comes first. */
export function trendSentence(pages: readonly TrendPage[], results: number): string {
  const [first, ...others] = pages.flatMap((page) => {
    const unmeasured = unmeasuredSentence(page);
    return unmeasured === undefined ? [] : [`${page.page}: ${lowerFirst(unmeasured)}`];
  });
  const changes = changesSentence(pages, results);
  if (first === undefined) return changes;
  const more =
    others.length === 0
      ? ''
      : ` So ${others.length === 1 ? 'was' : 'were'} ${formatCount(others.length, 'other page')}.`;
  return `${first}${more} ${changes}`;
}

function changesSentence(pages: readonly TrendPage[], results: number): string {
  const worse = pages.filter((page) => lastShifts(page).some(({ direction }) => direction === 'worse'));
  const better = pages.filter((page) => !worse.includes(page) && lastShifts(page).length > 0);
  const found = `in ${formatCount(results, 'result')}`;
  if (worse.length + better.length === 0) {
    const metrics = pages.flatMap((page) => page.metrics);
    const where = `${found} of ${formatCount(pages.length, 'page')}`;
    if (metrics.some(({ pending }) => pending)) return `No change yet ${where}, but the last results differ.`;
    const most = Math.max(0, ...metrics.map(({ values }) => values.length));
    return most < 2 * FEWEST
      ? `Too few results to find a change: ${formatCount(results, 'result')} of ${formatCount(pages.length, 'page')}.`
      : `No change ${where}.`;
  }
  const [only] = pages;
  if (only && pages.length === 1) {
    const changes = lastShifts(only);
    const headline = changes.find(({ direction }) => direction === 'worse') ?? changes[0];
    if (headline) return `${only.page}: ${headline.headline}`;
  }
  const first = worse.length > 0 ? worse : better;
  const sentence = `${tallyOfChanges(worse, better, pages.length)}, ${found}.`;
  // The one that changed most is the first.
  const [most] = first;
  const shifts = most === undefined ? [] : lastShifts(most);
  const change =
    shifts.find(({ direction }) => direction === 'worse') ?? shifts.toSorted((a, b) => b.point - a.point)[0];
  return most && change ? `${sentence} ${most.page}: ${change.headline}` : sentence;
}

/** "3 of 30 pages slower, 1 faster"; where a change is not of a time, "3 of 30 pages worse, 1 better". */
function tallyOfChanges(worse: readonly TrendPage[], better: readonly TrendPage[], count: number): string {
  const words = wordsOfChange([...worse, ...better]);
  const of = `of ${formatCount(count, 'page')}`;
  if (worse.length === 0) return `${formatValue(better.length, 'count')} ${of} ${words.better}`;
  const also = better.length === 0 ? '' : `, ${formatValue(better.length, 'count')} ${words.better}`;
  return `${formatValue(worse.length, 'count')} ${of} ${words.worse}${also}`;
}

function wordsOfChange(pages: readonly TrendPage[]): Readonly<Record<TrendShift['direction'], string>> {
  const changed = pages.flatMap(({ metrics }) => metrics).filter(({ changes }) => changes.length > 0);
  return areMoments(changed) ? { worse: 'slower', better: 'faster' } : { worse: 'worse', better: 'better' };
}

/** What all pages came to in a word: the worst of what changed last. */
export function trendVerdict(pages: readonly TrendPage[]): {
  readonly tone: TrendShift['direction'] | 'same';
  readonly word: string;
} {
  if (pages.some((page) => unmeasuredSince(page) !== undefined)) return { tone: 'worse', word: 'Not measured' };
  const lasts = pages.flatMap(lastShifts);
  if (lasts.length === 0) return { tone: 'same', word: 'No change' };
  const tone = lasts.some(({ direction }) => direction === 'worse') ? 'worse' : 'better';
  return { tone, word: capitalized(wordsOfChange(pages)[tone]) };
}

/** The last change of each metric of a page; in its headline the conditions are not said, which the page's own part names. */
function lastShifts({ metrics, points }: TrendPage): readonly (TrendShift & { readonly headline: string })[] {
  return metrics.flatMap((metric) => {
    const { changes, levels } = metric;
    const change = changes.at(-1);
    if (change === undefined) return [];
    const of = ofChange(levels, changes.length - 1, points[change.point]);
    return [{ ...change, headline: changeSentence(change, metric, of, []) }];
  });
}

/** The pages that are worse since their last change, each with what it says; there are none where nothing got worse. */
export function slowerPages(pages: readonly TrendPage[]): readonly string[] {
  return pages.flatMap(({ page, metrics }) => {
    const worse = metrics
      .filter(({ metric }) => !INFORMATIONAL.has(metric))
      .flatMap(({ changes }) => changes.at(-1) ?? [])
      .find(({ direction }) => direction === 'worse');
    return worse === undefined ? [] : [`${page}: ${worse.sentence}`];
  });
}

function verb({ unit }: TrendSubject): string {
  return unit === 'count' ? ':' : ' is';
}

function sizeOf({ relative, absolute }: ShiftFigures, { unit, scale }: TrendSubject): string {
  const size = relative === undefined ? formatValue(Math.abs(absolute), unit) : formatShare(Math.abs(relative));
  const { worse: rise, better: fall } = directionsOf({ unit, scale });
  return `${size} ${absolute > 0 ? rise : fall}`;
}

/** An improvement is told by its size, so that its smaller end comes first too. */
function rangeOf({ low, high }: ShiftFigures, { unit, scale }: TrendSubject): string {
  const ends = low + high < 0 ? [-high, -low] : [low, high];
  const [from, to] = ends.map((end) => (scale === 'ratio' ? formatShare(end) : formatValue(end, unit)));
  return from === to ? `${from}` : `${from} to ${to}`;
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

/** Names of conditions that are no settings. Those of settings are read off their names. */
const CONDITION_NAMES: Readonly<Record<string, string>> = { tool: 'Quiesce', job: 'measured by' };

/** A change of conditions with the names and values that reports show. */
export function conditionChangeInWords({ point, name, before, after }: ConditionChangeFacts): ConditionChange {
  const what = CONDITION_NAMES[name] ?? name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return { point, what, before: conditionValue(name, before), after: conditionValue(name, after) };
}

function conditionValue(name: string, value: unknown): string {
  if (value === undefined) return 'not set';
  if (name === 'machine' && value === 'busy') return 'busy with something else';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return name === 'quietWindow' ? formatValue(value, 'ms') : String(value);
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.length === 0 ? 'not set' : value.map((each) => conditionValue(name, each)).join(', ');
}
