/**
 * Is `quiesce capacity` right? Runs it on servers whose limit is known (`fixtures/servers`), each several times, and prints how
 * often it was told rightly: what limits it, the ceiling within 10%, the knee within one level, σ within 0.05. Then the same
 * server beside ab, wrk, hey and k6 where they are installed, and what a request costs the driver.
 *
 *   node bench/capacity/index.ts [--runs 10] [--only pool,lock] [--add] [--at-once 4] [--keep <folder>] [--again <folder>] [--level-time 2s] [--tools]
 *
 * Servers may be measured one after the other: `bench/results/capacity.json` keeps those that are not named, with --add also
 * the runs of those that are, and the table shows all. --tools alone measures beside the other tools (--only pool,wait,hello). --keep keeps the
 * result.json of each run, and --again judges those by the rules of now. --at-once makes so many runs at a time: for servers that only wait, which leave the processors idle.
 *
 * Wants a quiet machine: what else runs is told as well.
 */

import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { type JudgedCapacity, judgeCapacity } from '../../src/core/capacity/judge.ts';
import { DRIVER_LIMIT } from '../../src/core/capacity/level.ts';
import type { CapacityLimit, CapacityResult } from '../../src/model/capacity.ts';
import { formatThroughput } from '../../src/wording/capacity.ts';
import { formatShare, formatValue } from '../../src/wording/text/format.ts';
import { table } from '../support/table.ts';

const { capacity } = (await import(
  new URL('../../dist/index.js', import.meta.url).href
)) as typeof import('../../src/index.ts');
const run = promisify(execFile);
const SERVERS = fileURLToPath(new URL('../../fixtures/servers/', import.meta.url));

/** What is true of a server. */
interface Truth {
  readonly server: string;
  readonly args?: readonly string[];
  readonly limit: CapacityLimit;
  readonly ceiling?: number;
  readonly knee?: number;
  readonly sigma?: number;
  readonly finding?: string;
  readonly options?: Parameters<typeof capacity>[1];
}

const CORES = availableParallelism();
const TRUTHS: Readonly<Record<string, Truth>> = {
  cpu1: { server: 'cpu.ts', args: ['0', '1'], limit: 'cpu', ceiling: 50, knee: 1 },
  cpu: { server: 'cpu.ts', args: ['0', String(CORES)], limit: 'cpu', ceiling: CORES * 50, knee: CORES },
  wait: { server: 'wait.ts', limit: 'not-reached', options: { maxConcurrency: 256 } },
  pool: { server: 'pool.ts', limit: 'configured', ceiling: 160, knee: 32 },
  apache: { server: 'apache.ts', limit: 'configured', ceiling: 160, knee: 32 },
  lock: { server: 'lock.ts', limit: 'contention', ceiling: 200, knee: 7, sigma: 0.25 },
  // The most is at 22; 95% of it, which is the knee, at 16.
  coherence: { server: 'coherence.ts', limit: 'coherence', ceiling: 567, knee: 16 },
  failing: { server: 'failing.ts', limit: 'configured', ceiling: 320, knee: 16, finding: 'errors' },
  memory: {
    server: 'memory.ts',
    limit: 'not-reached',
    finding: 'memory-growth',
    options: { levels: [1, 2, 4, 8, 16] },
  },
  'busy-driver': { server: 'busy-driver.ts', limit: 'driver' },
};

/** One run against what is true. */
interface Told {
  readonly limit: string;
  readonly isLimit: boolean;
  readonly max?: number;
  readonly isCeiling?: boolean;
  readonly knee?: number;
  readonly isKnee?: boolean;
  readonly sigma?: number;
  readonly isSigma?: boolean;
  readonly isFinding?: boolean;
  readonly others: number;
  readonly seconds: number;
}

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10' },
    only: { type: 'string' },
    'level-time': { type: 'string', default: '2s' },
    tools: { type: 'boolean', default: false },
    add: { type: 'boolean', default: false },
    'at-once': { type: 'string', default: '1' },
    keep: { type: 'string' },
    again: { type: 'string' },
  },
});

/** What was told of a server, and where: rows of one table may come from several calls. */
interface Row {
  readonly cores: number;
  readonly load: readonly number[];
  readonly runs: readonly Told[];
}

/** What a request costs the driver, and from which rate on it is the limit. */
interface DriverCost {
  readonly cpuPerRequest: number;
  readonly limitFrom: number;
}

