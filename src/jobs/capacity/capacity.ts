import { availableParallelism, networkInterfaces } from 'node:os';
import { judgeBudgets } from '../../core/capacity/budgets.ts';
import { compareCapacities } from '../../core/capacity/compare.ts';
import { isLoopback } from '../../core/capacity/host-address.ts';
import { judgeCapacity } from '../../core/capacity/judge.ts';
import type { CapacityContext } from '../../core/capacity/judge-context.ts';
import type { MeasuredPass } from '../../core/capacity/level.ts';
import { MOST_CONNECTIONS } from '../../core/capacity/ramp.ts';
import { DEFAULT_POLICY } from '../../core/completion/default-policy.ts';
import { defined } from '../../core/text/defined.ts';
import type { CapacityFigures, CapacityResult, LoadKind, PageUnderLoad, RampEnd } from '../../model/capacity.ts';
import type { LoadRequests } from '../../model/network/load.ts';
import type { CapacityNote } from '../../model/result/note.ts';
import type { Progress } from '../../model/result/progress.ts';
import { capacityFormats } from '../../reporters/formats.ts';
import type { ResolvedCapacity } from '../../settings/resolved.ts';
import { listenersOn } from '../../shell/host/server-processes.ts';
import { autocannonEngine } from '../../shell/load/autocannon.ts';
import type { LiveEngine, LoadEngine } from '../../shell/load/engine.ts';
import { k6Engine } from '../../shell/load/k6.ts';
import { askOnce, type Preflight } from '../../shell/load/preflight.ts';
import {
  budgetInWords,
  capacityAnswer,
  comparisonSentence,
  failingInWords,
  findingsInWords,
} from '../../wording/capacity.ts';
import { EXIT, exitFor, QuiesceError } from '../../wording/messages/messages.ts';
import { budgetProblems } from '../engine/budgets.ts';
import { ensure } from '../engine/code/packages.ts';
import { defaultFolder, type JobHooks, type Outcome, resultHeader } from '../engine/job.ts';
import { browserOf, openLabs } from '../engine/labs.ts';
import { attempt, type Problem, problem, shownProblems } from '../engine/problem.ts';
import { noted } from '../engine/progress-events.ts';
import { type JobOutput, openOutput } from '../engine/reports/output.ts';
import { redactDeep } from '../engine/reports/report-model.ts';
import { type ClearEarlier, earlierResult } from '../engine/result/earlier-result.ts';
import { importLevels } from './imported.ts';
import { measurePass } from './measure-pass.ts';
import { pageUnderLoad } from './page-under-load.ts';
import { type Ramped, type RampedServer, ramp } from './ramp.ts';
import { checkHost, requestsTo, serverUrl } from './requests.ts';
import type { WatchedServer } from './watch.ts';

/** What a caller may hook into. */
export interface CapacityHooks extends JobHooks {
  /** Makes the load; autocannon or k6 when absent. */
  readonly engine?: LoadEngine;
}

/** What a measurement of a server leaves behind. */
export type CapacityOutcome = Outcome<CapacityResult>;

/** Connections of an open load: as many as requests come in this time, so that a slow answer does not hold the next one up, s. */
const OPEN_SECONDS = 1;
const FEWEST_OPEN = 32;

/** A server that was asked once, and what is sent to it. */
interface Server {
  readonly url: string;
  readonly requests: LoadRequests;
  readonly asked: Preflight;
  /** It runs on this machine. */
  readonly isHere: boolean;
  readonly watched?: WatchedServer;
}

/**
 * How much a server can take: measured here, or by another tool, and judged by the same rules. Rejects with a `QuiesceError`
 * when nothing could be measured; what was finished before an interruption is kept.
 */
export async function capacity(settings: ResolvedCapacity, hooks: CapacityHooks = {}): Promise<CapacityOutcome> {
  const startedAt = new Date();
  // Minutes of measuring must not end at a folder that cannot be written to.
  const [url] = settings.urls;
  const folder = settings.out ?? defaultFolder(`capacity-${url ? nameOf(await serverUrl(url)) : 'import'}`, startedAt);
  const output = await openOutput(folder, settings.formats.length > 0);
  const clearEarlier = await earlierResult(output.folder, settings);
  await output.store.hold();
  return measureInto({ output, clearEarlier }, startedAt, settings, hooks).finally(output.store.release);
}

