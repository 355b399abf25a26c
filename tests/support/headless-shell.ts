import { existsSync } from 'node:fs';
import path from 'node:path';

/** Debian's. What it has on the PATH is a script around it, and ending that would not end the browser. */
const INSTALLED = '/usr/lib/chromium/chromium-headless-shell';
/** Of Chrome for Testing. */
const NAME = 'chrome-headless-shell';

/**
 * The headless shell, where there is one: Chrome's engine without the window around it, which takes half of the
 * processor's time of a load. It asks for no tab icon and shows no PDF.
 */
export function headlessShell(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const folders = (env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return [...folders.map((folder) => path.join(folder, NAME)), INSTALLED].find((file) => existsSync(file));
}