/** One tool beside the others. */
interface ToolRow {
  readonly tool: string;
  readonly server: string;
  readonly connections: number;
  readonly throughput: number;
  readonly p90?: number;
}

interface Results {
  readonly servers: Readonly<Record<string, Row>>;
  readonly driver?: DriverCost;
  readonly tools?: readonly ToolRow[];
}

/** Each tool is asked so often, in turns with the others: the median counts. */
const ROUNDS = 3;
/** How long each tool measures, s: many answers of 200 ms, because tools do not count those that are open at the end. */
const SECONDS = 10;

const FILE = fileURLToPath(new URL('../results/capacity.json', import.meta.url));
/** Read each time: another call may have stored its servers meanwhile. */
const stored = (): Results =>
  existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Results) : { servers: {} };
/** After every server: what was measured before an end is not lost. */
const store = (more: Partial<Results>): void => {
  const { servers, ...tools } = more;
  const before = stored();
  mkdirSync(path.dirname(FILE), { recursive: true });
  const isNew = ({ server }: ToolRow) => tools.tools?.some((row) => row.server === server) === true;
  const all: Results = {
    ...before,
    ...tools,
    servers: { ...before.servers, ...servers },
    tools: [...(before.tools ?? []).filter((row) => !isNew(row)), ...(tools.tools ?? [])],
  };
  writeFileSync(FILE, `${JSON.stringify(all, null, 2)}\n`);
};

const names = values.only?.split(',') ?? Object.keys(TRUTHS);
for (const name of values.tools || values.again !== undefined ? [] : names) {
  const truth = TRUTHS[name];
  if (truth === undefined) throw new Error(`no server ${name}: choose from ${Object.keys(TRUTHS).join(', ')}`);
  const load = loadavg();
  const before = values.add ? (stored().servers[name]?.runs ?? []) : [];
  const told: Told[] = [];
  let begun = 0;
  const someRuns = async (): Promise<void> => {
    while (begun < Number(values.runs)) {
      begun += 1;
      const index = begun;
      try {
        const one = await tell(truth, values.keep && path.resolve(values.keep, `${name}-${index}`));
        told.push(one);
        process.stderr.write(`${name} ${index}: ${JSON.stringify(one)}\n`);
      } catch (error) {
        process.stderr.write(`${name} ${index}: ${(error as Error).message}\n`);
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: Number(values['at-once']) }, someRuns));
  if (told.length > 0) store({ servers: { [name]: { cores: CORES, load, runs: [...before, ...told] } } });
}
if (values.again !== undefined) judgeAgain(values.again);
else if (values.tools || values.only === undefined) store(await besideTools());
printServers(stored().servers);
printTools(stored());

function printServers(servers: Results['servers']): void {
  const rows = Object.keys(TRUTHS).flatMap((name) => {
    const told = servers[name]?.runs;
    return told === undefined ? [] : [serverRow(name, told)];
  });
  console.log(
    table(
      ['server', 'runs', 'limit', 'ceiling ±10%', 'knee ±1 level', 'σ ±0.05', 'finding', 'medians', 'others', 'time'],
      rows,
    ),
  );
}

function serverRow(name: string, told: readonly Told[]): readonly string[] {
  const of = (read: (each: Told) => boolean | undefined) => {
    const known = told.filter((each) => read(each) !== undefined);
    return known.length === 0 ? '–' : `${known.filter((each) => read(each) === true).length}/${known.length}`;
  };
  const median = (read: (each: Told) => number | undefined) => middle(told.flatMap((each) => read(each) ?? []));
  const sigma = median((each) => each.sigma);
  const seconds = median((each) => each.seconds);
  return [
    name,
    String(told.length),
    of(({ isLimit }) => isLimit),
    of(({ isCeiling }) => isCeiling),
    of(({ isKnee }) => isKnee),
    of(({ isSigma }) => isSigma),
    of(({ isFinding }) => isFinding),
    `${formatThroughput(median((each) => each.max))} at ${median((each) => each.knee) ?? '–'}${sigma === undefined ? '' : `, σ ${sigma.toFixed(3)}`}`,
    formatShare(median((each) => each.others)),
    seconds === undefined ? '–' : formatValue(seconds * 1000, 'ms'),
  ];
}

