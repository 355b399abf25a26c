/**
 * `npm run bench:accuracy`: is the answer right?
 *
 * Serves every fixture scenario with its delays scaled by seeded random factors, others in each load, audits it, and
 * compares page-complete of each timed load with the moment at which the server had given the page all that it needed.
 * Beside it: what network idle, Puppeteer's idle rules and Lighthouse's wait say of such loads. All tools share one
 * machine and take turns.
 *
 * Prints Markdown tables and writes every load into bench/results/accuracy.json. Exit code 1 when the goal is
 * missed: every scenario within 100 ms in every load, every flag right, none missed, none wrong.
 *
 *   --only <names>      scenarios, separated by commas
 *   --group <name>      a folder of fixtures: pages, look-alikes or first-sight (default: the first two, which rules may be tuned for)
 *   --runs <n>          timed loads of each audit (default 5), each with delays of its own
 *   --repeat <n>        audits of each scenario (default 1)
 *   --seed <n>          what the delays are drawn from (default 1)
 *   --concurrency <n>   scenarios at a time (default 3)
 *   --no-others         without Puppeteer and Lighthouse, which are asked beside the first audit: on a page that never
 *                       falls silent each of them waits to its limit
 *   --no-evidence       without evidence and ablation runs
 *   --full-window       no timed run ends early
 *   --keep <folder>     where the results of the audits stay; `npm run bench:cut -- --from` takes those with the full window
 *   --print <file>      measure nothing: the tables of a stored result; with --out its summary is made anew
 *   --out <file>        where the JSON goes; with --only nowhere unless this is given
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { GROUPS, type Group, loadScenarios, TUNED } from '../../fixtures/scenario.ts';
import { defined } from '../../src/core/text/defined.ts';
import { table } from '../support/table.ts';
import { startTruthServer, type TruthServer } from '../support/truth-server.ts';
import { type Done, type Guess, type Job, type Measured, RAW_WINDOWS } from './jobs.ts';
import { OTHERS, type Other } from './others.ts';
import { GOAL_MS, meetsGoal } from './score.ts';
import { standings } from './standing.ts';

const { values } = parseArgs({
  allowNegative: true,
  options: {
    only: { type: 'string' },
    group: { type: 'string' },
    runs: { type: 'string', default: '5' },
    repeat: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '3' },
    others: { type: 'boolean', default: true },
    evidence: { type: 'boolean', default: true },
    'full-window': { type: 'boolean', default: false },
    keep: { type: 'string' },
    out: { type: 'string' },
    print: { type: 'string' },
  },
});
const RUNS = wholeNumber('runs', values.runs);
const REPEAT = wholeNumber('repeat', values.repeat);
/** Timed loads of each scenario. */
const LOADS = RUNS * REPEAT;
const CONCURRENCY = wholeNumber('concurrency', values.concurrency);
/** A few scenarios do not take the place of all of them. */
const OUT =
  values.out ??
  (values.only === undefined
    ? fileURLToPath(new URL(`../results/${values.group ?? 'accuracy'}.json`, import.meta.url))
    : undefined);

