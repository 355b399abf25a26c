/**
 * `npm run bench:compare`: is `quiesce compare` right on real Chrome?
 *
 * - identical: two copies of a built site in two folders are never called different, in 19 of 20 comparisons at least.
 * - rebuilt: other hashes in every name, the same site: no difference, and no file is news.
 * - slow-picture: one picture comes later by 10 % of page-complete: slower.
 * - poll, sse: a new poll, or a new stream of events: the same in time, and listed.
 *
 * Each comparison is one run of the command line with a seed of its own; builds that need a server are served by this
 * process, which waits meanwhile. Prints a Markdown table and writes bench/results/compare.json after each comparison.
 * `--only identical,poll` measures only these and keeps the rest of the file, `--repeat <n>` sets the comparisons of
 * each (20 identical ones and 3 of every other otherwise), `--max-pairs` and `--looks` are handed on.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type BuildName, startBuildServer, writeBuild } from '../../fixtures/builds.ts';
import { estimateMedian } from '../../src/core/time/median.ts';
import type { CompareResult } from '../../src/model/compare/comparison.ts';
import type { AuditResult } from '../../src/model/result/result.ts';
import { table } from '../support/table.ts';

const CLI = process.env.QUIESCE_CLI ?? fileURLToPath(new URL('../../bin/quiesce.js', import.meta.url));
const RESULTS = new URL('../results/compare.json', import.meta.url);
/** By how much the slow picture is later, as a share of page-complete. */
const PICTURE_DELAY = 0.1;
/** Identical builds may be called different once in twenty comparisons. Source: alpha. */
const RIGHT_SHARE = 0.95;

/** Proof enough for these builds, which are silent within a second or never, and most of the time of a load, ms. */
const QUIET_WINDOW = '1000';

/** What the bench asks of a comparison. */
interface Case {
  readonly name: string;
  readonly expected: string;
  readonly repeat: number;
  /** The share of the comparisons that must be right. */
  readonly goal: number;
  isRight(result: CompareResult): boolean;
  /** Makes the two builds loadable. */
  open(): Promise<OpenBuilds>;
}

interface OpenBuilds {
  readonly targets: readonly [base: string, candidate: string];
  close(): Promise<void>;
}

/** One comparison, as it is kept. */
interface Answer {
  readonly seed: number;
  readonly right: boolean;
  readonly decision: CompareResult['decision'];
  readonly pairs: number;
  readonly stoppedBecause: string;
  readonly host: string;
  readonly gates: readonly {
    readonly metric: string;
    readonly decision: string;
    readonly base?: number;
    readonly difference?: number;
    readonly low?: number;
    readonly high?: number;
  }[];
  readonly backgroundChanges: readonly string[];
  /** Requests that are told as added, removed, grown or shrunk. */
  readonly changed: readonly string[];
  readonly pageDifferences: readonly string[];
  readonly seconds: number;
}

const undecidedOrSame = ({ decision }: CompareResult): boolean => decision === 'same' || decision === 'unsure';

const CASES: readonly Case[] = [
  {
    name: 'identical',
    expected: 'same or unsure',
    repeat: 20,
    goal: RIGHT_SHARE,
    isRight: undecidedOrSame,
    open: () => folders('same', 'same'),
  },
  {
    name: 'rebuilt',
    expected: 'same or unsure, no request is news',
    repeat: 3,
    goal: 1,
    isRight: (result) => undecidedOrSame(result) && changedRequests(result).length === 0,
    open: () => folders('same', 'rebuilt'),
  },
  {
    name: 'slow-picture',
    expected: 'slower',
    repeat: 3,
    goal: 1,
    isRight: ({ decision }) => decision === 'slower',
    async open() {
      const at = await pageCompleteOf('same');
      const delay = Math.round(PICTURE_DELAY * at);
      process.stderr.write(`page complete at ${at.toFixed(0)} ms: the picture comes ${delay} ms later\n`);
      return servers('slow-picture', delay);
    },
  },
  ...(['poll', 'sse'] as const).map(
    (kind): Case => ({
      name: kind,
      expected: `same, lists the ${kind}`,
      repeat: 3,
      goal: 1,
      isRight: ({ decision, backgroundChanges }) =>
        decision === 'same' &&
        backgroundChanges.length === 1 &&
        backgroundChanges.every((change) => change.kind === kind && change.build === 'candidate'),
      open: () => servers(kind),
    }),
  ),
];

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: CASES.map(({ name }) => name).join(',') },
    repeat: { type: 'string' },
    'max-pairs': { type: 'string' },
    looks: { type: 'string' },
  },
});
const wanted = values.only.split(',');
for (const name of wanted) {
  if (!CASES.some((each) => each.name === name)) {
    throw new Error(`--only takes a list out of ${CASES.map((each) => each.name).join(', ')}`);
  }
}
const repeat = values.repeat === undefined ? undefined : Number(values.repeat);
if (repeat !== undefined && (!Number.isInteger(repeat) || repeat < 1)) {
  throw new Error('--repeat takes a whole number from 1 on');
}

