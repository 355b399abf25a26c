/** The few styles of a terminal report; without colour they leave text as it is. */
export interface Ansi {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
  green(text: string): string;
  magenta(text: string): string;
}

/** Source: ECMA-48, Select Graphic Rendition. Written out because reporters may not name `node:util`. */
export function ansi(color: boolean): Ansi {
  const style =
    (on: number, off: number) =>
    (text: string): string =>
      color && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    yellow: style(33, 39),
    green: style(32, 39),
    magenta: style(35, 39),
  };
}
