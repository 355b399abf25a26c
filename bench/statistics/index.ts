/**
 * `npm run bench:statistics`: how often a comparison is right.
 *
 * Simulates comparisons in scenarios of noise and counts, for Quiesce's method and for what others do: how often
 * identical builds are called different, how often the final interval holds the truth, how often a change is found, and
 * how many pairs it takes; the same for comparisons that several machines share. Seeded: the same figures come out on every machine and with any number of processors.
 *
 * Prints Markdown tables and writes bench/results/statistics.json. `--comparisons <n>` of identical builds a scenario
 * (default 4000), `--scenario <name>` (repeatable), `--seed <n>`, `--out <file>`.
 */
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { table } from '../support/table.ts';
import { robbedNoises } from './contention.ts';
import { noises, severalMachines } from './noise.ts';
import { quiesceAtOnce, robbedRules } from './robbed.ts';
import { quiesce, rules } from './rules.ts';
import { ourShards, shardRules } from './shards.ts';
import { type Tally, type Task, total } from './simulate.ts';

/** Goals of docs/internals/statistics.md; shards have no early looks whose α would remain, so that too few is wrong as well. */
const MOST_FALSE = 0.057;
const LEAST_FALSE_OF_SHARDS = 0.043;
const LEAST_COVERAGE = 0.94;
/** How wrong an estimate may be on average, as a share of the change. */
const MOST_BIAS = 0.01;
/** Comparisons a task: small enough to keep all processors busy to the end. */
const TASK = 500;
/** True changes, and how many comparisons for each of those of identical builds. */
const CHANGES: readonly { readonly change: number; readonly share: number }[] = [
  { change: 0, share: 1 },
  { change: 0.03, share: 0.25 },
  { change: 0.05, share: 1 },
  { change: 0.1, share: 0.25 },
];

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    comparisons: { type: 'string', default: '4000' },
    scenario: { type: 'string', multiple: true },
    out: { type: 'string', default: fileURLToPath(new URL('../results/statistics.json', import.meta.url)) },
  },
});
const seed = Number(values.seed);
if (!Number.isSafeInteger(seed) || seed < 0) throw new Error('--seed takes a whole number from 0 on');
const comparisons = Number(values.comparisons);
if (!Number.isInteger(comparisons) || comparisons < 4) throw new Error('--comparisons takes a whole number from 4 on');
/** What is simulated: each scenario with the rules that it is for. */
const scenarios = [
  ...noises.map((noise) => ({ noise, rules })),
  { noise: severalMachines, rules: shardRules },
  ...robbedNoises.map((noise) => ({ noise, rules: robbedRules })),
];
for (const name of values.scenario ?? []) {
  if (!scenarios.some(({ noise }) => noise.name === name)) {
    throw new Error(`--scenario takes one of ${scenarios.map(({ noise }) => noise.name).join(', ')}`);
  }
}
const chosen = scenarios.filter(({ noise }) => values.scenario?.includes(noise.name) ?? true);

const started = performance.now();
const tasks: readonly Task[] = chosen.flatMap(({ noise, rules: tried }) =>
  tried.flatMap((rule) =>
    CHANGES.flatMap(({ change, share }) => {
      const count = Math.round(comparisons * share);
      return Array.from({ length: Math.ceil(count / TASK) }, (_, i) => ({
        noise: noise.name,
        rule: rule.name,
        change,
        from: i * TASK,
        to: Math.min(count, (i + 1) * TASK),
        seed,
      }));
    }),
  ),
);
const tallies = await inParallel(tasks);
const tallyOf = (noise: string, rule: string, change: number): Tally =>
  total(
    tallies
      .filter(({ task }) => task.noise === noise && task.rule === rule && task.change === change)
      .map((each) => each.tally),
  );

const rows = chosen.flatMap(({ noise, rules: tried }) =>
  tried.map((rule) => {
    const [same, three, five, ten] = [0, 0.03, 0.05, 0.1].map((change) => tallyOf(noise.name, rule.name, change));
    if (!same || !three || !five || !ten) throw new Error('every change has a tally');
    return {
      scenario: noise.name,
      rule: rule.name,
      falsePositives: (same.slower + same.faster) / same.comparisons,
      coverage: same.covers / same.comparisons,
      coverageAt5: five.covers / five.comparisons,
      power3: three.slower / three.comparisons,
      power5: five.slower / five.comparisons,
      power10: ten.slower / ten.comparisons,
      pairs0: same.pairs / same.comparisons,
      pairs3: three.pairs / three.comparisons,
      pairs5: five.pairs / five.comparisons,
      pairs10: ten.pairs / ten.comparisons,
      decided0: same.decided / same.comparisons,
      width5: five.width / five.comparisons,
      // Other rules, and those that stop early, have none that could be judged.
      ...(rule === quiesceAtOnce && { bias5: five.error / five.comparisons / Math.log(1.05) }),
    };
  }),
);

