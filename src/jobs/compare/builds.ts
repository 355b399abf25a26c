import { realpath } from 'node:fs/promises';
import { BUILDS, type Build, type PerBuild } from '../../model/compare/build.ts';
import type { ServerNote } from '../../model/result/note.ts';
import type { Progress } from '../../model/result/progress.ts';
import type { Source } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';
import type { LogFile } from '../../shell/disk/log-file.ts';
import { serveBuilds } from '../../shell/servers/static-server.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import type { Reachable } from '../engine/reachable.ts';
import { sourcesOfBuilds } from '../engine/source.ts';
import { parseTarget, type Target } from '../engine/target.ts';

/** Makes one thing for each build. */
export function perBuild<T>(make: (build: Build) => T): PerBuild<T> {
  return { base: make('base'), candidate: make('candidate') };
}

/** What making two builds is watched and ended by. */
export interface MakeHooks {
  readonly signal: AbortSignal;
  onProgress(event: Progress): void;
  /** Where their servers were when the comparison was started: they are started there again if that is possible. */
  readonly before?: Partial<PerBuild<string>>;
  /** Opens the log of a server; it is closed by the caller. */
  openLog(name: string): LogFile;
}

/** Two builds that are there. */
export interface MadeBuilds {
  readonly targets: PerBuild<Target>;
  /**
   * Makes both loadable.
   *
   * @param queries added to their addresses
   * @param before where they were when the comparison was started: folders are served there again if that is possible
   */
  open(queries: PerBuild<string | undefined>, before?: string): Promise<OpenBuilds>;
  /** What a reader should know of their servers by now. */
  notes?(): readonly ServerNote[];
  /** Ends servers, and removes what was only made to be compared. */
  close(): Promise<void>;
}

/** Two builds by their names, checked, but perhaps not there yet. */
export interface NamedBuilds {
  /** For the name of a folder. */
  readonly slugs: PerBuild<string>;
  /** Which commits they are, where that is known. */
  readonly sources: Partial<Record<Build, Source>>;
  /** What their files are, of two states of a repository: a comparison goes on only with the same. Absent where that is not known. */
  readonly states?: PerBuild<string>;
  /** What a browser elsewhere would have to reach. */
  readonly places: readonly Reachable[];
  make(hooks: MakeHooks): Promise<MadeBuilds>;
}

/** Two builds that can be loaded now. */
export interface OpenBuilds {
  readonly urls: PerBuild<string>;
  /** Makes the candidate loadable in a second browser, at its URL, while the first has the base: what that browser is started with. */
  secondBrowserArgs(): Promise<readonly string[]>;
  /** Only one of them can be there at a time, and changing takes long. */
  readonly oneAtATime: boolean;
  /**
   * To be called before each load: where both are served from one address, it decides which one is there. Says whether its
   * server has just been started, and is to be warmed up.
   *
   * @param inSecondBrowser or in the first
   * @throws QuiesceError when its server has ended
   */
  use(build: Build, inSecondBrowser?: boolean): Promise<{ readonly isFresh: boolean }>;
  /**
   * To be called after each load.
   *
   * @throws QuiesceError when its server has ended meanwhile, so that the load says nothing
   */
  loaded(build: Build, ok: boolean): Promise<void>;
  /** How much CPU time its server has used by now; undefined where it has none, or the system does not tell. */
  serverCpuTime(build: Build): Ms | undefined;
  close(): Promise<void>;
}

/**
 * Two builds that the user has made.
 *
 * @throws QuiesceError as `parseBuilds` does
 */
export async function readyBuilds(
  words: readonly [base: string, candidate: string],
  source: Source | undefined,
  mayBeSame: boolean,
): Promise<NamedBuilds> {
  const targets = await parseBuilds(words, mayBeSame);
  return {
    slugs: perBuild((build) => targets[build].slug),
    sources: await sourcesOfBuilds(targets, source),
    places: [targets.base, targets.candidate],
    make: async () => siteBuilds(targets, async () => undefined),
  };
}

/**
 * What was named, checked: not the same unless that is wanted.
 *
 * @throws QuiesceError for anything else.
 */
async function parseBuilds(
  [first, second]: readonly [base: string, candidate: string],
  mayBeSame: boolean,
): Promise<PerBuild<Target>> {
  const [base, candidate] = [await parseTarget(first), await parseTarget(second)];
  if (!mayBeSame && (await realLocation(base)) === (await realLocation(candidate))) {
    throw new QuiesceError('builds-same', { detail: base.name });
  }
  return { base, candidate };
}

/** Where a target really is, so that `./dist` and `dist/` are the same. */
async function realLocation({ name, folder }: Target): Promise<string> {
  return folder === undefined ? new URL(name).href : realpath(folder);
}

/** Two builds that no server has to be started for. */
export function siteBuilds(targets: PerBuild<Target>, close: () => Promise<void>): MadeBuilds {
  return {
    targets,
    async open(queries, before) {
      const opened = await openTargets(targets, before);
      return { ...opened, urls: perBuild((build) => withQuery(opened.urls[build], queries[build])) };
    },
    close,
  };
}

/** An address with something added to its query. */
export function withQuery(url: string, query: string | undefined): string {
  if (query === undefined) return url;
  const whole = new URL(url);
  whole.search = whole.search === '' ? query : `${whole.search}&${query}`;
  return whole.href;
}

/**
 * Makes both loadable. Two folders are served from one and the same address in turn: with two ports the origins, and
 * all that a browser keeps by origin, would not be the same for both.
 */
async function openTargets({ base, candidate }: PerBuild<Target>, before?: string): Promise<OpenBuilds> {
  if (base.folder !== undefined && candidate.folder !== undefined) {
    const port = before === undefined ? 0 : Number(new URL(before).port);
    const served = await serveBuilds([base.folder, candidate.folder], port);
    return {
      urls: { base: served.url, candidate: served.url },
      // Chrome asks the other port instead, and the page has the origin that it has in all other loads.
      async secondBrowserArgs() {
        const [from, to] = [served.url, await served.serveBeside(BUILDS.indexOf('candidate'))].map(
          (url) => new URL(url).host,
        );
        return [`--host-resolver-rules=MAP ${from} ${to}`];
      },
      ...UNWATCHED,
      async use(build, inSecondBrowser) {
        // The second browser has the candidate to itself, and the first one goes on with the base.
        if (!inSecondBrowser) served.use(BUILDS.indexOf(build));
        return { isFresh: false };
      },
      close: () => served.close(),
    };
  }
  const [opened, other] = [await base.open(), await candidate.open()];
  return {
    urls: { base: opened.url, candidate: other.url },
    secondBrowserArgs: async () => [],
    ...UNWATCHED,
    use: async () => ({ isFresh: false }),
    async close() {
      await opened.close();
      await other.close();
    },
  };
}

/** What there is to do for builds without servers of their own. */
const UNWATCHED = { oneAtATime: false, loaded: async () => undefined, serverCpuTime: () => undefined } as const;
