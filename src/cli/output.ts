import { redactText } from '../core/har/redact.ts';
import { STYLE } from '../reporters/terminal/ansi.ts';
import { logLine, plain } from '../wording/text/text.ts';

/** Where text goes, as it is. */
export interface Stream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Where commands write. What they quote may come from anywhere; nothing of it leaves that a terminal or a runner obeys. */
export interface Output extends Stream {
  /** Lines of text, in which only the styles of our own tables are kept, where there is colour. */
  write(text: string): unknown;
  /** One line: what breaks it is a space. */
  line(text: string): unknown;
  /** A sequence for the terminal or a command for a runner, as it is, and cleaned text after it. */
  control(sequence: string, text?: string): unknown;
}

/**
 * Cleans all that is written to a stream.
 *
 * @param color whether tables are written with their styles
 * @param redacts whether secrets are taken out: a log may be read by many, and holds addresses as they were typed
 */
export function cleanOutput(stream: Stream, { color, redacts }: { color: boolean; redacts: boolean }): Output {
  const clean = (text: string): string =>
    (redacts ? redactText(text) : text)
      .split('\n')
      .map((line) => (color ? line.split(STYLE).map(styledPart).join('') : logLine(line)))
      .join('\n');
  return Object.create(stream, {
    write: { value: (text: string) => stream.write(clean(text)) },
    line: { value: (text: string) => stream.write(clean(`${plain(text)}\n`)) },
    control: { value: (sequence: string, text = '') => stream.write(sequence + clean(text)) },
  }) as Output;
}

/** Of a line that was split at its styles, every second part is one. */
const styledPart = (part: string, index: number): string => (index % 2 === 1 ? part : logLine(part));