async function measureInto(
  { output, clearEarlier }: { readonly output: JobOutput; readonly clearEarlier: ClearEarlier | undefined },
  startedAt: Date,
  settings: ResolvedCapacity,
  hooks: CapacityHooks,
): Promise<CapacityOutcome> {
  const signal = hooks.signal ?? new AbortController().signal;
  const { formats, redact, erase } = settings;
  const onProgress = (event: Progress): void => hooks.onProgress?.(redactDeep(event, erase));
  const seed = settings.seed ?? Math.floor(Math.random() * 2 ** 32);
  const measuring =
    settings.imports.length > 0
      ? readOthers(settings, seed)
      : measureServers(settings, { ...hooks, signal, onProgress }, seed);
  const measured = await measuring.catch(async (error: unknown) => {
    await output.discard();
    throw error;
  });
  const { servers, load, engine, shared, browser, interrupted } = measured;
  const [base, candidate] = servers;
  if (base === undefined) throw new Error('no server');
  const budgets = judgeBudgets(settings.budgets, candidate?.figures ?? base.figures).map(budgetInWords);
  const compared = candidate && compareCapacities(base.figures, candidate.figures);
  const comparison = compared && { ...compared, sentence: comparisonSentence(compared) };
  const sentence = capacityAnswer({ ...base.figures, ...defined({ comparison, page: base.page }) }).join(' ');
  const problems: Problem[] = [
    ...budgetProblems({ budgets }),
    ...(comparison?.decision === 'worse' ? [problem('gate-failed', { detail: comparison.sentence })] : []),
    ...(comparison?.decision === 'unsure' ? [problem('capacity-unsure', { detail: comparison.sentence })] : []),
    ...servers.flatMap((server) => (server.figures.max ? [] : [unmeasured(server)])),
    ...(interrupted ? [problem('interrupted')] : []),
  ];
  const exit = interrupted ? EXIT.interrupted : worst(problems);
  const whole: CapacityResult = {
    ...resultHeader(startedAt),
    kind: 'capacity',
    browser,
    settings: { ...settings.stored, seed },
    sentence,
    exit,
    url: base.url,
    load,
    engine,
    shared,
    ...base.figures,
    ...defined({
      interrupted: interrupted || undefined,
      source: settings.commit ?? settings.ci,
      ended: base.ended,
      page: base.page,
      budgets: budgets.length > 0 ? budgets : undefined,
      candidate: candidate && {
        url: candidate.url,
        ...candidate.figures,
        ...defined({ ended: candidate.ended, page: candidate.page }),
      },
      comparison,
    }),
  };
  const result = redactDeep(whole, redact);
  await attempt(problems, async () => clearEarlier?.());
  for (const { format, file, load: loadWriter } of capacityFormats) {
    if (!formats.includes(format)) continue;
    const render = await loadWriter();
    await attempt(problems, () => output.write(file, render(result)));
  }
  const files = output.files();
  onProgress({ kind: 'written', files });
  return {
    result,
    out: output.folder,
    files,
    // What could not be written may have changed it.
    exit: interrupted ? exit : worst(problems),
    problems: shownProblems(problems, erase),
  };
}

/** One server, judged. */
interface JudgedServer {
  readonly url: string;
  readonly figures: CapacityFigures;
  readonly ended?: RampEnd;
  readonly page?: PageUnderLoad;
}

interface Measured {
  readonly servers: readonly JudgedServer[];
  readonly load: LoadKind;
  readonly engine: string;
  readonly shared: boolean;
  readonly browser: CapacityResult['browser'];
  readonly interrupted: boolean;
}

async function readOthers(settings: ResolvedCapacity, seed: number): Promise<Measured> {
  const { tool, levels } = await importLevels(settings);
  const context = contextOf(settings, { seed, shared: false, watched: false, load: 'closed' }, settings.serverCores);
  const url = settings.imports.join(', ');
  return {
    servers: [{ url, figures: inWords(judgeCapacity(levels, context)), ended: { code: 'imported' } }],
    load: 'closed',
    engine: tool,
    shared: false,
    browser: { product: 'none' },
    interrupted: false,
  };
}

type MeasuringHooks = CapacityHooks & { readonly signal: AbortSignal; onProgress(event: Progress): void };

