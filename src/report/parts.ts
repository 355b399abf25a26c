import type { BudgetResult } from '../model/budgets.ts';
import type { MetricComparison } from '../model/compare/comparison.ts';
import type { FixOwner } from '../model/fixes.ts';
import type { MetricColumn } from '../model/result/report.ts';
import type { MetricSummary, RunResult } from '../model/result/result.ts';
import type { MetricTrend } from '../model/trend.ts';
import type { Ms } from '../model/units.ts';
import type { DocsSection } from '../wording/messages/docs.ts';
import { ABSENT, formatCount, formatShare, formatValue } from '../wording/text/format.ts';
import type { Placed } from './comparison.ts';

/*
 * What stands between a result and a format: what is shown, in which order, how much of it and in which words is decided in
 * these parts. Writers lay them out, and escape whatever in them came from a page.
 */

/** How much a writer asks for: the first screen · what a reviewer reads · everything. */
export type Detail = 'brief' | 'normal' | 'all';

/**
 * A stretch of text. Code is a name that a page or a user chose, an address one of the page's; a link leads to the project's
 * own documents only.
 */
export type Span =
  | string
  | { readonly code: string }
  | { readonly strong: string }
  | { readonly address: string }
  | StoredFile
  | Shot
  | Link;

/** A picture of the page beside its caption, where a format has pictures. */
export interface Shot {
  readonly picture: string;
  readonly says: string;
}

/** A file beside the result, by its name there; of a page's own report: what it is called. */
export type StoredFile =
  | { readonly file: string; readonly of: 'trace' | 'lighthouse'; readonly says?: undefined }
  | { readonly file: string; readonly of: 'page'; readonly says: string };

interface Link {
  readonly link: string;
  readonly href: string;
}

/** A text that any format can write. What it quotes may be hostile. */
export type Text = Span | readonly Span[];

/** How something came out. Writers have a sign, a colour or a picture for each, and the words say it as well. */
export type Mark =
  | 'good'
  | 'bad'
  | 'warning'
  | 'broken'
  | 'unknown'
  | 'invalid'
  | 'better'
  | 'worse'
  | 'slight'
  | 'same'
  | 'added'
  | 'removed';

/** Signs that stand beside the colours, so that no outcome is shown by its colour alone. */
export const SIGNS: Readonly<Record<Mark, string>> = {
  good: '✓',
  bad: '✗',
  warning: '!',
  broken: '⚠',
  unknown: '?',
  invalid: '✗',
  better: '▼',
  worse: '▲',
  slight: '▲',
  same: '=',
  added: '+',
  removed: '−',
};

/** What a document is about, with its outcome; the first of its parts. */
export interface Heading {
  readonly kind: 'heading';
  readonly mark: Mark;
  readonly text: string;
  readonly about?: Text;
}

export interface Paragraph {
  readonly kind: 'paragraph';
  readonly text: Text;
  /** The answer · what is worth less than the rest. */
  readonly weight?: 'strong' | 'light';
  readonly mark?: Mark;
}

/** What a reader must know before any figure, or should know beside it. */
export interface Alert {
  readonly kind: 'alert';
  readonly grave: boolean;
  readonly text: Text;
}

/** Figures with their names, in one line where there is room. */
export interface Facts {
  readonly kind: 'facts';
  readonly title?: string;
  readonly facts: readonly Fact[];
}

/** A name with what is to be said of it. */
export type Fact = readonly [name: string, value: Cell | Text];

/** A whole in its pieces, with the figure of each. */
export interface Split {
  readonly kind: 'split';
  readonly title: string;
  readonly pieces: readonly Piece[];
  /** The whole, where the pieces are not all of it. */
  readonly total?: Ms;
  /** Its figures are shares: how long it took is not to be trusted. */
  readonly sharesOnly?: boolean;
}

export interface Piece {
  /** Of its colour. */
  readonly name: string;
  readonly title: string;
  readonly value: Ms;
  readonly means?: string;
}

export interface Item {
  readonly text: Text;
  readonly mark?: Mark;
  /** Names below it. */
  readonly below?: readonly Text[];
}

/** What a list leaves out of its end, in words: "and 3 more". */
interface Cut {
  readonly more?: string;
}

export interface List extends Cut {
  readonly kind: 'list';
  readonly title?: Text;
  readonly items: readonly Item[];
}

export interface Column {
  readonly title: string;
  /** Figures are aligned at their end. */
  readonly figures?: boolean;
  /** Where there is no room, the columns of the least worth go first; without one, a column stays. */
  readonly worth?: number;
  /** Sentences: they stand below their row where there is no room beside it. */
  readonly long?: boolean;
}

export interface Cell {
  readonly text: Text;
  readonly mark?: Mark;
  /** What is worth less, below it, in formats that have room for it. */
  readonly remarks?: readonly Text[];
}

export interface Table extends Cut {
  readonly kind: 'table';
  readonly title?: Text;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (Cell | Text)[])[];
  /** What a row is about, where a writer may fold all but the first. */
  readonly noun?: string;
  readonly drawings?: readonly Drawing[];
  /** Who can act on each row, where readers may choose. */
  readonly owners?: readonly FixOwner[];
}

/** What writers that can draw draw beside each row of a table; the figures stand in its cells. */
export type Drawing = { readonly title: string } & (
  | { readonly name: 'interval'; readonly rows: readonly MetricComparison[] }
  | { readonly name: 'dots'; readonly rows: readonly (Dots | undefined)[] }
  | { readonly name: 'loads'; readonly rows: readonly MetricComparison[]; readonly loads: readonly Placed[] }
  | { readonly name: 'history'; readonly rows: readonly MetricTrend[] }
  | { readonly name: 'share'; readonly rows: readonly number[] }
  | { readonly name: 'budget'; readonly rows: readonly BudgetResult[] }
);

