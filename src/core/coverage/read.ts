import type { Coverage, CoveredBytes, CoveredFile, UnusedFunction } from '../../model/coverage.ts';
import type { Request } from '../../model/network/timeline.ts';
import type { RecordedCoverage, TextRange, UseReading, WatchedText } from '../../model/recording/recording.ts';
import type { Bytes, Ms } from '../../model/units.ts';
import { ANONYMOUS } from '../main-thread/samples.ts';
import { type SourceLookup, sourceOfFunction } from '../main-thread/source-map.ts';
import { ownershipOf } from '../requests/party.ts';
import { byteLength } from '../text/byte-length.ts';
import { cutAt, gapsBetween, mergedRanges, outermostWithin, usedRanges } from './ranges.ts';
import { styleRules } from './style-rules.ts';

/** Files, and functions of each, that are listed; what is left is summed up. */
const FILES = 60;
const FUNCTIONS = 8;
/** Smaller functions are not worth a line, bytes. */
const WORTH_A_LINE: Bytes = 50;

/** What is to be known of a coverage. */
export interface CoverageScope {
  /** Page complete; the end of watching where there was none. */
  readonly completeAt: Ms;
  readonly pageUrl: string;
  readonly requests: readonly Pick<Request, 'url' | 'transferSize'>[];
  /** By the address of a script. */
  readonly sources?: ReadonlyMap<string, SourceLookup>;
}

/** What is known of one text. */
interface TextUse extends CoveredBytes {
  readonly functions: readonly UnusedFunction[];
  readonly byPackage: ReadonlyMap<string, Bytes>;
}

/** How much of each script and style sheet was used until page complete; undefined when nothing was watched. */
export function readCoverage({ texts, readings }: RecordedCoverage, scope: CoverageScope): Coverage | undefined {
  const last = readings.find(({ at }) => at >= scope.completeAt) ?? readings.at(-1);
  if (last === undefined || texts.length === 0) return undefined;
  const uses = Map.groupBy(
    readings.slice(0, readings.indexOf(last) + 1).flatMap((reading) => reading.uses),
    ({ id }) => id,
  );
  // What came after the last reading is in none. A style sheet of which nothing was used is in none either.
  const known = texts.filter(({ id, kind }) => kind === 'style' || uses.has(id));
  const files = [...Map.groupBy(known, (text) => fileKey(text, scope.pageUrl)).values()]
    .map((of) => fileOf(of, uses, scope))
    .filter(({ bytes }) => bytes > 0)
    .toSorted((a, b) => b.unused - a.unused || b.bytes - a.bytes);
  const rest = files.slice(FILES);
  return {
    until: last.at,
    scripts: sumOf(files.filter(({ kind }) => kind === 'script')),
    styles: sumOf(files.filter(({ kind }) => kind === 'style')),
    files: files.slice(0, FILES),
    ...(rest.length > 0 && { otherFiles: { count: rest.length, ...sumOf(rest) } }),
  };
}

/** A script that another one wrote into the document has the document's address, too. */
const isInline = ({ inline, url }: WatchedText, pageUrl: string): boolean => inline !== undefined || url === pageUrl;

function fileKey(text: WatchedText, pageUrl: string): string {
  return `${text.kind} ${isInline(text, pageUrl)} ${text.url}`;
}

function sumOf(files: readonly CoveredBytes[]): CoveredBytes {
  return {
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    unused: files.reduce((sum, { unused }) => sum + unused, 0),
  };
}