const share = (value: number): string => `${(100 * value).toFixed(1)} %`;
const pairs = (value: number): string => value.toFixed(1);
process.stdout.write(
  `${table(
    [
      'scenario',
      'rule',
      'false positives',
      'coverage, same',
      'coverage, 5 %',
      'finds 3 %',
      'finds 5 %',
      'finds 10 %',
      'pairs, same',
      'pairs, 5 %',
      'pairs, 10 %',
      'interval, 5 %',
      'bias, 5 %',
    ],
    rows.map((row) => [
      row.scenario,
      row.rule,
      share(row.falsePositives),
      share(row.coverage),
      share(row.coverageAt5),
      share(row.power3),
      share(row.power5),
      share(row.power10),
      pairs(row.pairs0),
      pairs(row.pairs5),
      pairs(row.pairs10),
      share(row.width5),
      row.bias5 === undefined ? '' : share(row.bias5),
    ]),
  )}\n\n`,
);

const isShards = (name: string): boolean => ourShards.some((rule) => rule.name === name);
const missed = rows
  .filter(({ rule }) => rule === quiesce.name || rule === quiesceAtOnce.name || isShards(rule))
  .flatMap(({ scenario, rule, falsePositives, coverage, coverageAt5, bias5 = 0 }) => [
    ...(Math.abs(bias5) > MOST_BIAS
      ? [`${scenario}: the estimate is wrong by ${share(bias5)} of the change, goal ${share(MOST_BIAS)} at most`]
      : []),
    ...(falsePositives > MOST_FALSE
      ? [`${scenario}: ${share(falsePositives)} false positives, goal ${share(MOST_FALSE)} at most`]
      : []),
    ...(isShards(rule) && falsePositives < LEAST_FALSE_OF_SHARDS
      ? [
          `${scenario}, ${rule}: ${share(falsePositives)} false positives, goal ${share(LEAST_FALSE_OF_SHARDS)} at least`,
        ]
      : []),
    ...(Math.min(coverage, coverageAt5) < LEAST_COVERAGE
      ? [`${scenario}: coverage ${share(Math.min(coverage, coverageAt5))}, goal ${share(LEAST_COVERAGE)} at least`]
      : []),
  ]);
const seconds = (performance.now() - started) / 1000;
process.stdout.write(
  missed.length === 0 ? 'All goals are met.\n' : `Goals missed:\n${missed.map((each) => `- ${each}\n`).join('')}`,
);
process.stderr.write(`${seconds.toFixed(0)} s on ${os.availableParallelism()} processors\n`);

await writeFile(
  values.out,
  `${JSON.stringify(
    {
      seed,
      comparisons,
      goals: {
        falsePositives: MOST_FALSE,
        falsePositivesOfShardsFrom: LEAST_FALSE_OF_SHARDS,
        coverage: LEAST_COVERAGE,
        bias: MOST_BIAS,
      },
      missed,
      scenarios: chosen.map(({ noise: { name, describe, gates } }) => ({ name, describe, gates })),
      rows: rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([key, value]) => [
            key,
            typeof value === 'number' ? Number(value.toFixed(4)) : value,
          ]),
        ),
      ),
    },
    undefined,
    2,
  )}\n`,
);
if (missed.length > 0) process.exitCode = 1;

/** Hands the tasks to one worker a processor. */
async function inParallel(all: readonly Task[]): Promise<readonly { readonly task: Task; readonly tally: Tally }[]> {
  const waiting = all.values();
  const done: { task: Task; tally: Tally }[] = [];
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL('./worker.ts', import.meta.url));
      let task: Task | undefined;
      const next = (): void => {
        task = waiting.next().value;
        if (task) worker.postMessage(task);
        else worker.terminate().then(() => resolve(), reject);
      };
      worker.on('error', reject);
      worker.on('message', (tally: Tally) => {
        if (task) done.push({ task, tally });
        if (process.stderr.isTTY) process.stderr.write(`\r${done.length} of ${all.length}`);
        next();
      });
      next();
    });
  await Promise.all(Array.from({ length: os.availableParallelism() }, work));
  return done;
}