async function measureServers(settings: ResolvedCapacity, hooks: MeasuringHooks, seed: number): Promise<Measured> {
  const { signal, onProgress } = hooks;
  const servers = await openServers(settings, hooks);
  const shared = servers.some(({ isHere }) => isHere);
  const drivers = settings.drivers ?? (shared ? 1 : Math.max(1, Math.floor(availableParallelism() / 2)));
  if (hooks.engine === undefined) await ensure('autocannon', settings.browser, hooks);
  const engine = hooks.engine ?? (settings.engine === 'k6' ? await k6Engine() : autocannonEngine(drivers));
  const load: LoadKind = settings.rates ? 'open' : 'closed';
  let sent = 0;
  const ramped = await ramp(
    servers.map((server, i): RampedServer => {
      const name = i === 0 ? ('base' as const) : ('candidate' as const);
      return {
        name,
        left: () => settings.maxRequests - sent,
        async measure(plan, place) {
          const position = { ...place, ...plan, ...(servers.length > 1 && { server: name }) } as const;
          const pass = await measurePass(plan, {
            engine,
            requests: server.requests,
            levelTime: settings.levelTime,
            most: settings.maxRequests - sent,
            signal,
            onTick: (tick) => onProgress({ kind: 'level-progress', ...position, ...tick }),
            server: server.watched,
            count: settings.requests,
          });
          sent += pass.answered ?? pass.figures.requests + pass.figures.errors;
          onProgress(noted(levelMeasured(position, pass)));
          return pass;
        },
      };
    }),
    {
      seed,
      signal,
      maxConcurrency: settings.maxConcurrency ?? MOST_CONNECTIONS,
      levels: settings.levels,
      p90: settings.p90,
      thinkTime: settings.thinkTime,
      ...(settings.rates && {
        open: {
          rates: settings.rates,
          connections: (rate: number) =>
            Math.min(
              settings.maxConcurrency ?? MOST_CONNECTIONS,
              Math.max(FEWEST_OPEN, Math.ceil(rate * OPEN_SECONDS)),
            ),
        },
      }),
    },
  );
  const judged = servers.map((server, i): JudgedServer => {
    const { levels, ended } = ramped[i] as Ramped;
    const cores = settings.serverCores ?? (server.isHere ? availableParallelism() : undefined);
    const watched = server.isHere;
    const context = contextOf(settings, { seed, shared: server.isHere, watched, load }, cores);
    return { url: server.url, figures: inWords(judgeCapacity(levels, context)), ended };
  });
  const loader = engine.kind === 'live' ? engine : autocannonEngine(drivers);
  const seen = await seePages(servers, judged, loader, settings, hooks, seed);
  return {
    servers: judged.map((server, i) => ({ ...server, ...defined({ page: seen.pages[i] }) })),
    load,
    engine: engine.name,
    shared,
    browser: seen.browser,
    interrupted: signal.aborted,
  };
}