function wholeNumber(name: string, value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} takes a whole number from 1 on`);
  return number;
}

const group = GROUPS.find((each) => each === values.group);
if (values.group !== undefined && group === undefined) throw new Error(`--group takes ${GROUPS.join(', ')}`);
const groups: readonly Group[] = group ? [group] : values.only === undefined ? TUNED : GROUPS;
const all = (await loadScenarios(...groups)).filter(({ expected }) => expected);
const names = values.only?.split(',').map((name) => name.trim());
const unknown = names?.filter((name) => !all.some((each) => each.name === name)) ?? [];
if (unknown.length > 0) throw new Error(`no such scenario: ${unknown.join(', ')}`);
const scenarios = all.filter(({ name }) => names?.includes(name) ?? true);

// --- Servers and workers ------------------------------------------------------------------------------------------

const child = (file: string, args: readonly string[] = []): ChildProcess =>
  fork(fileURLToPath(new URL(file, import.meta.url)), args);

/** One server a repetition, from its first job to its last. */
const servers = new Map<number, { readonly served: Promise<TruthServer>; jobs: number }>();

function serverFor(repetition: number): Promise<TruthServer> {
  const known = servers.get(repetition) ?? {
    served: startTruthServer(`${values.seed}-${repetition}`),
    jobs: scenarios.length,
  };
  servers.set(repetition, known);
  return known.served;
}

async function releaseServer(repetition: number): Promise<void> {
  const known = servers.get(repetition);
  if (!known) return;
  known.jobs -= 1;
  if (known.jobs > 0) return;
  servers.delete(repetition);
  await (await known.served).close();
}

/** Has a job done by a worker, which asks the server by way of this process. */
async function run(worker: ChildProcess, job: Job, served: TruthServer): Promise<Done> {
  return new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error('the worker ended'));
    const onMessage = (message: Done | { readonly ask: string }): void => {
      if ('ask' in message) {
        void served.loads(message.ask).then((loads) => worker.send({ scenario: message.ask, loads }));
        return;
      }
      worker.off('message', onMessage).off('exit', onExit);
      resolve(message);
    };
    worker.on('message', onMessage).once('exit', onExit);
    worker.send(job);
  });
}

// --- Measure ------------------------------------------------------------------------------------------------------

const jobs = Array.from({ length: REPEAT }, (_, repetition) =>
  scenarios.map(({ name }) => ({ scenario: name, repetition })),
).flat();
const measured: Measured[] = [];
const failures: string[] = [];
const began = performance.now();
let next = 0;
let jobsDone = 0;

async function work(): Promise<void> {
  let worker = child('./worker.ts');
  for (let job = jobs[next++]; job; job = jobs[next++]) {
    const served = await serverFor(job.repetition);
    try {
      const done = await run(
        worker,
        {
          ...job,
          origin: served.origin,
          evidence: values.evidence,
          others: values.others && job.repetition === 0,
          runs: RUNS,
          fullWindow: values['full-window'],
          ...defined({ keep: values.keep === undefined ? undefined : path.resolve(values.keep) }),
        },
        served,
      );
      measured.push(...done.loads);
      jobsDone += 1;
      for (const load of done.loads) tell(load, done.took);
    } catch (error) {
      jobsDone += 1;
      failures.push(`${job.scenario}, audit ${job.repetition + 1}: ${(error as Error).message}`);
      process.stderr.write(`${failures.at(-1)}\n`);
      worker = child('./worker.ts');
    }
    await releaseServer(job.repetition);
    await save();
  }
  if (worker.exitCode === null) {
    worker.disconnect();
    await once(worker, 'exit');
  }
}

function tell({ scenario, repetition, score, others }: Measured, took: number): void {
  const left = ((performance.now() - began) / jobsDone) * (jobs.length - jobsDone);
  const parts = [
    `[${jobsDone}/${jobs.length}] ${scenario} #${repetition + 1}: ${score.state}`,
    `truth ${rounded(score.truth)}`,
    `error ${signed(score.networkError)} (painted ${signed(score.error)})`,
    `flags ${score.flags.right}/${score.flags.expected}`,
    ...score.flags.wrong.map((each) => `wrong: ${each}`),
    ...score.flags.missed.map((each) => `missed: ${each}`),
    ...OTHERS.flatMap((tool) => {
      const guess = others[tool]?.guess;
      return guess === undefined ? [] : [`${tool} ${typeof guess === 'number' ? signed(guess) : guess}`];
    }),
  ];
  process.stderr.write(`${parts.join(', ')} · ${Math.round(took / 1000)} s, ${Math.ceil(left / 60_000)} min left\n`);
}

// --- Results ------------------------------------------------------------------------------------------------------

const rounded = (ms: number | undefined): string => (ms === undefined ? '–' : `${Math.round(ms)}`);
const signed = (ms: number | undefined): string =>
  ms === undefined ? '–' : `${ms < 0 ? '−' : '+'}${Math.round(Math.abs(ms))}`;

