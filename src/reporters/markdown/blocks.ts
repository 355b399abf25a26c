import { andMore } from '../../wording/format.ts';

/** A list with a dash before each line, which is Markdown already. */
export const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

/** Folded away; the blank lines make Markdown of what is between. Nothing where there is nothing to fold. */
export function details(title: string, body: string): string {
  return body === '' ? '' : `<details>\n<summary>${title}</summary>\n\n${body}\n\n</details>`;
}

/** A column's heading, and whether figures stand in it: they are aligned to the right. */
export interface Heading {
  readonly title: string;
  readonly figures?: boolean;
}

/** A table of cells that are Markdown already, without line breaks and bars. */
export function table(head: readonly Heading[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(head.map(({ title }) => title)),
    line(head.map(({ figures }) => (figures ? '--:' : ':--'))),
    ...rows.map(line),
  ].join('\n');
}

/** What ends a list that was cut: nothing where all of it is there. */
export function others(count: number): readonly string[] {
  return count > 0 ? [andMore(count)] : [];
}
