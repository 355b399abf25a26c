/**
 * How often `quiesce trend` marks what is none, and how soon it finds what is: histories of five runs a night, in
 * several kinds of noise. Prints the table of docs/internals/statistics.md and writes bench/results/trend.json.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { simulateHistories, worlds } from './simulate.ts';

const HISTORIES = 400;
const NIGHTS = 60;
const RESULTS = fileURLToPath(new URL('../results/trend.json', import.meta.url));

const share = (part: number): string => `${(part * 100).toFixed(1)} %`;
const nights = (value: number | undefined): string => (value === undefined ? 'not in 30' : String(value));

const rows = worlds.map((world) => {
  const run = (step: number, count = NIGHTS, histories = HISTORIES) =>
    simulateHistories({ world, step, nights: count, histories, seed: 1 });
  const [calm, year, five, ten, twenty] = [run(0), run(0, 365, HISTORIES / 5), run(0.05), run(0.1), run(0.2)];
  process.stdout.write(`${world.name}\n`);
  return { world: world.name, describe: world.describe, calm, year, five, ten, twenty };
});

const head =
  '| noise | marked in 60 calm nights | in a calm year | finds +5 % in 30 nights | finds +10 % | nights for +10 % | nights for +20 % |';
process.stdout.write(`\n${head}\n|---|---|---|---|---|---|---|\n`);
for (const { world, calm, year, five, ten, twenty } of rows) {
  const cells = [
    world,
    share(calm.marked),
    share(year.marked),
    share(five.found),
    share(ten.found),
    nights(ten.delay),
    nights(twenty.delay),
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
mkdirSync(fileURLToPath(new URL('../results/', import.meta.url)), { recursive: true });
writeFileSync(RESULTS, `${JSON.stringify({ histories: HISTORIES, nights: NIGHTS, rows }, null, 2)}\n`);
