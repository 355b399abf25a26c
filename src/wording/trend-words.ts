import type { MetricTrend, TrendPage, TrendPoint, TrendShift } from '../model/trend.ts';
import { formatChange, formatValue } from './format.ts';
import { plain } from './text.ts';

/** Letters of a hash that tell commits apart in most repositories. Source: git's own default. */
export const SHORT_HASH = 7;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Results without which no change can be reported: three on either side. Source: docs/statistics.md. */
export const FEWEST_RESULTS = 6;

/** The sign of a change, so that none is told by its colour alone. */
export const CHANGE_SIGN: Readonly<Record<TrendShift['direction'], string>> = { worse: '▲', better: '▼' };

/** "2 Nov 2026" of an ISO 8601 time, in UTC; anything else as it stands. */
export function dayInWords(iso: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})(?:T|$)/.exec(iso) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name === undefined ? plain(iso) : `${Number(day)} ${name} ${year}`;
}

/** "2 Nov 2026, 03:15". */
export function momentInWords(iso: string): string {
  const [, time] = /T(\d{2}:\d{2})/.exec(iso) ?? [];
  return time === undefined ? dayInWords(iso) : `${dayInWords(iso)}, ${time}`;
}

/** "1a2b3c4", with a plus where files had been changed; undefined where no commit is known. */
export function hashOf({ source }: TrendPoint): string | undefined {
  return source === undefined
    ? undefined
    : `${plain(source.commit.slice(0, SHORT_HASH))}${source.modified === true ? '+' : ''}`;
}

/** What a point is called beside others: the day, and the commit where it is known. */
export function pointName(point: TrendPoint | undefined): string {
  if (point === undefined) return 'an unknown time';
  const hash = hashOf(point);
  return hash === undefined ? dayInWords(point.at) : `${dayInWords(point.at)}, ${hash}`;
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

/** A path as a link: relative only, every part of it encoded. */
export function relativeLink(path: string | undefined): string | undefined {
  if (path === undefined || path === '' || path.startsWith('/') || path.includes('\\') || path.length > 1000) {
    return undefined;
  }
  // What could be a scheme or a host is encoded, too; a lone surrogate cannot be.
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}
