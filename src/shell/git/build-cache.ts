import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';

/** How many builds are kept: those that were used last. */
const MAX_BUILDS = 10;
/** How many whole work trees are kept, which hold their packages as well. */
const MAX_TREES = 3;
/** Names the work tree beside it, once that is built. */
const TREE = '.built-tree';
/** Builds that were used within this time are kept, too, ms: a running comparison may serve them. One day. */
const IN_USE_MS = 24 * 60 * 60 * 1000;
/** Characters of the hash that is a build's key. */
const KEY_LENGTH = 32;
/** Prefix of folders that are being written or removed. */
const INCOMPLETE = '.part-';

/** The key of a build: the same for the same parts on the same kind of machine. */
export function buildKey(parts: Readonly<Record<string, string>>): string {
  const all = { ...parts, platform: process.platform, arch: process.arch, node: process.version };
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, KEY_LENGTH);
}

/** The folder of a build with this key; undefined when none is kept. It counts as used now. */
export async function findBuild(cache: string, key: string): Promise<string | undefined> {
  return findEntry(cache, key, 'index.html');
}

/** `proof`: a file that only a whole entry has. */
async function findEntry(cache: string, key: string, proof: string): Promise<string | undefined> {
  const entries = (await entriesOf(cache)).filter(({ name }) => name.startsWith(`${key}-`));
  // The one that was built last.
  for (const { folder } of entries.toSorted((a, b) => (a.name < b.name ? 1 : -1))) {
    try {
      if (!(await stat(path.join(folder, proof))).isFile()) continue;
      const now = new Date();
      await utimes(folder, now, now);
      return folder;
    } catch {
      // Another process has just removed it.
    }
  }
  return undefined;
}

/**
 * Stores a copy of a built site, with all files that the server would serve, and returns its folder. The copy is complete or
 * absent, and never overwritten: another process may serve it. The builds that were used longest ago are removed.
 */
export async function storeBuild(cache: string, key: string, site: string): Promise<string> {
  const name = entryName(key);
  const draft = path.join(cache, `${INCOMPLETE}${name}`);
  const folder = path.join(cache, name);
  await mkdir(draft, { recursive: true });
  try {
    await copyServed(await realpath(site), draft);
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
  await prune(cache, MAX_BUILDS).catch(() => undefined);
  return folder;
}

/** Names sort by the time of the build. */
function entryName(key: string): string {
  return `${key}-${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`;
}

/** The whole work tree of a build with this key, where it was built; undefined when none is kept. It counts as used now. */
export async function findTree(cache: string, key: string): Promise<string | undefined> {
  const entry = await findEntry(cache, key, TREE);
  if (entry === undefined) return undefined;
  const tree = path.join(entry, (await readFile(path.join(entry, TREE), 'utf8')).trim());
  return (await stat(tree).catch(() => undefined))?.isDirectory() ? realpath(tree) : undefined;
}

/** An empty folder for a work tree that is to be built and kept. */
export async function makeTreeFolder(cache: string, key: string): Promise<string> {
  const folder = path.join(cache, entryName(key));
  await mkdir(folder, { recursive: true });
  return realpath(folder);
}

/** Keeps a work tree that has been built in a folder of `makeTreeFolder`. Those that were used longest ago are removed. */
export async function keepTree(cache: string, folder: string, tree: string): Promise<void> {
  await writeFile(path.join(folder, TREE), path.basename(tree));
  await prune(cache, MAX_TREES).catch(() => undefined);
}

interface Entry {
  readonly name: string;
  readonly folder: string;
  /** When it was used last, ms since the Unix epoch. */
  readonly used: number;
}

/** All builds, those used last first. */
async function entriesOf(cache: string): Promise<readonly Entry[]> {
  const names = await readdir(cache).catch(() => []);
  const entries = await Promise.all(
    names.map(async (name): Promise<readonly Entry[]> => {
      const folder = path.join(cache, name);
      const found = await stat(folder).catch(() => undefined);
      return found?.isDirectory() ? [{ name, folder, used: found.mtimeMs }] : [];
    }),
  );
  return entries.flat().toSorted((a, b) => b.used - a.used);
}

async function prune(cache: string, most: number): Promise<void> {
  const longAgo = Date.now() - IN_USE_MS;
  const all = await entriesOf(cache);
  const isDraft = ({ name }: Entry) => name.startsWith(INCOMPLETE);
  const over = [...all.filter((entry) => !isDraft(entry)).slice(most), ...all.filter(isDraft)];
  for (const entry of over) {
    if (entry.used >= longAgo) continue;
    // Renamed first: no other process may find a half-removed build.
    const last = isDraft(entry) ? entry.folder : path.join(cache, `${INCOMPLETE}${entry.name}`);
    if (last !== entry.folder) await rename(entry.folder, last);
    await rm(last, { recursive: true, force: true });
  }
}

/**
 * Copies what `serveFolder` would serve: no hidden files, and only those symbolic links that stay inside the folder. They
 * become relative, so that they lead into the copy.
 *
 * @param through targets of the links on the way to `from`
 */
async function copyServed(
  from: string,
  to: string,
  root = { from, to },
  through: readonly string[] = [],
): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (isHidden(entry.name)) continue;
    const [source, copy] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (!entry.isSymbolicLink()) {
      await copyOne(source, copy, root, through);
      continue;
    }
    const target = await realpath(source).catch(() => undefined);
    if (target === undefined || !target.startsWith(root.from + path.sep)) continue;
    const inside = path.relative(root.from, target);
    if (!inside.split(path.sep).some(isHidden)) {
      await symlink(path.relative(to, path.join(root.to, inside)), copy);
    } else if (!through.includes(target)) {
      // The target is hidden and so not copied, but the link is not: pnpm installs packages this way.
      await copyOne(target, copy, root, [...through, target]);
    }
  }
}

async function copyOne(
  source: string,
  copy: string,
  root: { readonly from: string; readonly to: string },
  through: readonly string[],
): Promise<void> {
  const found = await stat(source);
  if (found.isDirectory()) {
    await mkdir(copy);
    await copyServed(source, copy, root, through);
  } else if (found.isFile()) {
    await copyFile(source, copy, constants.COPYFILE_FICLONE);
  }
}

function isHidden(name: string): boolean {
  return name.startsWith('.') && name !== '.well-known';
}