async function tell(truth: Truth, out: string | undefined): Promise<Told> {
  const from = performance.now();
  const { result } = await withServer(truth.server, truth.args ?? [], (url) =>
    capacity(url, {
      page: false,
      format: out === undefined ? [] : ['json'],
      ...(out !== undefined && { out }),
      levelTime: values['level-time'],
      ...truth.options,
    }),
  );
  return toldOf(truth, result, (performance.now() - from) / 1000);
}

/** The runs that were kept, by the rules of now: what was measured stays as it was. */
function judgeAgain(folder: string): void {
  for (const [name, truth] of Object.entries(TRUTHS)) {
    const files = readdirSync(folder)
      .filter((each) => each.startsWith(`${name}-`) && /^\d+$/.test(each.slice(name.length + 1)))
      .map((each) => path.join(folder, each, 'result.json'))
      .filter((file) => existsSync(file));
    const row = stored().servers[name];
    if (files.length === 0) continue;
    const runs = files.map((file) => {
      const { settings, startedAt, levels, load, shared } = JSON.parse(readFileSync(file, 'utf8')) as CapacityResult;
      const context = { load, seed: Number(settings.seed), shared, watched: true, cores: CORES };
      const seconds = (statSync(file).mtimeMs - Date.parse(startedAt)) / 1000;
      return toldOf(truth, judgeCapacity(levels, context), seconds);
    });
    store({ servers: { [name]: { cores: CORES, load: row?.load ?? [], runs } } });
  }
}

function toldOf(
  truth: Truth,
  { max, knee, usl, limit, limitFacts, findings, levels }: JudgedCapacity,
  seconds: number,
): Told {
  const ceiling = limitFacts.ceiling ?? max?.throughput;
  const near = (value: number | undefined, wanted: number | undefined, share: number) =>
    wanted === undefined ? undefined : value !== undefined && Math.abs(value / wanted - 1) <= share;
  return {
    limit,
    isLimit: limit === truth.limit,
    ...(max && { max: max.throughput }),
    ...(knee && { knee: knee.concurrency }),
    ...(truth.sigma !== undefined && usl && { sigma: usl.sigma }),
    ...known('isCeiling', near(ceiling, truth.ceiling, 0.1)),
    ...known('isKnee', truth.knee === undefined ? undefined : isWithinOneLevel(levels, knee?.concurrency, truth.knee)),
    ...known('isSigma', truth.sigma === undefined ? undefined : Math.abs((usl?.sigma ?? 1) - truth.sigma) <= 0.05),
    ...known(
      'isFinding',
      truth.finding === undefined ? undefined : findings.some(({ code }) => code === truth.finding),
    ),
    others: Math.max(0, ...levels.map(({ driver }) => driver?.others ?? 0)),
    seconds,
  };
}

function known<Name extends string>(name: Name, value: boolean | undefined) {
  return value === undefined ? {} : { [name]: value };
}

/** The knee is the level that is true, or the next one that was measured. */
function isWithinOneLevel(levels: CapacityResult['levels'], knee: number | undefined, wanted: number): boolean {
  const all = levels.map(({ concurrency }) => concurrency);
  const place = (n: number) => all.filter((each) => each < n).length;
  return knee !== undefined && Math.abs(place(knee) - place(wanted)) <= 1;
}

