import { setTimeout } from 'node:timers/promises';
import { otherBuild } from '../../../core/changes/other-build.ts';
import { PORT_PLACE, withPort } from '../../../core/text/port-place.ts';
import { shownCommand } from '../../../core/text/shown-command.ts';
import { valuesByName } from '../../../core/text/values-by-name.ts';
import { BUILDS, type Build, type PerBuild } from '../../../model/compare/build.ts';
import type { ResolvedServers } from '../../../settings/resolved.ts';
import type { LogFile } from '../../../shell/disk/log-file.ts';
import { SERVER_LOGS } from '../../../shell/disk/stored-results.ts';
import { listenersOn, readServer } from '../../../shell/host/server-processes.ts';
import { environmentIn } from '../../../shell/process/build-command.ts';
import { lineCutter } from '../../../shell/process/lines.ts';
import { freePort } from '../../../shell/servers/free-port.ts';
import { listens, type ServedCommand, serveCommand } from '../../../shell/servers/serve-command.ts';
import { QuiesceError } from '../../../wording/messages/messages.ts';
import { noted } from '../../engine/progress-events.ts';
import type { Target } from '../../engine/target.ts';
import { type MadeBuilds, type MakeHooks, type OpenBuilds, perBuild, withQuery } from '../builds.ts';
import { runSetup, type Setup } from './setup.ts';
import { createServerWatch, type ServerState, type ServerWatch } from './watch.ts';

/** How often, and how long apart, a port is tried that is about to be free, ms. */
const PORT_CHECKS = 100;
const PORT_CHECK_MS = 25;

/** Where the server of a build is started. */
export interface ServerPlace {
  readonly folder: string;
  /** The top folder of the build's work tree, and of the one in which Quiesce was started. */
  readonly top: string;
  readonly ownTop: string;
  /** What people are shown, and for the name of a folder. */
  readonly name: string;
  readonly slug: string;
}

/**
 * Starts the servers of two builds: both at once where each can have a port of its own, else only the one that is loaded.
 *
 * @param closeTrees removes what was made for them
 * @throws QuiesceError when one does not come up, or what they need fails; nothing is left running then
 */
export async function serverBuilds(
  asked: ResolvedServers,
  places: PerBuild<ServerPlace>,
  closeTrees: () => Promise<void>,
  hooks: MakeHooks,
): Promise<MadeBuilds> {
  let setup: Setup | undefined;
  const servers: Partial<Record<Build, BuildServer>> = {};
  const watch = createServerWatch(
    (build) => servers[build]?.state(),
    () => performance.now(),
  );
  const close = async (): Promise<void> => {
    // What both need ends last.
    await Promise.all(BUILDS.map((build) => servers[build]?.close()));
    await setup?.close();
    await closeTrees();
  };
  try {
    if (asked.setup !== undefined) setup = await runSetup(asked.setup, asked.timeout, hooks);
    const oneAtATime = !asked.url.includes(PORT_PLACE);
    if (oneAtATime) hooks.onProgress(noted({ code: 'servers-in-turns', url: asked.url }));
    for (const build of BUILDS) {
      const onLines = (lines: readonly string[]) => watch.logged(build, lines);
      const server = await openServer(build, asked, places[build], { ...hooks, onLines });
      servers[build] = server;
      await server.start();
      if (oneAtATime && build === 'base') {
        await server.stop();
        await portIsFree(server.url);
      }
    }
    return builtOf(servers as PerBuild<BuildServer>, places, { oneAtATime, url: asked.url, watch, close });
  } catch (error) {
    await close();
    throw error;
  }
}

function builtOf(
  servers: PerBuild<BuildServer>,
  places: PerBuild<ServerPlace>,
  {
    oneAtATime,
    url: address,
    watch,
    close,
  }: {
    readonly oneAtATime: boolean;
    readonly url: string;
    readonly watch: ServerWatch;
    close(): Promise<void>;
  },
): MadeBuilds {
  return {
    targets: perBuild((build): Target => {
      const { name, slug } = places[build];
      const { url } = servers[build];
      return { name, slug, url, open: async () => ({ url, close: async () => undefined }) };
    }),
    open: async (queries): Promise<OpenBuilds> => ({
      urls: perBuild((build) => withQuery(servers[build].url, queries[build])),
      secondBrowserArgs: async () => [],
      oneAtATime,
      async use(build) {
        const server = servers[build];
        if (oneAtATime && !server.isRunning()) {
          await servers[otherBuild(build)].stop();
          await portIsFree(server.url);
          await server.start();
        }
        await server.mustLive();
        const isFresh = server.takeFresh();
        if (isFresh) watch.started(build);
        watch.begin(build);
        return { isFresh };
      },
      async loaded(build, ok) {
        watch.end(build);
        // The document may have come, and only what it asks for later not.
        await (ok ? servers[build].mustLive() : servers[build].mustAnswer());
      },
      serverCpuTime: (build) => servers[build].state()?.cpu,
      close: async () => undefined,
    }),
    notes: () => [...(oneAtATime ? [{ code: 'servers-in-turns', url: address } as const] : []), ...watch.notes()],
    close,
  };
}