// --- Builds -------------------------------------------------------------------------------------------------------

async function folders(base: BuildName, candidate: BuildName): Promise<OpenBuilds> {
  const parent = await mkdtemp(path.join(os.tmpdir(), 'quiesce-builds-'));
  const targets = [path.join(parent, 'base'), path.join(parent, 'candidate')] as const;
  await writeBuild(targets[0], base);
  await writeBuild(targets[1], candidate);
  return { targets, close: () => rm(parent, { recursive: true, force: true }) };
}

async function servers(candidate: BuildName, delay = 0): Promise<OpenBuilds> {
  const running = [await startBuildServer({ build: 'same' }), await startBuildServer({ build: candidate, delay })];
  const [base, other] = running.map(({ url }) => url);
  return {
    targets: [base ?? '', other ?? ''],
    close: async () => void (await Promise.all(running.map((each) => each.close()))),
  };
}

/** When this build is complete on this machine, ms. */
async function pageCompleteOf(build: BuildName): Promise<number> {
  const server = await startBuildServer({ build });
  try {
    const result = await quiesce<AuditResult>('audit', [server.url], ['--runs', '5', '--no-evidence']);
    const at = result.targets[0]?.summary.pageComplete?.median;
    if (at === undefined) throw new Error('the build was not complete in any run');
    return at;
  } finally {
    await server.close();
  }
}

// --- Comparisons --------------------------------------------------------------------------------------------------

/** Runs the command line and reads its result; what it exits with is part of its answer. */
async function quiesce<T>(command: string, targets: readonly string[], options: readonly string[]): Promise<T> {
  const out = await mkdtemp(path.join(os.tmpdir(), 'quiesce-bench-'));
  try {
    const args = [CLI, command, ...targets, '--json', '--quiet', '--format', 'json', '--out', out, ...options];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let [said, complained] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complained += text;
    });
    const [exit] = await once(child, 'close');
    if (!said.startsWith('{')) throw new Error(`quiesce ${command} exited with ${exit}: ${complained.trim()}`);
    return JSON.parse(said) as T;
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

async function compareOnce(each: Case, targets: OpenBuilds['targets'], seed: number): Promise<Answer> {
  const from = performance.now();
  const result = await quiesce<CompareResult>('compare', targets, [
    '--seed',
    String(seed),
    '--quiet-window',
    QUIET_WINDOW,
    ...(values['max-pairs'] === undefined ? [] : ['--max-pairs', values['max-pairs']]),
    ...(values.looks === undefined ? [] : ['--looks', values.looks]),
  ]);
  return {
    seed,
    right: each.isRight(result),
    decision: result.decision,
    pairs: result.design.pairs,
    stoppedBecause: result.design.stoppedBecause,
    host: result.host.verdict,
    gates: result.comparisons
      .filter(({ gate }) => gate)
      .map(({ metric, decision, base, difference }) => ({
        metric,
        decision,
        ...(base.median !== undefined && { base: base.median }),
        ...(difference?.relative !== undefined && { difference: difference.relative }),
        ...(difference?.low !== undefined && { low: difference.low }),
        ...(difference?.high !== undefined && { high: difference.high }),
      })),
    backgroundChanges: result.backgroundChanges.map(({ build, kind, endpoint }) => `${build}: ${kind} ${endpoint}`),
    changed: changedRequests(result),
    pageDifferences: result.pageDifferences.map(({ message }) => message),
    seconds: Math.round((performance.now() - from) / 1000),
  };
}

