import { readFileSync } from 'node:fs';

/** The version in package.json, the same number of folders up from here in the sources as in the built package. */
export function version(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
