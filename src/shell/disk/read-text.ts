import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

/** The text of a file, or of the standard input where `-` is its name. */
export async function readText(name: string, stdin: AsyncIterable<Uint8Array | string>): Promise<string> {
  return name === '-' ? await text(stdin as NodeJS.ReadableStream) : await readFile(name, 'utf8');
}
