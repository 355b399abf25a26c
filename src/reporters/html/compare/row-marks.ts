import type { Build } from '../../../model/compare/comparison.ts';
import type { CompareReport, WaterfallRow } from '../../../model/result/report.ts';
import type { RowMark } from '../waterfall/table/rows.ts';

/** True when the text is what the pattern says, `*` standing for anything. Never slower than both lengths multiplied: both come from pages. */
export function matches(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let from = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      star = p++;
      from = t;
    } else if (p < pattern.length && pattern[p] === text[t]) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++from;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** Longer addresses are compared as they stand: a pattern of many stars would take its time with them. */
const MAX_URL_LENGTH = 2000;

/** Origins of a page, as its requests and its sockets have it. */
function originsOf(url: string): readonly string[] {
  const origin = /^https?:\/\/[^/?#]+/i.exec(url)?.[0];
  return origin === undefined ? [] : [origin, origin.replace(/^http/i, 'ws')];
}

/** A query with its parameters in order and without their values, as the names of changes have it. */
function queryName(query: string): string {
  const names = query
    .slice(1)
    .split('&')
    .map((parameter) =>
      parameter.includes('=') ? parameter.replace(/=.*$/s, '=*') : parameter.replace(/.*\d.*/s, '*'),
    )
    .filter((name) => name !== '');
  return names.length === 0 ? '' : `?${[...new Set(names)].sort().join('&')}`;
}

/** The names that an address can have in a list of changes: with and without the page's own origin, with its query and without the values in it. */
function namesOf(url: string, own: readonly string[]): readonly string[] {
  const [, address = '', query = ''] = /^([^?#]*)(\?[^#]*)?/s.exec(url) ?? [];
  const origin = own.find((each) => address.startsWith(`${each}/`));
  const short = origin === undefined ? [] : [(origin.startsWith('ws') ? 'ws:' : '') + address.slice(origin.length)];
  return [address, ...short].flatMap((each) => [each + query, each + queryName(query)]);
}

/** 304 is an answer, not a way to elsewhere. */
const isRedirect = ({ status = 0 }: WaterfallRow): boolean => status >= 300 && status < 400 && status !== 304;

/** Which rows of a build's waterfall the other build does not have, or has in another size. By the row's id. */
export function rowMarks(report: CompareReport, build: Build): ReadonlyMap<string, RowMark> {
  const { changes, backgroundChanges } = report.result;
  const { result, waterfalls } = report[build];
  const own = [result.finalUrl, result.url].flatMap((url) => (url === undefined ? [] : originsOf(url)));
  const lists: readonly (readonly [RowMark, typeof changes.added])[] = [
    build === 'candidate' ? ['new', changes.added] : ['gone', changes.removed],
    ['grown', changes.grown],
    ['shrunk', changes.shrunk],
  ];
  const background = backgroundChanges.filter((change) => change.build === build && !change.contentInOther);
  const marks = new Map<string, RowMark>();
  for (const row of waterfalls[0]?.rows ?? []) {
    const names = row.url.length > MAX_URL_LENGTH ? [] : namesOf(row.url, own);
    const mark =
      row.background === undefined
        ? lists.find(([, list]) => list.some(({ name, url }) => isNamed(row, names, name, [url])))?.[0]
        : background.some(({ endpoint, urls }) => isNamed(row, names, endpoint, urls))
          ? lists[0]?.[0]
          : undefined;
    if (mark !== undefined) marks.set(row.id, mark);
  }
  return marks;
}

/** True when a row, whose address has these names, is what the name of a change or an endpoint speaks of. */
function isNamed(row: WaterfallRow, names: readonly string[], name: string, urls: readonly string[]): boolean {
  const [, method, address = '', remark] = /^(\S+) (.*?)(?: \(([^()]*)\))?$/s.exec(name) ?? [];
  // A remark names what was asked for (an operation), which a row does not tell: better no mark than a wrong one.
  if (row.method !== method || (remark !== undefined && remark !== 'redirect')) return false;
  if ((remark === 'redirect') !== isRedirect(row)) return false;
  return urls.includes(row.url) || (address.length <= MAX_URL_LENGTH && names.some((text) => matches(address, text)));
}
