/**
 * What is lost when blocks are spread thinly over machines, and how often it is noticed that a candidate is slower on one
 * of them only. Prints the tables behind two figures of docs/internals/statistics.md and writes bench/results/machines.json.
 */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { table } from '../support/table.ts';
import { simulateMachines } from './simulate.ts';

const RESULTS = fileURLToPath(new URL('../results/machines.json', import.meta.url));
const COMPARISONS = 4_000;
const LAYOUTS = [
  [2, 10],
  [4, 10],
  [4, 5],
  [8, 5],
  [4, 2],
  [10, 2],
  [4, 1],
  [10, 1],
  [40, 1],
] as const;

const share = (part: number): string => `${(100 * part).toFixed(1)} %`;
const rows = LAYOUTS.map(([machines, blocks]) => {
  const [same, ten, twenty] = [0, 0.1, 0.2].map((onOne) =>
    simulateMachines({ machines, blocks, onOne: Math.log1p(onOne), comparisons: COMPARISONS }),
  );
  process.stderr.write(`machines: ${machines}, blocks on each: ${blocks}\n`);
  return {
    machines,
    blocks,
    off: same?.off ?? 0,
    same: same?.apart ?? 0,
    ten: ten?.apart ?? 0,
    twenty: twenty?.apart ?? 0,
  };
});

const head = [
  'machines',
  'blocks on each',
  'interval wrong',
  'called apart when alike',
  '10 % slower on one',
  '20 % slower on one',
];
const cells = rows.map((row) => [
  String(row.machines),
  String(row.blocks),
  ...[row.off, row.same, row.ten, row.twenty].map(share),
]);
process.stdout.write(`${table(head, cells)}\n`);
writeFileSync(RESULTS, `${JSON.stringify({ comparisons: COMPARISONS, rows }, null, 2)}\n`);
