import { inspect, styleText } from 'node:util';

const STYLES = ['bold', 'dim', 'red', 'yellow', 'green', 'magenta'] as const;

/** What switches one of these styles on or off. */
export const STYLE = new RegExp(
  `(\\u001b\\[(?:${[...new Set(STYLES.flatMap((style) => inspect.colors[style] ?? []))].join('|')})m)`,
);

/** The few styles of a terminal report; without colour they leave text as it is. */
export type Ansi = Readonly<Record<(typeof STYLES)[number], (text: string) => string>>;

export function ansi(color: boolean): Ansi {
  const paint = (style: (typeof STYLES)[number]) => (text: string) =>
    // Whether there is to be colour was decided from the stream that it goes to, which is not known here.
    color && text !== '' ? styleText(style, text, { validateStream: false }) : text;
  return Object.fromEntries(STYLES.map((style) => [style, paint(style)])) as Ansi;
}