/** From the smallest to the largest, or what there is instead of a number and how often. */
function spread(guesses: readonly (Guess | undefined)[]): string {
  const known = guesses.filter((guess) => guess !== undefined);
  const numbers = known.filter((guess) => typeof guess === 'number').toSorted((a, b) => a - b);
  const [least, most] = [numbers[0], numbers.at(-1)];
  const range =
    least === undefined ? [] : [numbers.length === 1 ? signed(least) : `${signed(least)} … ${signed(most)}`];
  const words = [...new Set(known.filter((guess) => typeof guess === 'string'))].map((word) => {
    const times = known.filter((guess) => guess === word).length;
    return times === known.length ? word : `${word} ${times}×`;
  });
  return [...range, ...words].join(', ') || '–';
}

const expectedOf = new Map(scenarios.flatMap(({ name, expected }) => (expected ? [[name, expected] as const] : [])));
const of = (name: string): readonly Measured[] =>
  measured.filter(({ scenario }) => scenario === name).toSorted((a, b) => a.repetition - b.repetition);

function isGood(each: Measured): boolean {
  const expected = expectedOf.get(each.scenario);
  return expected !== undefined && meetsGoal(each.score, expected);
}

function summary() {
  const flags = measured.map(({ score }) => score.flags);
  const sum = (count: (each: (typeof flags)[number]) => number) =>
    flags.reduce((total, each) => total + count(each), 0);
  const errors = measured.flatMap(({ scenario, score }) =>
    score.errorThatCounts === undefined ? [] : [{ scenario, error: score.errorThatCounts }],
  );
  const worst = errors.toSorted((a, b) => Math.abs(b.error) - Math.abs(a.error))[0];
  const isWhole = ({ name }: { readonly name: string }): boolean => of(name).length === LOADS;
  const close = ({ score, scenario }: Measured): boolean =>
    expectedOf.get(scenario)?.complete === false ||
    Math.abs(score.errorThatCounts ?? Number.POSITIVE_INFINITY) <= GOAL_MS;
  // A page is wrong without a word where some load that is wrong says no doubt.
  const isWordless = ({ name }: { readonly name: string }): boolean =>
    of(name).some((each) => !close(each) && each.doubt !== 'doubtful');
  return {
    scenarios: scenarios.length,
    wrongWithoutDoubt: scenarios.filter(isWordless).map(({ name }) => name),
    close: scenarios.filter((each) => isWhole(each) && of(each.name).every(close)).length,
    good: scenarios.filter((each) => isWhole(each) && of(each.name).every(isGood)).length,
    worst,
    statesWrong: measured.filter(({ score }) => !score.stateIsRight).length,
    flags: {
      expected: sum((each) => each.expected),
      right: sum((each) => each.right),
      wrong: sum((each) => each.wrong.length),
      missed: sum((each) => each.missed.length),
    },
  };
}

/** What is read back of a stored result. */
interface Stored {
  readonly scenarios: readonly {
    readonly name: string;
    readonly repetitions: readonly Omit<Measured, 'scenario'>[];
  }[];
}

async function save(): Promise<void> {
  if (OUT === undefined) return;
  const results = {
    date: new Date().toISOString(),
    machine: {
      cpu: os.cpus()[0]?.model,
      cores: os.cpus().length,
      node: process.version,
      platform: `${os.platform()} ${os.release()}`,
    },
    seed: values.seed,
    runs: RUNS,
    repetitions: REPEAT,
    concurrency: CONCURRENCY,
    evidence: values.evidence,
    fullWindow: values['full-window'],
    goal: GOAL_MS,
    summary: summary(),
    failures,
    scenarios: scenarios.map(({ name, expected }) => ({
      name,
      note: expected?.note,
      repetitions: of(name).map(({ scenario: _same, ...rest }) => rest),
    })),
  };
  await mkdir(path.dirname(OUT), { recursive: true });
  await writeFile(OUT, `${JSON.stringify(results, null, 2)}\n`);
}

