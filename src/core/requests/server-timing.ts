import type { Header } from '../../model/network/network.ts';

/** An entry of a `Server-Timing` header. */
export interface ServerTiming {
  readonly name: string;
  /** In ms; absent where the entry has none. */
  readonly duration?: number;
}

/**
 * What a response's `Server-Timing` headers say, in their order. Durations below zero are none.
 * Source: https://w3c.github.io/server-timing/#the-server-timing-header-field
 */
export function serverTimings(headers: readonly Header[]): readonly ServerTiming[] {
  return (
    headers
      .filter(({ name }) => name.toLowerCase() === 'server-timing')
      // Chrome joins the lines of one header by line breaks.
      .flatMap(({ value }) => value.split('\n'))
      .flatMap((line) => splitOutsideQuotes(line, ','))
      .flatMap((entry) => {
        const [name = '', ...parameters] = splitOutsideQuotes(entry, ';').map((part) => part.trim());
        if (name === '') return [];
        const duration = parameters.map(durationIn).find((found) => found !== undefined);
        return [{ name, ...(duration !== undefined && { duration }) }];
      })
  );
}

function durationIn(parameter: string): number | undefined {
  const [key = '', value = ''] = parameter.split('=', 2);
  if (key.trim().toLowerCase() !== 'dur') return undefined;
  const written = value.replaceAll('"', '').trim();
  const duration = Number(written);
  return written !== '' && Number.isFinite(duration) && duration >= 0 ? duration : undefined;
}

/** Descriptions are quoted, and may hold what separates entries and their parameters. */
function splitOutsideQuotes(text: string, separator: ',' | ';'): readonly string[] {
  const parts: string[] = [];
  let isQuoted = false;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (isQuoted && text[at] === '\\') at++;
    else if (!isQuoted && text[at] === separator) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}
