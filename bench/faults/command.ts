/** Runs the built command as users do, and looks at what it leaves. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as settle } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { AuditResult, RunResult } from '../../src/model/result/result.ts';
import { isStoredResult } from '../../tests/support/result-schema.ts';
import type { Happened } from './fault.ts';

const BIN = fileURLToPath(new URL('../../bin/quiesce.js', import.meta.url));
/** Contract: exit codes. */
const EXITS = [0, 1, 2, 3, 4];
/** Processes and temporary files must be gone after this long, ms. */
const GONE_WITHIN_MS = 5_000;
/** Quiesce itself must stay below this, bytes. */
export const MOST_MEMORY = 2 ** 30;
/** What hangs for longer than this is ended, ms: it would never end. */
const HANGS_MS = 240_000;
const LOOK_EVERY_MS = 100;
/** A process marks its children with this variable. */
const MARK = 'QUIESCE_FAULT';

export interface Asked {
  readonly args: readonly string[];
  /** Programs that run the command: `['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh']`. */
  readonly within?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Where its standard input comes from; nothing else. */
  readonly stdin?: number;
  /** Where its standard output goes instead of here. */
  readonly stdout?: number;
  /** What is done to it while it runs. */
  during?(running: Running): Promise<void>;
  /** Its folder for temporary files, within the folder of its own. */
  readonly temporary?: string;
}

/** The command while it runs. */
export interface Running {
  readonly child: ChildProcess;
  readonly folder: string;
  /** Resolves when its standard error says something. Rejects when it ends before. */
  says(what: RegExp): Promise<void>;
  /** Processes that it started, and theirs. */
  processes(): Promise<readonly Started[]>;
  readonly ended: boolean;
}

export interface Started {
  readonly pid: number;
  readonly command: string;
}

export interface Ran {
  readonly exit: number | undefined;
  readonly signal: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  readonly peak: number;
  readonly hung: boolean;
  readonly out: string;
  /** result.json, where there is one; a string is why it cannot be read. */
  readonly result: AuditResult | string | undefined;
  readonly leftProcesses: readonly Started[];
  readonly leftFiles: readonly string[];
  /** Files in `--out` that are no part of a result. */
  readonly leftInOut: readonly string[];
}

/** Runs the command in folders of its own, which are gone when `look` has looked at them. */
export async function run<T>(asked: Asked, look: (ran: Ran) => Promise<T> | T): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'qf-'));
  const temporary = path.join(folder, asked.temporary ?? 't');
  const out = path.join(folder, 'out');
  await mkdir(temporary, { recursive: true });
  try {
    return await look(await runIn({ folder, temporary, out }, asked));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Folders {
  readonly folder: string;
  readonly temporary: string;
  readonly out: string;
}

/** Runs the command once more in the same folders. */
export async function runIn({ folder, temporary, out }: Folders, asked: Asked): Promise<Ran> {
  const id = randomUUID();
  const words = [
    ...(asked.within ?? []),
    process.execPath,
    BIN,
    ...asked.args.map((arg) => (arg === '{out}' ? out : arg)),
  ];
  const [program = process.execPath, ...rest] = words;
  const child = spawn(program, rest, {
    cwd: folder,
    env: { ...process.env, TMPDIR: temporary, [MARK]: id, NODE_ENV: 'production', ...asked.env },
    stdio: [asked.stdin ?? 'ignore', asked.stdout ?? 'pipe', 'pipe'],
    detached: true,
  });
  const began = performance.now();
  let [stdout, stderr, peak, hung, ended] = ['', '', 0, false, false];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout = `${stdout}${text}`.slice(-(2 ** 20));
  });
  const heard: (() => void)[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = `${stderr}${text}`.slice(-(2 ** 20));
    for (const each of heard) each();
  });
  const exited = once(child, 'close').then(([code, signal]) => {
    ended = true;
    for (const each of heard) each();
    return { code: (code ?? undefined) as number | undefined, signal: (signal ?? undefined) as string | undefined };
  });
  const running: Running = {
    child,
    folder,
    get ended() {
      return ended;
    },
    says: (what) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (what.test(stderr)) resolve();
          else if (ended) reject(new Error(`it ended before it said ${what}: ${stderr.slice(-300)}`));
        };
        heard.push(look);
        look();
      }),
    processes: () => processesOf(id, child.pid),
  };
  const watching = setInterval(async () => {
    peak = Math.max(peak, await peakOf(child.pid));
    if (performance.now() - began > HANGS_MS && !ended) {
      hung = true;
      child.kill('SIGKILL');
    }
  }, LOOK_EVERY_MS);
  await Promise.all([exited, asked.during?.(running).catch(() => undefined)]);
  clearInterval(watching);
  const { code, signal } = await exited;
  const seconds = (performance.now() - began) / 1000;
  const leftProcesses = await goneSoon(id, child.pid);
  for (const { pid } of leftProcesses) {
    // Started by this command: they carry its mark.
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
  return {
    exit: code,
    signal,
    stdout,
    stderr,
    seconds,
    peak,
    hung,
    out,
    result: await resultIn(out),
    leftProcesses,
    leftFiles: await readdir(temporary).catch(() => []),
    leftInOut: (await readdir(out).catch(() => [])).filter((name) => /^\.|\.tmp$|~$|\.part/.test(name)),
  };
}

