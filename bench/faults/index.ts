/**
 * `npm run bench:faults`: what happens when something goes wrong.
 *
 * Injects each fault into the built command (pages that fight back, networks and machines that fail, processes that are ended,
 * files that cannot be right, secrets that must not show) and checks what must hold: an exit code of the contract, one line
 * that says why, finished runs kept in a valid result.json, nothing left after 5 s, an answer that is right or none, below
 * 1 GB of memory, an end in time. Prints a Markdown table, writes bench/results/faults.json. Exit code 1
 * when something did not hold.
 *
 *   --only <text>       faults whose group or name holds this; what is stored of the others stays
 *   --seed <n>          of what is left to chance (default 1)
 *   --lanes <n>         faults at a time (default 3)
 *   --fuzz <s>          processor seconds for each kind of mutants (default 100: ten minutes in all)
 *   --times <n>         at most so often each; nothing is written then
 */
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { randomOf } from '../../tests/support/mutate.ts';
import { table } from '../support/table.ts';
import { devtools } from './devtools.ts';
import type { Fault, Group, Happened } from './fault.ts';
import { files, setFuzzSeconds } from './files.ts';
import { kills } from './kills.ts';
import { machine } from './machine.ts';
import { network, pages } from './pages.ts';
import { secrets } from './secrets.ts';
import { secure } from './secure.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '3' },
    fuzz: { type: 'string', default: '100' },
    times: { type: 'string' },
  },
});

const TITLES: Readonly<Record<Group, string>> = {
  page: 'Pages that fight back',
  network: 'Networks',
  devtools: 'Between Quiesce and Chrome',
  machine: 'Machines',
  kill: 'Processes that are ended',
  file: 'Files',
  secret: 'Secrets',
};

interface Row {
  readonly group: Group;
  readonly name: string;
  readonly must: string;
  readonly times: number;
  readonly held: number;
  readonly injected: number;
  readonly violations: readonly string[];
  readonly outcomes: readonly string[];
  readonly slowest: number;
  readonly peak: number;
}

setFuzzSeconds(Number(values.fuzz));
const all: readonly Fault[] = [
  ...pages,
  ...network,
  ...secure,
  ...devtools,
  ...machine,
  ...kills,
  ...files,
  ...secrets,
];
const chosen = all.filter(({ group, name }) => values.only === undefined || `${group} ${name}`.includes(values.only));
if (chosen.length === 0) throw new Error(`no fault holds "${values.only}" in its name`);

const tries = chosen.flatMap((fault) =>
  Array.from({ length: Math.min(fault.times, Number(values.times ?? fault.times)) }, (_, nth) => ({ fault, nth })),
);
const happened = new Map<Fault, Happened[]>();
let next = 0;
const began = performance.now();

const seedOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32LE();

async function work(lane: number): Promise<void> {
  for (let each = tries[next++]; each; each = tries[next++]) {
    const { fault, nth } = each;
    const random = randomOf(seedOf(`${values.seed} ${fault.name} ${nth}`));
    const what = await fault.inject(random, lane).catch(
      (error: unknown): Happened => ({
        violations: [`the bench failed: ${error instanceof Error ? error.message : String(error)}`],
        outcome: 'not injected',
        seconds: 0,
      }),
    );
    happened.set(fault, [...(happened.get(fault) ?? []), what]);
    const minutes = ((performance.now() - began) / 60_000).toFixed(1);
    const verdict = what.violations.length === 0 ? 'held' : `NOT HELD: ${what.violations.join('; ')}`;
    process.stderr.write(
      `[${next > tries.length ? tries.length : next}/${tries.length}, ${minutes} min] ${fault.group}: ${fault.name} #${nth + 1}: ${what.outcome}; ${verdict} (${what.seconds.toFixed(0)} s)\n`,
    );
  }
}
await Promise.all(Array.from({ length: Number(values.lanes) }, (_, lane) => work(lane)));

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
const injected = chosen.map((fault): Row => {
  const each = happened.get(fault) ?? [];
  const { group, name, must } = fault;
  return {
    group,
    name,
    must,
    times: each.length,
    held: each.filter(({ violations }) => violations.length === 0).length,
    injected: each.reduce((sum, { injected = 1 }) => sum + injected, 0),
    violations: unique(each.flatMap(({ violations }) => violations)),
    outcomes: unique(each.map(({ outcome }) => outcome)).slice(0, 3),
    slowest: Math.max(...each.map(({ seconds }) => seconds)),
    peak: Math.max(...each.map(({ peak = 0 }) => peak)),
  };
});

/** What was stored before, of which only a part is injected again. */
interface Stored {
  readonly minutes: number;
  readonly rows: readonly Row[];
}
const RESULTS = new URL('../results/faults.json', import.meta.url);
const before =
  values.only === undefined
    ? undefined
    : (JSON.parse(await readFile(RESULTS, 'utf8').catch(() => 'null')) as Stored | null);
const rows = all.flatMap(({ group, name }) => {
  const isThis = (row: Row): boolean => row.group === group && row.name === name;
  return injected.find(isThis) ?? before?.rows.find(isThis) ?? [];
});

const escaped = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
const tableOf = (some: readonly Row[]): string =>
  table(
    ['fault', 'times', 'must hold', 'held', 'what happened', 'slowest', 'memory'],
    some.map(({ name, must, times, injected, held, violations, outcomes, slowest, peak }) => [
      escaped(name),
      injected > times ? injected.toLocaleString('en') : `${times}`,
      must,
      held === times ? 'yes' : `**${held} of ${times}**`,
      escaped((held === times ? outcomes : violations).join('; ')),
      `${slowest.toFixed(0)} s`,
      peak === 0 ? '–' : `${(peak / 2 ** 20).toFixed(0)} MB`,
    ]),
  );
const tablesOf = (some: readonly Row[]): string =>
  (Object.keys(TITLES) as Group[])
    .map((group) => [group, some.filter((row) => row.group === group)] as const)
    .filter(([, own]) => own.length > 0)
    .map(([group, own]) => `## ${TITLES[group]}\n\n${tableOf(own)}`)
    .join('\n\n');
const sum = (some: readonly Row[], of: (row: Row) => number): number => some.reduce((all, row) => all + of(row), 0);
const summaryOf = (some: readonly Row[]): string =>
  `${some.length} faults, injected ${sum(some, ({ times }) => times)} times: what must hold held ${sum(some, ({ held }) => held)} times. ${sum(some, ({ injected, times }) => injected - times).toLocaleString('en')} mutants of files besides.`;
const took = (performance.now() - began) / 60_000;
console.log(`${tablesOf(injected)}\n\n${summaryOf(injected)} ${took.toFixed(0)} minutes.`);

if (values.times === undefined && before !== null) {
  const minutes = before?.minutes ?? took;
  await writeFile(RESULTS, `${JSON.stringify({ seed: Number(values.seed), minutes, rows }, null, 2)}\n`);
}
process.exitCode = injected.every(({ held, times }) => held === times) ? 0 : 1;
