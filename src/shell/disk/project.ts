import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { BUILD_FOLDERS, type Project, realBuilds } from '../../core/init/project.ts';
import { isFile } from './is-file.ts';

/** Reads what a project builds and how it is served. A folder without package.json is a project, too. */
export async function readProject(folder: string): Promise<Project> {
  const manifest = await readManifest(path.join(folder, 'package.json'));
  const packages = [...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.devDependencies ?? {})];
  const builds: string[] = [];
  for (const candidate of BUILD_FOLDERS) {
    const found = await withIndex(folder, candidate);
    if (found !== undefined) builds.push(found);
  }
  return {
    builds: realBuilds(builds, packages),
    scripts: manifest.scripts ?? {},
    packages,
    runner: await runnerIn(folder),
  };
}

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** A package.json that is broken or missing counts as empty. */
async function readManifest(file: string): Promise<Manifest> {
  try {
    const manifest: unknown = JSON.parse(await readFile(file, 'utf8'));
    const texts = (of: string) => {
      const found = (manifest as Record<string, unknown> | null)?.[of];
      const entries = typeof found === 'object' && found !== null ? Object.entries(found) : [];
      return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
    };
    return {
      scripts: texts('scripts'),
      dependencies: texts('dependencies'),
      devDependencies: texts('devDependencies'),
    };
  } catch {
    return {};
  }
}

/** The folder that has index.html: some tools write into one more folder, named after the project. */
async function withIndex(folder: string, build: string): Promise<string | undefined> {
  if (await isFile(path.join(folder, build, 'index.html'))) return build;
  const entries = await readdir(path.join(folder, build), { withFileTypes: true }).catch(() => []);
  const below = entries.filter((entry) => entry.isDirectory()).map((entry) => `${build}/${entry.name}`);
  // With several it is not clear which project is meant. Angular writes dist/<project>/browser.
  if (below.length !== 1) return undefined;
  for (const candidate of below.flatMap((each) => [`${each}/browser`, each])) {
    if (await isFile(path.join(folder, candidate, 'index.html'))) return candidate;
  }
  return undefined;
}

const RUNNERS: readonly (readonly [lockfile: string, runner: string])[] = [
  ['pnpm-lock.yaml', 'pnpm run'],
  ['yarn.lock', 'yarn run'],
  ['bun.lock', 'bun run'],
  ['bun.lockb', 'bun run'],
];

async function runnerIn(folder: string): Promise<string> {
  for (const [lockfile, runner] of RUNNERS) if (await isFile(path.join(folder, lockfile))) return runner;
  return 'npm run';
}
