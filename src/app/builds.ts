import { realpath } from 'node:fs/promises';
import { UsageError } from '../core/messages.ts';
import type { Build } from '../model/comparison.ts';
import { serveBuilds } from '../shell/static-server.ts';
import { parseTarget, type Target } from './target.ts';

/** The two builds, in the order in which they are named. */
export const BUILDS = ['base', 'candidate'] as const satisfies readonly Build[];

/** One thing for each build. */
export type PerBuild<T> = Readonly<Record<Build, T>>;

/** Makes one thing for each build. */
export function perBuild<T>(make: (build: Build) => T): PerBuild<T> {
  return { base: make('base'), candidate: make('candidate') };
}

/** Two builds that can be loaded now. */
export interface OpenBuilds {
  readonly urls: PerBuild<string>;
  /** To be called before each load: where both are served from one address, it decides which one is there. */
  use(build: Build): Promise<void>;
  close(): Promise<void>;
}

/**
 * What was named, checked: exactly two, and not the same unless that is wanted.
 *
 * @throws UsageError for anything else.
 */
export async function parseBuilds(words: readonly string[], mayBeSame: boolean): Promise<PerBuild<Target>> {
  const [first, second] = words;
  if (first === undefined || second === undefined || words.length > 2) throw new UsageError('builds-missing');
  const [base, candidate] = [await parseTarget(first), await parseTarget(second)];
  if (!mayBeSame && (await placeOf(base)) === (await placeOf(candidate))) {
    throw new UsageError('builds-same', { detail: base.name });
  }
  return { base, candidate };
}

/** Where a target really is, so that `./dist` and `dist/` are the same. */
async function placeOf({ name, folder }: Target): Promise<string> {
  return folder === undefined ? new URL(name).href : realpath(folder);
}

/**
 * Makes both loadable. Two folders are served from one and the same address in turn: with two ports the origins, and
 * all that a browser keeps by origin, would not be the same for both.
 *
 * @param before where they were when the comparison was begun: folders are served there again if that is possible
 */
export async function openBuilds({ base, candidate }: PerBuild<Target>, before?: string): Promise<OpenBuilds> {
  if (base.folder !== undefined && candidate.folder !== undefined) {
    const port = before === undefined ? 0 : Number(new URL(before).port);
    const served = await serveBuilds([base.folder, candidate.folder], port);
    return {
      urls: { base: served.url, candidate: served.url },
      use: async (build) => served.use(BUILDS.indexOf(build)),
      close: () => served.close(),
    };
  }
  const [opened, other] = [await base.open(), await candidate.open()];
  return {
    urls: { base: opened.url, candidate: other.url },
    use: async () => undefined,
    async close() {
      await opened.close();
      await other.close();
    },
  };
}
