import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { QuiesceError } from '../../wording/messages/messages.ts';
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

/** Installed versions that are taken. Of autocannon, inner parts are used (shell/load/paced-client.ts). */
const ACCEPTED: { readonly [Name in OptionalPackage]: RegExp } = {
  autocannon: /^9\.0\.0$/,
  lighthouse: /^13\.(?:[5-9]|\d{2,})\./,
};

/**
 * The file that a package begins with: beside Quiesce, or fetched before. Never out of the working folder, in which others
 * may write.
 *
 * @throws QuiesceError `package-missing`
 */
export function installedPackage(name: OptionalPackage, env: Environment = process.env): string {
  const found = findPackage(name, env);
  if (found === undefined) throw new QuiesceError('package-missing', missing(name));
  return found;
}

function findPackage(name: OptionalPackage, env: Environment): string | undefined {
  for (const from of [import.meta.url, path.join(folderOf(name, env), 'package.json')]) {
    const require = createRequire(from);
    try {
      const { version } = require(`${name}/package.json`) as { readonly version: string };
      if (ACCEPTED[name].test(version)) return require.resolve(name);
    } catch {
      // It may be in the next.
    }
  }
  return undefined;
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
  if (findPackage(name, env) !== undefined) return;
  const isUnattended = env.CI !== undefined && env.CI !== '' && env.CI !== 'false';
  if (isUnattended && !install) throw new QuiesceError('package-missing', missing(name));
  const version = OPTIONAL_PACKAGES[name];
  onFetch(version);
  // A folder of its own: the working folder's .npmrc may name another registry. It gets its final name when it is whole.
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
    await rename(folder, place).catch((error: unknown) => {
      // Another Quiesce may have been faster.
      if (findPackage(name, env) === undefined) throw notFetched(name, (error as Error).message);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const folderOf = (name: OptionalPackage, env: Environment): string =>
  path.join(ownCacheFolder(env), 'packages', `${name}-${OPTIONAL_PACKAGES[name]}`);

const missing = (name: OptionalPackage) => ({ option: name, suggestion: `${name}@${OPTIONAL_PACKAGES[name]}` });

const notFetched = (name: OptionalPackage, detail: string): QuiesceError =>
  new QuiesceError('package-not-fetched', { ...missing(name), detail });