const portOf = (url: string): number => {
  const { port, protocol } = new URL(url);
  return Number(port) || (protocol === 'https:' ? 443 : 80);
};

/** Waits until nothing listens there, or for a while: threads of a process that has ended may hold its port for a moment. */
async function portIsFree(url: string): Promise<void> {
  for (let left = PORT_CHECKS; left > 0 && (await listens(url)); left -= 1) await setTimeout(PORT_CHECK_MS);
}

/** The server of one build. */
interface BuildServer {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  isRunning(): boolean;
  /** Undefined where the system does not tell, or it does not run. */
  state(): ServerState | undefined;
  /** Has it been started and not been loaded since? */
  takeFresh(): boolean;
  /** @throws QuiesceError when it has ended */
  mustLive(): Promise<void>;
  /** @throws QuiesceError when it has ended, or nothing listens there any more */
  mustAnswer(): Promise<void>;
  close(): Promise<void>;
}

async function openServer(
  build: Build,
  asked: ResolvedServers,
  { folder, top, ownTop }: ServerPlace,
  {
    signal,
    onProgress,
    openLog,
    before,
    onLines,
  }: MakeHooks & {
    /** Called with what it logs once it answers. */
    onLines(lines: readonly string[]): void;
  },
): Promise<BuildServer> {
  const isPortChosen = asked.url.includes(PORT_PLACE);
  const earlier = before?.[build];
  const port = isPortChosen ? await freePort(earlier === undefined ? 0 : Number(new URL(earlier).port)) : 0;
  const [command, url] = [withPort(asked.command, port), withPort(asked.url, port)];
  const shown = shownCommand(command);
  const own = valuesByName(asked.env[build]);
  const env = { ...environmentIn({ top, ownTop }), ...(isPortChosen && { PORT: String(port) }), ...own };
  const log: LogFile = openLog(SERVER_LOGS[build]);
  let server: ServedCommand | undefined;
  let isFresh = false;
  const lines = lineCutter((all) => {
    if (server !== undefined) onLines(all);
  });
  const onOutput = (text: string): void => {
    log.add(text);
    lines.add(text);
  };
  const onFailure = (lines: readonly string[]) => onProgress({ kind: 'server-output', build, command: shown, lines });
  const lost = async (how: string): Promise<QuiesceError> => {
    // The last output may still be on its way.
    await server?.drained();
    onFailure(server?.output() ?? []);
    return new QuiesceError('serve-lost', { build, detail: how, ...(log.path !== undefined && { path: log.path }) });
  };
  const mustLive = async (): Promise<void> => {
    const how = server?.endReason();
    if (how !== undefined) throw await lost(how);
  };
  const stop = async (): Promise<void> => {
    const stopping = server;
    server = undefined;
    await stopping?.close();
  };
  return {
    url,
    async start() {
      onProgress({ kind: 'server-starting', build, command: shown, url });
      const request = { command, folder, env, url, timeout: asked.timeout, signal, build, isPortChosen };
      server = await serveCommand({ ...request, onOutput, onFailure });
      isFresh = true;
      onProgress({ kind: 'server-started', build, command: shown, url, after: server.after });
    },
    stop,
    isRunning: () => server !== undefined,
    state() {
      // Only Linux tells.
      if (server?.pid === undefined || process.platform !== 'linux') return undefined;
      const listeners = listenersOn(portOf(url));
      const { processes, memory } = readServer([server.pid, ...listeners]);
      return { listeners, memory, cpu: [...processes.values()].reduce((sum, used) => sum + used, 0) };
    },
    takeFresh() {
      const was = isFresh;
      isFresh = false;
      return was;
    },
    mustLive,
    async mustAnswer() {
      await mustLive();
      if (server && !(await listens(url))) throw await lost('nothing listens at its address any more');
    },
    async close() {
      await stop();
      await log.close();
    },
  };
}