async function withServer<T>(file: string, args: readonly string[], work: (url: string) => Promise<T>): Promise<T> {
  const server = fork(`${SERVERS}${file}`, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  try {
    const [told] = (await Promise.race([
      once(server, 'message'),
      once(server, 'exit').then(([code]) => {
        throw new Error(`${file} ended with ${code}`);
      }),
    ])) as [{ port: number }];
    return await work(`http://127.0.0.1:${told.port}/`);
  } finally {
    if (server.exitCode === null) {
      const gone = once(server, 'exit');
      if (server.connected) server.disconnect();
      server.kill();
      await gone;
    }
  }
}

/** The same server and the same number of connections, the tools in turns. */
async function besideTools(): Promise<Pick<Results, 'driver' | 'tools'>> {
  const rows: ToolRow[] = [];
  const costs: DriverCost[] = [];
  const wanted = values.only?.split(',');
  for (const [name, connections] of [
    ['pool', 16],
    ['wait', 64],
    ['hello', 16],
  ] as const) {
    if (wanted?.includes(name) === false) continue;
    const server = `${name}.ts`;
    const told = new Map<string, Figures[]>();
    const add = (tool: string, figures: Figures | undefined): void => {
      if (figures) told.set(tool, [...(told.get(tool) ?? []), figures]);
    };
    await withServer(server, [], async (url) => {
      const ours = async (engine: 'autocannon' | 'k6') => {
        const options = { page: false, format: [], levels: [connections], levelTime: SECONDS * 1000, engine };
        return (await capacity(url, options)).result.levels[0];
      };
      if (await output('k6', ['version'])) add('quiesce --engine k6', await ours('k6'));
      for (let round = 0; round < ROUNDS; round += 1) {
        const level = await ours('autocannon');
        if (level === undefined) continue;
        add('quiesce', level);
        if (level.driver && name === 'hello') {
          const share = level.driver.own / level.throughput;
          costs.push({ cpuPerRequest: 1000 * share, limitFrom: DRIVER_LIMIT / share });
        }
        // By a number of requests that all connections share: with a time, it drops what is open at the end.
        const cycles = Math.ceil((level.throughput * SECONDS) / connections);
        const ab = ['-k', '-q', '-n', String(cycles * connections), '-c', String(connections), url];
        add('ab', readTool(await output('ab', ab)));
        const wrk = ['-t1', '--latency', `-c${connections}`, `-d${SECONDS}s`, url];
        add('wrk', readTool(await output('wrk', wrk)));
        add('hey', readTool(await output('hey', ['-z', `${SECONDS}s`, '-c', String(connections), url])));
      }
    });
    for (const [tool, all] of told) {
      const p90 = middle(all.flatMap((each) => each.p90 ?? []));
      const throughput = middle(all.map((each) => each.throughput)) ?? 0;
      rows.push({ tool, server, connections, throughput, ...(p90 !== undefined && { p90 }) });
    }
  }
  const limitFrom = middle(costs.map((cost) => cost.limitFrom));
  const driver = costs.find((cost) => cost.limitFrom === limitFrom);
  return { tools: rows, ...(driver && { driver }) };
}

/** What a tool tells. */
interface Figures {
  readonly throughput: number;
  readonly p90?: number;
}

/** In what ab, wrk and hey print: a rate, and the time within which 90% are answered, with its unit. */
function readTool(text: string | undefined): Figures | undefined {
  const rate = /^\s*Requests(?:\/sec| per second):\s+([\d.]+)/m.exec(text ?? '')?.[1];
  // ab writes whole milliseconds without a unit.
  const [, time, unit = 'ms'] = /^\s*90%+\s+(?:in )?([\d.]+) ?(us|ms|s)?/m.exec(text ?? '') ?? [];
  const factor = { us: 0.001, ms: 1, s: 1000 }[unit] ?? 1;
  return rate === undefined
    ? undefined
    : { throughput: Number(rate), ...(time !== undefined && { p90: Number(time) * factor }) };
}

/** The upper median; undefined of nothing. */
function middle(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

function printTools({ driver, tools = [] }: Results): void {
  if (driver) {
    console.log(
      `autocannon needs ${Math.round(1000 * driver.cpuPerRequest)} µs of CPU for a request here, and is the limit from ${formatThroughput(driver.limitFrom)} on.`,
    );
  }
  if (tools.length === 0) return;
  console.log(
    table(
      ['server', 'connections', 'tool', 'throughput', 'against ours', 'p90', 'against ours'],
      tools.map(({ server, connections, tool, throughput, p90 }) => {
        const own = tools.find((row) => row.tool === 'quiesce' && row.server === server);
        const against = (value: number | undefined, ours: number | undefined) =>
          value === undefined || ours === undefined ? '–' : formatShare(value / ours - 1);
        return [
          server,
          String(connections),
          tool,
          formatThroughput(throughput),
          tool === 'quiesce' ? '' : against(throughput, own?.throughput),
          formatValue(p90, 'ms'),
          tool === 'quiesce' ? '' : against(p90, own?.p90),
        ];
      }),
    ),
  );
}

/** What a program prints; undefined where it is not installed. */
async function output(command: string, args: readonly string[]): Promise<string | undefined> {
  try {
    return (await run(command, args, { maxBuffer: 16 * 1024 * 1024 })).stdout;
  } catch (error) {
    return (error as { stdout?: string }).stdout || undefined;
  }
}
