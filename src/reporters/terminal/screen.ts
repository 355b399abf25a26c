import type { Detail } from '../../report/parts.ts';
import { type Ansi, ansi } from './ansi.ts';
import { columns, wrap } from './columns.ts';

/** How a terminal report is written. */
export interface TerminalOptions {
  readonly color: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** How much is shown; a first screen unless more is asked for. */
  readonly detail?: Detail;
}

/** What lines are laid out on. */
export interface Screen {
  readonly style: Ansi;
  /** Columns. */
  readonly width: number;
}

/** How a text is dressed. */
export type Paint = (text: string) => string;

/** Below this nothing can be laid out; the terminal wraps by itself then. */
export const NARROWEST = 40;
export const INDENT = '  ';

export function screenOf({ color, width }: TerminalOptions): Screen {
  return { style: ansi(color), width: Math.max(NARROWEST, Math.floor(width)) };
}

/** Text as it stands. */
export const unpainted: Paint = (text) => text;

/** Lines of a foreign text, painted one by one. */
export function prose(text: string, { width }: Screen, paint = unpainted): readonly string[] {
  return wrap(text, width).map(paint);
}

/** A wrapped text, every line indented. */
export function indented(text: string, { width }: Screen, paint = unpainted): readonly string[] {
  return wrap(text, width - INDENT.length).map((line) => INDENT + paint(line));
}

/** A wrapped text with a mark before it; following lines stand under its beginning. */
export function bullet(text: string, { width }: Screen, mark = '– ', paint = unpainted): readonly string[] {
  const room = columns(mark);
  return wrap(text, width - room).map((line, index) => (index === 0 ? paint(mark) : ' '.repeat(room)) + line);
}

/** The columns that the widest of some texts takes. */
export const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(columns));
