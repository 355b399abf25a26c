import type { Header } from '../../model/network/network.ts';

/** The value of the first header with a name, which is given in lower case; undefined when there is none. */
export function headerOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value;
}