async function resultIn(out: string): Promise<Ran['result']> {
  const text = await readFile(path.join(out, 'result.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isStoredResult(value)) return value as AuditResult;
    return `result.json breaks its schema: ${isStoredResult.errors?.[0]?.instancePath} ${isStoredResult.errors?.[0]?.message}`;
  } catch (error) {
    return `result.json is no JSON: ${(error as Error).message}`;
  }
}

/** Linux: the most memory that a process has held. */
async function peakOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

async function processesOf(id: string, own: number | undefined): Promise<readonly Started[]> {
  const found: Started[] = [];
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === own) continue;
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
    if (!environment.includes(`${MARK}=${id}`)) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
    // A zombie has none: it has ended, and waits for its parent.
    if (command !== '') found.push({ pid, command: command.replaceAll('\0', ' ') });
  }
  return found;
}

async function goneSoon(id: string, own: number | undefined): Promise<readonly Started[]> {
  const until = performance.now() + GONE_WITHIN_MS;
  for (;;) {
    const left = await processesOf(id, own);
    if (left.length === 0 || performance.now() > until) return left;
    await settle(LOOK_EVERY_MS);
  }
}

/** What a command may do here, beside what always must hold. */
export interface Allowed {
  readonly exits?: readonly number[];
  /** It was ended by a signal, or by Ctrl-C (130, 143). */
  readonly killed?: boolean;
  /** Seconds. */
  readonly within?: number;
  /** Timed runs that were finished and must have been kept. */
  readonly kept?: number;
  /** Its temporary files are removed by the next start. */
  readonly leavesFiles?: boolean;
  /** When the page is complete, ms; a result may also say that it is not known. */
  readonly truth?: { readonly from: number; readonly to: number };
}

/** What must hold whatever happens, and what of it did not. */
export function mustHold(ran: Ran, allowed: Allowed): Happened {
  const { exit, signal, stderr, hung, result } = ran;
  const violations: string[] = [];
  const demand = (holds: boolean, otherwise: string): void => {
    if (!holds) violations.push(otherwise);
  };
  demand(!hung, `did not end within ${HANGS_MS / 1000} s`);
  if (!hung && allowed.killed !== true) {
    demand(exit !== undefined && EXITS.includes(exit), `ended with ${exit ?? signal}`);
    if (allowed.exits)
      demand(
        exit !== undefined && allowed.exits.includes(exit),
        `exit ${exit}, expected ${allowed.exits.join(' or ')}`,
      );
  }
  if (allowed.within !== undefined)
    demand(ran.seconds <= allowed.within, `took ${ran.seconds.toFixed(0)} s of ${allowed.within.toFixed(0)} s`);
  demand(!/^\s+at .+(?::\d+:\d+\)?|node:internal)/m.test(stderr), 'printed a stack');
  demand(!/\[object Object\]|\bNaN\b|Infinity ?%/.test(stderr + ran.stdout), 'printed a figure that is none');
  const complaints = stderr.split('\n').filter((line) => line.startsWith('quiesce: '));
  // That the machine was busy is said besides, of each page.
  const reasons = complaints.filter((line) => !line.startsWith('quiesce: The host was not fit'));
  demand(reasons.length <= 1, `complained in ${reasons.length} lines`);
  if (exit === 2 || exit === 3) demand(complaints.length === 1 || stderr.trim() !== '', 'said nothing');
  demand(typeof result !== 'string', String(result));
  demand(ran.leftProcesses.length === 0, `left ${ran.leftProcesses.length} processes`);
  if (allowed.leavesFiles !== true) demand(ran.leftFiles.length === 0, `left ${ran.leftFiles.slice(0, 2).join(', ')}`);
  demand(
    ran.leftInOut.length === 0 || allowed.leavesFiles === true,
    `left ${ran.leftInOut.slice(0, 2).join(', ')} in --out`,
  );
  demand(ran.peak < MOST_MEMORY, `held ${(ran.peak / 2 ** 20).toFixed(0)} MB`);
  const runs = typeof result === 'object' ? result.targets.flatMap((target) => target.runs) : [];
  const finished = runs.filter(({ role, ok }) => role === 'timed' && ok);
  if (allowed.kept !== undefined)
    demand(finished.length >= allowed.kept, `kept ${finished.length} of ${allowed.kept} runs`);
  for (const each of finished)
    demand(!isWrong(each, allowed.truth), `called complete at ${each.pageComplete?.at?.toFixed(0)} ms`);
  return {
    violations,
    outcome: outcomeOf(ran),
    seconds: ran.seconds,
    peak: ran.peak,
  };
}

/** A time may be late on a machine that was not fit, and the result says so; it is never early. */
function isWrong({ pageComplete, host }: RunResult, truth: Allowed['truth']): boolean {
  if (truth === undefined || pageComplete?.state !== 'complete' || pageComplete.at === undefined) return false;
  return pageComplete.at < truth.from || (pageComplete.at > truth.to && host?.verdict === 'fit');
}

function outcomeOf({ exit, signal, result, stderr }: Ran): string {
  if (typeof result === 'object' && result.verdict !== undefined) return `${result.verdict}, exit ${exit}`;
  const line = stderr.split('\n').find((each) => each.startsWith('quiesce: '));
  const code = exit === undefined ? signal : `exit ${exit}`;
  return line === undefined ? `${code}` : `${code}: ${firstSentence(line.slice('quiesce: '.length))}`;
}

/** Without the folder that was made for this one run. */
function firstSentence(line: string): string {
  return line.replaceAll(/\/\S*\/qf-[^/]*\//g, '').replace(/\. .*/, '');
}