function changedRequests({ changes }: CompareResult): readonly string[] {
  return (['added', 'removed', 'grown', 'shrunk'] as const).flatMap((kind) =>
    changes[kind].map(({ name }) => `${kind}: ${name}`),
  );
}

// --- Answers ------------------------------------------------------------------------------------------------------

const percent = (share: number | undefined): string =>
  share === undefined ? '–' : `${share < 0 ? '−' : '+'}${Math.abs(100 * share).toFixed(1)} %`;
const medianOf = (numbers: readonly number[]): number | undefined => estimateMedian(numbers)?.median;

function rowOf({ name, expected, goal }: Case, answers: readonly Answer[]): readonly string[] {
  const valid = answers.filter(isValid);
  const invalid = answers.length - valid.length;
  const right = valid.filter((answer) => answer.right).length;
  const missed = isMet(goal, valid) ? '' : ' (goal missed)';
  const decisions = Map.groupBy(answers, ({ decision }) => decision);
  const complete = answers.flatMap(({ gates }) => gates.filter(({ metric }) => metric === 'pageComplete'));
  return [
    name,
    expected,
    [...decisions].map(([decision, of]) => `${of.length} × ${decision}`).join(', '),
    invalid === 0 ? `${right} of ${valid.length}${missed}` : `${right} of ${valid.length}, ${invalid} invalid`,
    `${medianOf(complete.flatMap(({ base }) => base ?? []))?.toFixed(0) ?? '–'} ms`,
    percent(medianOf(complete.flatMap(({ difference }) => difference ?? []))),
    String(medianOf(answers.map(({ pairs }) => pairs)) ?? '–'),
    `${medianOf(answers.map(({ seconds }) => seconds)) ?? '–'} s`,
  ];
}

/** On a machine that is busy with something else there is no answer, neither a right nor a wrong one. */
function isValid({ decision }: Answer): boolean {
  return decision !== 'invalid';
}

/** One wrong answer is within the goal of a few comparisons only where the goal says so. */
function isMet(goal: number, answers: readonly Answer[]): boolean {
  const wrong = answers.filter(({ right }) => !right).length;
  return wrong <= Math.round((1 - goal) * answers.length);
}

async function known(): Promise<Readonly<Record<string, readonly Answer[]>>> {
  return JSON.parse(await readFile(RESULTS, 'utf8').catch(() => '{}')).cases ?? {};
}

const measured: Record<string, readonly Answer[]> = { ...(await known()) };
const chosen = CASES.filter(({ name }) => wanted.includes(name));
for (const each of chosen) {
  measured[each.name] = [];
  const builds = await each.open();
  try {
    for (let i = 1; i <= (repeat ?? each.repeat); i += 1) {
      const answer = await compareOnce(each, builds.targets, i);
      measured[each.name] = [...(measured[each.name] ?? []), answer];
      process.stderr.write(
        `${each.name} ${i}: ${answer.decision} after ${answer.pairs} pairs, ${answer.seconds} s${answer.right ? '' : isValid(answer) ? ' – not right' : ' – the machine is not fit'}\n`,
      );
      await writeFile(RESULTS, `${JSON.stringify({ at: new Date().toISOString(), cases: measured }, undefined, 2)}\n`);
    }
  } finally {
    await builds.close();
  }
}

const head = ['builds', 'expected', 'answers', 'right', 'page complete', 'difference', 'pairs', 'time'];
const shown = CASES.filter(({ name }) => (measured[name] ?? []).length > 0);
console.log(
  table(
    head,
    shown.map((each) => rowOf(each, measured[each.name] ?? [])),
  ),
);
const shownToHold = chosen.every(({ name, goal }) => {
  const answers = measured[name] ?? [];
  return answers.every(isValid) && isMet(goal, answers);
});
process.exitCode = shownToHold ? 0 : 1;