function fileOf(
  texts: readonly WatchedText[],
  uses: ReadonlyMap<string, readonly UseReading[]>,
  { pageUrl, requests, sources }: CoverageScope,
): CoveredFile {
  const [first] = texts as readonly [WatchedText, ...WatchedText[]];
  const { kind, url } = first;
  const inline = isInline(first, pageUrl);
  // The same text that was loaded twice is one: what either of them used was used.
  const distinct = Map.groupBy(texts, (each) => `${each.inline?.line}:${each.inline?.column} ${each.text}`);
  const parts = [...distinct.values()].map((same) => {
    const readings = same.flatMap(({ id }) => uses.get(id) ?? []);
    const [{ text, inline: begin }] = same as [WatchedText];
    return kind === 'style'
      ? styleUse(text, readings)
      : scriptUse(text, readings, placeIn(text, begin), inline ? undefined : sources?.get(url));
  });
  const transferSize = inline
    ? undefined
    : requests.find((each) => each.url === url && each.transferSize)?.transferSize;
  const functions = parts
    .flatMap((part) => part.functions)
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, FUNCTIONS);
  const unusedByPackage = [
    ...Map.groupBy(
      parts.flatMap(({ byPackage }) => [...byPackage]),
      ([name]) => name,
    ),
  ]
    .map(([name, of]) => ({ package: name, bytes: of.reduce((sum, [, bytes]) => sum + bytes, 0) }))
    .toSorted((a, b) => b.bytes - a.bytes);
  return {
    kind,
    url,
    ...ownershipOf(pageUrl, url),
    ...(inline && { inline }),
    ...sumOf(parts),
    ...(transferSize !== undefined && { transferSize }),
    ...(functions.length > 0 && { functions }),
    ...(unusedByPackage.length > 0 && { unusedByPackage }),
  };
}

function styleUse(text: string, readings: readonly UseReading[]): TextUse {
  const size = sizeIn(text);
  const used = mergedRanges(readings.flatMap(({ ranges }) => ranges));
  const unused = outermostWithin(styleRules(text), gapsBetween(used, text.length));
  return {
    bytes: size({ from: 0, to: text.length }),
    unused: unused.reduce((sum, rule) => sum + size(rule), 0),
    functions: [],
    byPackage: new Map(),
  };
}

type PlaceOf = (at: number) => { readonly line: number; readonly column: number };

function scriptUse(
  text: string,
  readings: readonly UseReading[],
  placeOf: PlaceOf,
  lookup: SourceLookup | undefined,
): TextUse {
  const size = sizeIn(text);
  const gaps = gapsBetween(mergedRanges(readings.flatMap(({ ranges }) => usedRanges(ranges))), text.length);
  const functions = readings.flatMap(({ ranges }) => ranges.filter((range) => range.function !== undefined));
  const notRun = outermostWithin(functions, gaps);
  const sourceAt = (at: number) => {
    const { line, column } = placeOf(at);
    return lookup?.(line, column);
  };
  const byPackage = new Map<string, Bytes>();
  if (lookup) {
    for (const part of cutAt(gaps, notRun)) {
      const owner = sourceAt(part.from)?.package;
      if (owner !== undefined) byPackage.set(owner, (byPackage.get(owner) ?? 0) + size(part));
    }
  }
  const largest = notRun
    .map((range) => ({ range, bytes: size(range) }))
    .filter(({ bytes }) => bytes >= WORTH_A_LINE)
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, FUNCTIONS);
  return {
    bytes: size({ from: 0, to: text.length }),
    unused: gaps.reduce((sum, gap) => sum + size(gap), 0),
    functions: largest.map(({ range, bytes }) => {
      const name = range.function || ANONYMOUS;
      const source = sourceOfFunction(lookup, { name, ...placeOf(behindName(text, range, name)) });
      return { name, ...placeOf(range.from), bytes, ...(source && { source }) };
    }),
    byPackage,
  };
}

/** Where the parameters of a function begin: there source maps know its name. */
function behindName(text: string, { from, to }: TextRange, name: string): number {
  const at = text.indexOf(`${name}(`, from);
  return at < 0 || at >= to ? from : at + name.length;
}

/** Bytes of a range in UTF-8. */
function sizeIn(text: string): (range: TextRange) => Bytes {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII
  if (/^[\x00-\x7f]*$/.test(text)) return ({ from, to }) => to - from;
  return ({ from, to }) => byteLength(text.slice(from, to));
}

/** Lines and columns of a text that begins there in its document, counted from 1. */
function placeIn(text: string, begin: WatchedText['inline'] = { line: 0, column: 0 }): PlaceOf {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (at) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return { line: begin.line + low + 1, column: at - (starts[low] ?? 0) + (low === 0 ? begin.column : 0) + 1 };
  };
}
