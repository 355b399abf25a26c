import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { QuiesceError } from '../../wording/messages.ts';
import { ownCacheFolder } from '../disk/cache-folder.ts';
import { markedPrefix, removeLeftovers } from '../disk/leftovers.ts';
import { runGroup } from './command-group.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Packages that only some jobs need, with the version that is fetched. They are optional peers in package.json: large, and
 * not installed with Quiesce.
 */
export const OPTIONAL_PACKAGES = { autocannon: '9.0.0', lighthouse: '13.5.0' } as const;
export type OptionalPackage = keyof typeof OPTIONAL_PACKAGES;

/**
 * The file that a package begins with: of the installation of Quiesce, of the working folder, or of what was fetched before.
 *
 * @throws QuiesceError `package-missing`
 */
export function installedPackage(name: OptionalPackage, env: Environment = process.env): string {
  for (const from of [import.meta.url, path.resolve('package.json'), path.join(folderOf(name, env), 'package.json')]) {
    try {
      return createRequire(from).resolve(name);
    } catch {
      // It may be in the next.
    }
  }
  throw new QuiesceError('package-missing', missing(name));
}

/** The beginning of names of folders that are being filled. */
const UNFINISHED = 'unfinished-';

/** How a package may be fetched. */
export interface FetchOptions {
  readonly env: Environment;
  /** Also in continuous integration, where nothing is fetched unasked. */
  readonly install: boolean;
  readonly signal: AbortSignal;
  /** Called before it is fetched, which takes seconds. */
  onFetch(version: string): void;
}

/**
 * Fetches a package with npm, once, where it is not installed.
 *
 * @throws QuiesceError `package-missing` where nothing may be fetched, `package-not-fetched`, `interrupted`
 */
export async function ensurePackage(
  name: OptionalPackage,
  { env, install, signal, onFetch }: FetchOptions,
): Promise<void> {
  try {
    installedPackage(name, env);
    return;
  } catch (error) {
    const isUnattended = env.CI !== undefined && env.CI !== '' && env.CI !== 'false';
    if (isUnattended && !install) throw error;
  }
  const version = OPTIONAL_PACKAGES[name];
  onFetch(version);
  // A folder of its own: the working folder's .npmrc may name another registry. It gets its name when it is whole.
  const place = folderOf(name, env);
  const parent = path.dirname(place);
  await mkdir(parent, { recursive: true });
  await removeLeftovers(parent, UNFINISHED);
  const folder = await mkdtemp(path.join(parent, markedPrefix(UNFINISHED)));
  try {
    const options = '--ignore-scripts --no-audit --no-fund --no-package-lock';
    const { succeeded, output, how } = await runGroup(
      { command: `npm install --prefix . ${options} ${name}@${version}`, folder },
      signal,
    );
    if (!succeeded) throw notFetched(name, output.findLast((line) => /error/i.test(line)) ?? how);
    await rm(place, { recursive: true, force: true });
    await rename(folder, place).catch(async (error: unknown) => {
      // Another Quiesce may have been faster.
      if (!isInstalled(name, env)) throw notFetched(name, (error as Error).message);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function isInstalled(name: OptionalPackage, env: Environment): boolean {
  try {
    return installedPackage(name, env) !== '';
  } catch {
    return false;
  }
}

const folderOf = (name: OptionalPackage, env: Environment): string =>
  path.join(ownCacheFolder(env), 'packages', `${name}-${OPTIONAL_PACKAGES[name]}`);

const missing = (name: OptionalPackage) => ({ option: name, suggestion: `${name}@${OPTIONAL_PACKAGES[name]}` });

const notFetched = (name: OptionalPackage, detail: string): QuiesceError =>
  new QuiesceError('package-not-fetched', { ...missing(name), detail });
