import { formatCount } from '../wording/format.ts';

/*
 * What stands between a result and a format: what is shown, in which order, how much of it and in which words is decided in
 * these parts. Writers lay them out, and escape whatever in them came from a page.
 */

/** How much a writer asks for: the first screen · what a reviewer reads · everything. */
export type Detail = 'brief' | 'normal' | 'all';

/** A stretch of text. Code is a name that a page or a user chose; a link leads to the project's own documents only. */
export type Span = string | { readonly code: string } | { readonly strong: string } | Link;

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
  readonly facts: readonly (readonly [name: string, value: string])[];
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
}

export interface Table<Drawn = unknown> extends Cut {
  readonly kind: 'table';
  readonly title?: Text;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (Cell | Text)[])[];
  /** What writers that can draw draw beside each row. */
  readonly drawn?: readonly (Drawn | undefined)[];
}

/** Parts that unfold, where a format can; their title says what is in them. */
export interface Details {
  readonly kind: 'details';
  readonly title: Text;
  readonly parts: readonly Part[];
}

/** A drawing, by its name, and what it shows as a text. */
export interface Figure {
  readonly kind: 'figure';
  readonly name: 'critical-path';
  readonly title: string;
  readonly text: Text;
}

export type Part = Heading | Paragraph | Alert | Facts | List | Table | Details | Figure;

/** How many of a kind are shown; the rest is counted. */
const SHOWN: Readonly<Record<Detail, number>> = { brief: 3, normal: 10, all: 100 };

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

/** What unfolds; nothing where there is nothing to unfold. A first screen has no room for it. */
export function details(title: Text, parts: readonly Part[], detail: Detail): readonly Details[] {
  return parts.length === 0 || detail === 'brief' ? [] : [{ kind: 'details', title, parts }];
}

/** Is it more than a text? */
export const isCell = (cell: Cell | Text): cell is Cell => typeof cell === 'object' && 'text' in cell;

/** A text as its stretches. */
export const spansOf = (text: Text): readonly Span[] => (Array.isArray(text) ? text : [text as Span]);

/** A text without what only other formats show. */
export function textOf(text: Text): string {
  return spansOf(text).map(spanText).join('');
}

function spanText(span: Span): string {
  if (typeof span === 'string') return span;
  if ('code' in span) return span.code;
  return 'strong' in span ? span.strong : `${span.link}: ${span.href}`;
}
