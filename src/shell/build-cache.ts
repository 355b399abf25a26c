import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, realpath, rename, rm, stat, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { ownCacheFolder } from './browser/find.ts';

/** Builds that are kept, those used last. */
const KEPT = 10;
/** What was used within this time is kept, too: a comparison that is under way may serve it. In ms: a day. */
const IN_USE = 24 * 60 * 60 * 1000;
/** Letters of a hash that tell one build from another. */
const LETTERS = 32;
/** In front of what is not whole, or not any more. */
const UNUSABLE = '.part-';

/** Where builds are kept from one comparison to the next. */
export function buildCacheFolder(): string {
  return path.join(ownCacheFolder(process.env), 'builds');
}

/** The name under which a build is kept: the same for the same parts, on the same kind of machine. */
export function buildKey(parts: Readonly<Record<string, string>>): string {
  const all = { ...parts, platform: process.platform, arch: process.arch, node: process.version };
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, LETTERS);
}

/** The folder with a site that was built before; undefined when none is kept. From now on it counts as just used. */
export async function keptBuild(cache: string, key: string): Promise<string | undefined> {
  const entries = (await entriesOf(cache)).filter(({ name }) => name.startsWith(`${key}-`));
  // The one built last, whichever was used last.
  for (const { folder } of entries.toSorted((a, b) => (a.name < b.name ? 1 : -1))) {
    try {
      if (!(await stat(path.join(folder, 'index.html'))).isFile()) continue;
      const now = new Date();
      await utimes(folder, now, now);
      return folder;
    } catch {
      // Somebody else has just removed it.
    }
  }
  return undefined;
}

/**
 * Keeps a copy of a built site, of all that a server may give out of it, and gives its folder. It is there whole or not
 * at all, and what is kept is never written over: others may serve it. The builds used longest ago go.
 */
export async function keepBuild(cache: string, key: string, site: string): Promise<string> {
  // Names tell the order in which they were built.
  const name = `${key}-${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`;
  const draft = path.join(cache, `${UNUSABLE}${name}`);
  const folder = path.join(cache, name);
  await mkdir(draft, { recursive: true });
  try {
    await copyServed(await realpath(site), draft);
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    throw error;
  }
  await prune(cache).catch(() => undefined);
  return folder;
}

interface Entry {
  readonly name: string;
  readonly folder: string;
  /** When it was used last, ms since 1970. */
  readonly used: number;
}

/** All that lies there, what was used last first. */
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

async function prune(cache: string): Promise<void> {
  const longAgo = Date.now() - IN_USE;
  const all = await entriesOf(cache);
  const isDraft = ({ name }: Entry) => name.startsWith(UNUSABLE);
  const over = [...all.filter((entry) => !isDraft(entry)).slice(KEPT), ...all.filter(isDraft)];
  for (const entry of over) {
    if (entry.used >= longAgo) continue;
    // Nobody is to find half of it while it is being removed.
    const last = isDraft(entry) ? entry.folder : path.join(cache, `${UNUSABLE}${entry.name}`);
    if (last !== entry.folder) await rename(entry.folder, last);
    await rm(last, { recursive: true, force: true });
  }
}

/**
 * Copies what `serveFolder` would give out: no hidden files, and of symbolic links those that stay inside. They are made
 * relative, so that they lead into the copy.
 *
 * @param through where links have led on the way to `from`
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
      // It is not there in the copy, but a link is a way to it that is not hidden: so pnpm installs packages.
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
