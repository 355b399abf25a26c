import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The repository's own folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The text of a file of the repository. */
export const textOf = (file: string): string => readFileSync(`${ROOT}${file}`, 'utf8');

/** The files of a folder of the repository whose names end so, as paths from its top. */
export function filesIn(folder: string, ending: string): readonly string[] {
  return readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith(ending))
    .toSorted();
}
