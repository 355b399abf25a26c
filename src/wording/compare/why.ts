import { WORTH_NAMING_MS } from '../../core/main-thread/worth-naming.ts';
import type { Why, WhyFacts } from '../../model/compare/why.ts';
import { functionInWords, placeInWords, signed } from '../main-thread.ts';
import { formatInterval, formatValue } from '../text/format.ts';
import { elide, shortNameWithoutQuery } from '../text/text.ts';

/** Longest name of a file. */
const LONG = 48;

/** One reason, as every report shows it. */
export interface WhyLine {
  /** What it is: "renderBadges (widget.js:3)", "/api/products". */
  readonly name: string;
  /** "+89 ms"; absent where no time is proven. */
  readonly change?: string;
  /** "80–98 ms". */
  readonly interval?: string;
  /** What of it changed: "28 kB more", "its server answers later". */
  readonly about?: string;
}

/** The reasons in words, in their order; the last says what they leave. Nothing where neither build is slower. */
export function whyLines({ why, unexplained = 0 }: WhyFacts): readonly WhyLine[] {
  if (why === undefined) return [];
  const [first] = why;
  if (first === undefined || first.code === 'unproven') {
    if (first?.url === undefined) return [{ name: 'no cause proven' }];
    const how = first.only === undefined ? 'has changed' : `only the ${first.only} has`;
    return [{ name: `no cause proven; the largest difference is ${fileOf(first.url)}, which ${how}` }];
  }
  const left =
    Math.abs(unexplained) < 1 ? [] : [{ name: `not explained: ${formatValue(Math.abs(unexplained), 'ms')}` }];
  return [...why.map(lineOf), ...left];
}

/** All of it in a line: "renderBadges (widget.js:3) +89 ms (80–98 ms), not explained: 12 ms". */
export function whyInWords(facts: WhyFacts): string | undefined {
  const lines = whyLines(facts).map((line) => inOneLine(line, [line.interval, line.about]));
  return lines.length === 0 ? undefined : lines.join(', ');
}

/** The first reason alone, as a list of pages has it: "renderBadges (widget.js:3) +89 ms"; undefined where none is proven. */
export function firstReason({ why: [first] = [] }: WhyFacts): string | undefined {
  if (first === undefined || first.code === 'unproven') return undefined;
  const line = lineOf(first);
  return inOneLine(line, [line.about]);
}

function inOneLine({ name, change }: WhyLine, more: readonly (string | undefined)[]): string {
  const details = more.filter((part) => part !== undefined).join('; ');
  return [name, change, details === '' ? undefined : `(${details})`].filter((part) => part !== undefined).join(' ');
}

function lineOf(each: Why): WhyLine {
  const { ms, low, high } = each;
  const about = [aboutOf(each), takesInWords(each)].filter((part) => part !== '').join('; ');
  return {
    name: nameOf(each),
    ...(ms !== undefined && { change: signed(ms) }),
    ...(low !== undefined && high !== undefined && low !== high && { interval: formatInterval(low, high, 'ms') }),
    ...(about !== '' && { about }),
  };
}

/** Only where the rest is worth a word. */
function takesInWords({ code, ms, takes }: Why): string {
  if (ms === undefined || takes === undefined || Math.abs(takes - ms) < WORTH_NAMING_MS) return '';
  const what =
    code === 'requester' || code === 'start' || code === 'only-change' ? signed(takes) : `it takes ${signed(takes)}`;
  return `${what} in all; the page waited for ${formatValue(Math.abs(ms), 'ms')} of that`;
}

function nameOf({ code, url = '', place }: Why): string {
  switch (code) {
    case 'function':
      return place ? functionInWords(url, { ...place, name: place.name ?? '' }) : fileOf(url);
    case 'script':
      return `scripts in ${fileOf(url)}`;
    case 'style-layout':
      return 'style and layout';
    default:
      return fileOf(url);
  }
}

function aboutOf({ code, url, ms = 0, place, by, before, newBy, bytes, request = '', led }: Why): string {
  const later = ms >= 0 ? 'later' : 'earlier';
  switch (code) {
    case 'function':
    case 'script':
    case 'unproven':
      return '';
    case 'style-layout':
      return url === undefined ? '' : `${fileOf(url)} has changed`;
    case 'new-request':
      return `new, ${formatValue(bytes, 'bytes')}`;
    case 'gone-request':
      return `gone, ${formatValue(bytes, 'bytes')}`;
    case 'size':
      return `${formatValue(bytes, 'bytes')} ${ms >= 0 ? 'more' : 'less'}`;
    case 'server':
      return `its server answers ${later}`;
    case 'requester':
      return `requested ${later}, by ${askerOf(by, place)}${newBy ? ', which is new,' : ''} instead of ${askerOf(before)}`;
    case 'start':
      return `requested ${later} by ${askerOf(by, place)}, which has changed`;
    case 'only-change':
      return led
        ? `the only changed file that led to ${fileOf(request)}, which is requested ${later}`
        : `the only file that has changed; ${fileOf(request)} is requested ${later}`;
  }
}

function askerOf(url: string | undefined, place?: Why['place']): string {
  if (url === undefined) return 'something else';
  if (place === undefined) return /^https?:.*\/$/.test(url) ? 'the page' : fileOf(url);
  if (place.name !== undefined && place.name !== '') return functionInWords(url, { ...place, name: place.name });
  return placeInWords(url, place);
}

/** A file's name; a page's path. */
const fileOf = (url: string): string => elide(shortNameWithoutQuery(url), LONG);
