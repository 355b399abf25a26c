import type { Scale } from '../../model/comparison.ts';
import type { ConditionChange, TrendPage, TrendPoint, TrendShift } from '../../model/trend.ts';
import type { Unit } from '../../model/units.ts';
import { amount, percent } from '../experiment/figures.ts';
import { words } from '../experiment/sentences.ts';
import { FEWEST } from './changes.ts';

/** Letters of a hash that tell commits apart in most repositories. Source: git's own default. */
export const SHORT_HASH = 7;
/** Longest value of a condition that a sentence can hold. */
const LONGEST_VALUE = 60;

interface Told {
  readonly title: string;
  readonly unit: Unit;
  readonly scale: Scale;
}

type Shift = Omit<TrendShift, 'sentence'>;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** "2 Nov 2026" of an ISO 8601 time, in UTC. */
export function dayOf(iso: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(iso) ?? [];
  const name = MONTHS[Number(month) - 1];
  return name === undefined ? iso : `${Number(day)} ${name} ${year}`;
}

/** "2 Nov 2026, commit 1a2b3c4". */
export function pointInWords(point: TrendPoint | undefined): string {
  if (point === undefined) return 'an unknown time';
  const { at, source } = point;
  return source === undefined ? dayOf(at) : `${dayOf(at)}, commit ${source.commit.slice(0, SHORT_HASH)}`;
}

/** "browser: Chrome/139 before, Chrome/140 since". */
export function conditionInWords({ what, before, after }: ConditionChange): string {
  return `${what}: ${cut(before)} before, ${cut(after)} since`;
}

function cut(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE - 1)}…`.toWellFormed();
}

/** "Page complete is 12 % slower since 2 Nov 2026, commit 1a2b3c4 (9.8 % to 14 %): 1.23 s instead of 1.10 s." */
export function changeSentence(
  shift: Shift,
  told: Told,
  of: {
    readonly from: number | undefined;
    readonly to: number | undefined;
    readonly point: TrendPoint | undefined;
  },
  conditions: readonly string[],
): string {
  const figures = [of.to, of.from].map((value) => (value === undefined ? '–' : amount(value, told.unit)));
  const also = conditions.length === 0 ? '' : ` About then the conditions changed too: ${conditions.join('; ')}.`;
  return `${told.title}${verb(told)} ${sizeOf(shift, told)} since ${pointInWords(of.point)} (${rangeOf(shift, told)}): ${figures.join(' instead of ')}.${also}`;
}

/** Of one or two results at the end that lie off. */
export function pendingSentence(shift: Shift, told: Told, results: number, point: TrendPoint | undefined): string {
  const which = results === 1 ? `The last result, of ${pointInWords(point)}, lies` : `The last ${results} results lie`;
  return `${which} off: ${lowerFirst(told.title)}${verb(told)} ${sizeOf(shift, told)} than the level before. That is more than noise explains, but too few results to call it a change.`;
}

/** One sentence over all pages. */
export function trendSentence(pages: readonly TrendPage[], results: number): string {
  const last = (page: TrendPage): readonly TrendShift[] => page.metrics.flatMap(({ changes }) => changes.at(-1) ?? []);
  const worse = pages.filter((page) => last(page).some(({ direction }) => direction === 'worse'));
  const better = pages.filter((page) => !worse.includes(page) && last(page).length > 0);
  const found = `in ${count(results, 'result')}`;
  if (worse.length + better.length === 0) {
    const metrics = pages.flatMap((page) => page.metrics);
    const where = `${found} of ${count(pages.length, 'page')}`;
    if (metrics.some(({ pending }) => pending)) return `No change yet ${where}, but the last results lie off.`;
    const most = Math.max(0, ...metrics.map(({ values }) => values.length));
    return most < 2 * FEWEST
      ? `Too few to tell a change yet: ${count(results, 'result')} of ${count(pages.length, 'page')}.`
      : `No change ${where}.`;
  }
  if (pages.length === 1)
    return `The page became ${worse.length > 0 ? 'worse' : 'better'} at its last change, ${found}.`;
  const first = worse.length > 0 ? worse : better;
  const also = worse.length > 0 && better.length > 0 ? ` and ${amount(better.length, 'count')} better` : '';
  const what = `became ${first === worse ? 'worse' : 'better'}${also}`;
  return `At the last change ${amount(first.length, 'count')} of ${count(pages.length, 'page')} ${what}, ${found}.`;
}

function count(size: number, one: string): string {
  return `${amount(size, 'count')} ${one}${size === 1 ? '' : 's'}`;
}

function verb({ unit }: Told): string {
  return unit === 'count' ? ':' : ' is';
}

function sizeOf({ relative, absolute, direction }: Shift, { unit, scale }: Told): string {
  const size = relative === undefined ? amount(Math.abs(absolute), unit) : percent(Math.abs(relative));
  return `${size} ${words(unit, scale)[direction]}`;
}

/** An improvement is told by its size, so that its smaller end comes first too. */
function rangeOf({ low, high }: Shift, { unit, scale }: Told): string {
  const ends = low + high < 0 ? [-high, -low] : [low, high];
  const [from, to] = ends.map((end) => (scale === 'ratio' ? percent(end) : amount(end, unit)));
  return from === to ? `${from}` : `${from} to ${to}`;
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