function print(): void {
  const rows = scenarios.map(({ name, expected }) => {
    const repetitions = of(name);
    const scores = repetitions.map(({ score }) => score);
    const flags = scores.map((score) => score.flags);
    const count = (pick: (each: (typeof flags)[number]) => number) => Math.max(0, ...flags.map(pick));
    const states = [...new Set(scores.map(({ state }) => state))].join(', ');
    return [
      repetitions.length === LOADS && repetitions.every(isGood) ? name : `${name} (!)`,
      span(scores.map(({ truth }) => truth)),
      states + (scores.every(({ stateIsRight }) => stateIsRight) ? '' : ' (!)'),
      expected?.complete === false ? '–' : spread(scores.map(({ errorThatCounts }) => errorThatCounts)),
      expected?.complete === false ? '–' : spread(scores.map(({ error }) => error)),
      ...RAW_WINDOWS.map((window) => spread(repetitions.map(({ raw }) => raw[String(window)]))),
      ...OTHERS.map((tool: Other) => spread(repetitions.map(({ others }) => others[tool]?.guess))),
      `${count((each) => each.expected)} / ${flags.length === 0 ? 0 : Math.min(...flags.map(({ right }) => right))} / ${count((each) => each.wrong.length)} / ${count((each) => each.missed.length)}`,
    ];
  });
  console.log(
    `\nError in ms against the server's truth, least … most of ${LOADS} loads; flags: expected / right / wrong / missed, the worst load of each\n`,
  );
  console.log(
    table(
      [
        'scenario',
        'truth',
        'state',
        'Quiesce',
        'with paint',
        ...RAW_WINDOWS.map((window) => `quiet for ${window / 1000} s`),
        'networkidle0',
        'networkidle2',
        'Lighthouse',
        'flags',
      ],
      rows,
    ),
  );
  const sums = summary();
  console.log(
    `\nTimes right in all loads of ${sums.close} of ${scenarios.length} pages; wrong in some load that says no doubt: ${sums.wrongWithoutDoubt.join(', ') || 'none'}`,
  );
  console.log(`\nHow often each was right, over all loads\n`);
  console.log(standings(measured));
  const off = measured.flatMap(({ scenario, repetition, score, problems }) =>
    [
      ...score.flags.wrong.map((each) => `flagged, not expected: ${each}`),
      ...score.flags.missed.map((each) => `not flagged: ${each}`),
      ...score.asides,
      ...problems,
    ].map((what) => ({ scenario, repetition, what })),
  );
  const byWhat = new Map<string, number[]>();
  for (const { scenario, repetition, what } of off) {
    const line = `${scenario}: ${what}`;
    byWhat.set(line, [...(byWhat.get(line) ?? []), repetition + 1]);
  }
  if (byWhat.size > 0) console.log('\nWhat is off\n');
  for (const line of [...byWhat.keys()].sort()) console.log(`- ${line} (load ${byWhat.get(line)?.join(', ')})`);
  const { close, good, worst, statesWrong, flags } = summary();
  console.log(`\nWithin ${GOAL_MS} ms in every load: ${close} of ${scenarios.length} scenarios`);
  if (worst) console.log(`Worst error: ${signed(worst.error)} ms (${worst.scenario})`);
  console.log(
    `Flags: ${flags.right} of ${flags.expected} right, ${flags.wrong} wrong, ${flags.missed} missed; states wrong: ${statesWrong}`,
  );
  console.log(`All of it right in every load: ${good} of ${scenarios.length} scenarios`);
  for (const failure of failures) console.log(`Failed: ${failure}`);
}

/** The columns of truths: a number, or from the least to the most, for delays differ by repetition. */
function span(truths: readonly (number | undefined)[]): string {
  const known = truths.filter((truth) => truth !== undefined).toSorted((a, b) => a - b);
  if (known.length === 0) return '–';
  return known.length === 1 ? rounded(known[0]) : `${rounded(known[0])} … ${rounded(known.at(-1))}`;
}

if (values.print === undefined) {
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, jobs.length) }, work));
} else {
  const stored = JSON.parse(await readFile(values.print, 'utf8')) as Stored;
  for (const { name, repetitions } of stored.scenarios) {
    measured.push(...repetitions.map((each) => ({ ...each, scenario: name })));
  }
  if (values.out !== undefined) await save();
}
print();
process.exitCode = summary().good === scenarios.length && failures.length === 0 ? 0 : 1;