async function openServers(
  settings: ResolvedCapacity,
  { signal, onProgress }: MeasuringHooks,
): Promise<readonly Server[]> {
  const { engine, access, serverPid } = settings;
  const { ignoreCertificateErrors } = access;
  if (serverPid !== undefined && !isRunning(serverPid)) {
    throw new QuiesceError('option-invalid', {
      option: '--server-pid',
      detail: `there is no process ${serverPid}`,
    });
  }
  const opened: Server[] = [];
  for (const name of settings.urls) {
    const url = await serverUrl(name);
    const addresses = await checkHost(url, settings.permitted);
    const requests = await requestsTo(url, settings);
    let asked: Preflight | undefined;
    for (const target of requests.targets) {
      const answer = await askOnce(target, requests, ignoreCertificateErrors, signal, engine === 'k6');
      if (answer.status >= 400) throw new QuiesceError('http-error', { url: target.url, status: answer.status });
      asked ??= answer;
    }
    if (asked === undefined) throw new Error('no target');
    const isHere = addresses.every((address) => isLoopback(address) || isOwn(address));
    const { protocol, port } = new URL(url);
    const number = Number(port) || (protocol === 'https:' ? 443 : 80);
    const pids = serverPid !== undefined ? [serverPid] : listenersOn(number).filter((pid) => pid !== process.pid);
    const watched = isHere && pids.length > 0 ? { pids, port: number } : undefined;
    opened.push({ url, requests, asked, isHere, watched });
    onProgress(noted({ code: 'server-answers', url, took: asked.took, isHere, ...(watched && { pids }) }));
  }
  return opened;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isOwn(address: string): boolean {
  return Object.values(networkInterfaces()).some((all) => all?.some((own) => own.address === address));
}

function contextOf(
  { p90 }: ResolvedCapacity,
  context: Omit<CapacityContext, 'cores' | 'p90'>,
  cores: number | undefined,
): CapacityContext {
  return { ...context, ...defined({ p90, cores }) };
}

function inWords(judged: ReturnType<typeof judgeCapacity>): CapacityFigures {
  return { ...judged, findings: findingsInWords(judged.findings) };
}

/** Loads the page of each server under load, where its URL is a page and there is a knee to be at. */
async function seePages(
  servers: readonly Server[],
  judged: readonly JudgedServer[],
  engine: LiveEngine,
  settings: ResolvedCapacity,
  hooks: MeasuringHooks,
  seed: number,
): Promise<{ readonly pages: readonly (PageUnderLoad | undefined)[]; readonly browser: CapacityResult['browser'] }> {
  const { signal, onProgress } = hooks;
  let browser: CapacityResult['browser'] = { product: 'none' };
  const isPage = ({ asked }: Server) => /^(?:text\/html|application\/xhtml\+xml)\b/i.test(asked.contentType ?? '');
  const worthIt = servers.map(
    (server, i) =>
      isPage(server) && !server.asked.isHttp2Only && settings.method === 'GET' && judged[i]?.figures.knee !== undefined,
  );
  if (!settings.page || signal.aborted || !worthIt.includes(true)) return { pages: [], browser };
  const pages: (PageUnderLoad | undefined)[] = [];
  let labs: Awaited<ReturnType<typeof openLabs>> | undefined;
  try {
    labs = await openLabs(settings.browser, hooks, (lab) => {
      browser = browserOf(lab);
    });
    const keeper = labs;
    for (const [i, server] of servers.entries()) {
      const knee = judged[i]?.figures.knee;
      pages.push(
        knee && worthIt[i]
          ? await pageUnderLoad({
              url: server.url,
              knee: knee.concurrency,
              engine,
              requests: server.requests,
              options: settings.pageOptions,
              policy: DEFAULT_POLICY,
              seed,
              signal,
              lab: () => keeper.lab(),
              onProgress,
            })
          : undefined,
      );
    }
  } catch (error) {
    // Without a browser the server is measured all the same.
    if (!signal.aborted && !(error instanceof QuiesceError)) throw error;
    if (error instanceof QuiesceError) {
      const { code, message } = error;
      onProgress(noted({ code: 'page-not-loaded', failure: { code, message } }));
    }
  } finally {
    await labs?.close();
  }
  return { pages, browser };
}

type LevelMeasured = Extract<CapacityNote, { code: 'level-measured' }>;

function levelMeasured(
  { concurrency, rate, pass, server }: Pick<LevelMeasured, 'concurrency' | 'rate' | 'pass' | 'server'>,
  { figures: { throughput, mean, p90, errors } }: MeasuredPass,
): LevelMeasured {
  const figures = { rate, server, mean, p90 };
  return { code: 'level-measured', concurrency, pass, throughput, errors, ...figures };
}

function unmeasured({ url, figures: { levels, limit }, ended }: JudgedServer): Problem {
  if (ended?.code === 'max-requests') return problem('capacity-too-few-requests', { url });
  if (limit === 'driver') return problem('capacity-driver-busy', { url });
  const kinds = [...new Set(levels.flatMap(({ errorKinds }) => Object.keys(errorKinds ?? {})))];
  return problem('capacity-failing', { url, detail: failingInWords(kinds) });
}

function worst(problems: readonly Problem[]): number {
  const exits: readonly number[] = problems.map(({ code }) => exitFor(code));
  return [EXIT.unmeasured, EXIT.gate, EXIT.undecided].find((exit) => exits.includes(exit)) ?? EXIT.ok;
}

const nameOf = (url: string): string => new URL(url).host.replace(/[^\w.-]+/g, '-');
