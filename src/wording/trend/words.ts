import type { ConditionChange, MetricTrend, TrendPage, TrendPoint, TrendShift } from '../../model/trend.ts';
import { formatChange, formatCount, formatValue, joined } from '../text/format.ts';
import { plain } from '../text/text.ts';

/** Letters of a hash that tell commits apart in most repositories. Source: git's own default. */
export const SHORT_HASH = 7;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A change needs three results on either side. Source: docs/internals/statistics.md. */
export const FEWEST_RESULTS = 6;

/** The sign of a change, so that none is alternating by its colour alone. */
export const CHANGE_SIGN: Readonly<Record<TrendShift['direction'], string>> = { worse: '▲', better: '▼' };

/** "2 Nov 2026" of an ISO 8601 time, in UTC; anything else as it stands. */
function dayInWords(iso: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})(?:T|$)/.exec(iso) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name === undefined ? plain(iso) : `${Number(day)} ${name} ${year}`;
}

/** "03:15" of an ISO 8601 time; undefined of anything else. */
function timeOf(iso: string): string | undefined {
  return /T(\d{2}:\d{2})/.exec(iso)?.[1];
}

/** "2 Nov 2026, 03:15". */
export function momentInWords(iso: string): string {
  const time = timeOf(iso);
  return time === undefined ? dayInWords(iso) : `${dayInWords(iso)}, ${time}`;
}

/** The first of the last results, in which nothing of the page could be measured; undefined where the last one has a time. */
export function unmeasuredSince({ points }: Pick<TrendPage, 'points'>): TrendPoint | undefined {
  return points[points.findLastIndex(({ runs }) => runs > 0) + 1];
}

/** From one moment to another: days, or, within a day, times. "2 Nov 2026 to 9 Nov 2026", "2 Nov 2026, 03:15 to 18:40 UTC". */
export function spanInWords(from: string, to: string): string {
  if (dayInWords(from) !== dayInWords(to)) return `${dayInWords(from)} to ${dayInWords(to)}`;
  const [first, last] = [timeOf(from), timeOf(to)];
  if (first === undefined || last === undefined) return dayInWords(from);
  return `${momentInWords(from)}${first === last ? '' : ` to ${last}`} UTC`;
}

/** What a point is called on an axis on which all others are of the same day, or of several. */
export function tickInWords(iso: string, within: readonly string[]): string {
  const isOneDay = new Set(within.map(dayInWords)).size === 1;
  return (isOneDay && within.length > 1 ? timeOf(iso) : undefined) ?? dayInWords(iso);
}

/** "1a2b3c4", with a plus where files had been changed; undefined where no commit is known. */
export function hashOf({ source }: TrendPoint): string | undefined {
  return source === undefined
    ? undefined
    : `${plain(source.commit.slice(0, SHORT_HASH))}${source.modified === true ? '+' : ''}`;
}

/** What a point is called beside others: when it was measured (UTC), and the commit where it is known. */
export function pointName(point: TrendPoint | undefined): string {
  if (point === undefined) return 'an unknown time';
  const hash = hashOf(point);
  return hash === undefined ? momentInWords(point.at) : `${momentInWords(point.at)}, ${hash}`;
}

/** The same where there is little room. */
export function shortPointName(point: TrendPoint | undefined): string {
  if (point === undefined) return 'an unknown time';
  return [dayInWords(point.at), hashOf(point) ?? timeOf(point.at)].filter((part) => part !== undefined).join(', ');
}

/** A condition with all its changes. */
export interface ConditionStory {
  readonly what: string;
  /** One change, with its point; of one that goes to and fro, `text` says it once and there is no point. */
  readonly point?: number;
  readonly text: string;
}

/** Changes of one condition from which on they are alternating once: it goes to and fro. */
const TO_AND_FRO = 3;

/** The conditions that changed, each change that stands for itself in order, then those that went to and fro, each once. */
export function conditionStories(conditions: readonly ConditionChange[]): readonly ConditionStory[] {
  const groups = [...Map.groupBy(conditions, ({ what }) => what)];
  const toAndFro = groups.filter(
    ([, changes]) => changes.length >= TO_AND_FRO && new Set(changes.map(({ after }) => after)).size < changes.length,
  );
  const alternating = new Set(toAndFro.map(([what]) => what));
  return [
    ...conditions
      .filter(({ what }) => !alternating.has(what))
      .map(({ what, point, before, after }) => ({ what, point, text: `${before} → ${after}` })),
    ...toAndFro.map(([what, changes]) => ({
      what,
      text: `changed ${formatCount(changes.length, 'time')}: ${[...new Set(changes.flatMap(({ before, after }) => [before, after]))].join(' ↔ ')}`,
    })),
  ];
}

/** "+12%", "−40 ms". */
export function shiftText({ relative, absolute }: TrendShift, { unit }: Pick<MetricTrend, 'unit'>): string {
  if (relative !== undefined) return formatChange(relative);
  return `${absolute > 0 ? '+' : ''}${formatValue(absolute, unit)}`;
}

/** The last change of a page: of the metric that was asked for first, where several changed at once. */
export function lastChange(page: TrendPage): { readonly metric: MetricTrend; readonly change: TrendShift } | undefined {
  const lasts = page.metrics.flatMap((metric) => {
    const change = metric.changes.at(-1);
    return change === undefined ? [] : [{ metric, change }];
  });
  return lasts.toSorted((a, b) => b.change.point - a.change.point)[0];
}

/** Why results that were to be in the order of their commits, so many of them, are in that of time. */
export function whyByTime(commits: number): string {
  const why = commits === 0 ? 'no result names a commit' : 'this repository does not have their commits';
  return `The results are in the order of time: ${why}.`;
}

/** The browsers of all results in their order: nightly results see a new one every few weeks. */
export function browsersInWords(browsers: readonly string[]): string {
  const [first = 'none', ...others] = browsers;
  const last = others.at(-1);
  if (last === undefined) return first;
  return joined([first, last, ...others.slice(0, -1)], 2);
}

/** A path as a link: relative only, every part of it encoded. */
export function relativeLink(path: string | undefined): string | undefined {
  if (path === undefined || path === '' || path.startsWith('/') || path.includes('\\') || path.length > 1000) {
    return undefined;
  }
  // What could be a scheme or a host is encoded, too; a lone surrogate cannot be.
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