/** A metric in each of its runs. */
export interface Dots {
  readonly summary: MetricSummary;
  readonly column: MetricColumn;
  readonly runs: readonly RunResult[];
}

/** Parts that unfold, where a format can; their title, and the line of what they come to, say what is in them. */
export interface Details {
  readonly kind: 'details';
  readonly title: Text;
  readonly line?: string;
  /** Its name in a list of contents, where the title is long. */
  readonly short?: string;
  /** The section of the documents that explains it. */
  readonly docs?: DocsSection;
  readonly parts: readonly Part[];
}

/** Parts that stand side by side where there is room. */
export interface SideBySide {
  readonly kind: 'side-by-side';
  readonly parts: readonly Part[];
}

/** A drawing, by its name, and what it shows as a text; a format that has neither leaves it out. */
export interface Figure {
  readonly kind: 'figure';
  readonly name: FigureName;
  readonly title: string;
  readonly text?: Text;
}

export type FigureName = 'film' | 'path' | 'waterfall' | 'scores' | 'proof' | 'gates' | 'files' | 'charts';

export type Part = Heading | Paragraph | Alert | Facts | Split | List | Table | Details | SideBySide | Figure;

/** How many of a kind are shown; the rest is counted. */
const SHOWN: Readonly<Record<Detail, number>> = { brief: 3, normal: 10, all: 1_000 };

/** The first of many, and what is said of the rest. */
export function cut<T>(all: readonly T[], detail: Detail, noun?: string): Cut & { readonly shown: readonly T[] } {
  const shown = all.slice(0, SHOWN[detail]);
  const left = all.length - shown.length;
  if (left === 0) return { shown };
  return { shown, more: noun === undefined ? `and ${left} more` : `and ${formatCount(left, `more ${noun}`)}` };
}

/** A paragraph; nothing where there is nothing to say. */
export function paragraph(text: Text | undefined, more: Omit<Paragraph, 'kind' | 'text'> = {}): readonly Paragraph[] {
  return text === undefined || text === '' ? [] : [{ kind: 'paragraph', text, ...more }];
}

/** An alert; nothing where there is nothing to say. */
export function alert(text: Text | undefined, grave = true): readonly Alert[] {
  return text === undefined || text === '' ? [] : [{ kind: 'alert', grave, text }];
}

/** A list of the first items; nothing where there are none. */
export function list(
  items: readonly Item[],
  detail: Detail,
  { title, noun }: { readonly title?: Text; readonly noun?: string } = {},
): readonly List[] {
  if (items.length === 0) return [];
  const { shown, more } = cut(items, detail, noun);
  return [{ kind: 'list', items: shown, ...(title !== undefined && { title }), ...(more !== undefined && { more }) }];
}

/** A column with what it says of a row. */
export interface ColumnOf<Row> extends Column {
  readonly cell: (row: Row) => Cell | Text;
}

/** A table of the first rows; nothing where there are none. */
export function table<Row>(
  all: readonly Row[],
  columns: readonly ColumnOf<Row>[],
  detail: Detail,
  more: Pick<Table, 'title' | 'noun' | 'drawings' | 'owners'> = {},
): readonly Table[] {
  if (all.length === 0) return [];
  const { shown, more: left } = cut(all, detail, more.noun);
  return [
    {
      kind: 'table',
      columns: columns.map(({ cell: _, ...column }) => column),
      rows: shown.map((row) => columns.map(({ cell }) => cell(row))),
      ...more,
      ...(left !== undefined && { more: left }),
    },
  ];
}

/** What unfolds; nothing where there is nothing to unfold. A first screen has no room for it. */
export function details(
  title: Text,
  parts: readonly Part[],
  detail: Detail,
  more: Pick<Details, 'line' | 'short' | 'docs'> = {},
): readonly Details[] {
  return parts.length === 0 || detail === 'brief' ? [] : [{ kind: 'details', title, parts, ...more }];
}

/** A split as facts: "Script 62 ms (40%)". */
export function factsOf({ pieces, total, sharesOnly = false }: Split): readonly (readonly [string, string])[] {
  const all = total ?? pieces.reduce((sum, { value }) => sum + Math.max(0, value), 0);
  return pieces.map(({ title, value }) => {
    const share = formatShare(all === 0 ? 0 : Math.max(0, value) / all);
    return [title, sharesOnly ? share : formatValue(value, 'ms')];
  });
}

/** Is it more than a text? */
export const isCell = (cell: Cell | Text): cell is Cell => typeof cell === 'object' && 'text' in cell;

/** A text as its stretches. */
export const spansOf = (text: Text): readonly Span[] => (Array.isArray(text) ? text : [text as Span]);

/** A fact of more letters is a sentence. */
const SENTENCE = 40;

/** Are the facts sentences, which stand one below the other? */
export const areSentences = (facts: readonly Fact[]): boolean =>
  facts.some(([, value]) => textOf(cellText(value)).length > SENTENCE);

/** A cell's text, whether it has more or not. */
export const cellText = (cell: Cell | Text): Text => (isCell(cell) ? cell.text : cell);

/** Does a cell say nothing? */
export const isAbsent = (cell: Cell | Text): boolean => !isCell(cell) && cell === ABSENT;

/** A text without what only other formats show. */
export function textOf(text: Text): string {
  return spansOf(text).map(spanText).join('');
}

function spanText(span: Span): string {
  if (typeof span === 'string') return span;
  if ('code' in span) return span.code;
  if ('address' in span) return span.address;
  if ('file' in span) return span.says ?? span.file;
  if ('picture' in span) return span.says;
  return 'strong' in span ? span.strong : `${span.link}: ${span.href}`;
}
