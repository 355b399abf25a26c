/**
 * How often a comparison of several pages is right: equal builds that are called different as a whole, a change in one page
 * that is found there and nowhere else, and what a limited time decides. Prints the tables behind figures of
 * docs/internals/statistics.md and writes bench/results/pages.json. `--comparisons <n>` (default 2000).
 */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { table } from '../support/table.ts';
import { simulatePages } from './simulate.ts';

const RESULTS = fileURLToPath(new URL('../results/pages.json', import.meta.url));
const NOISES = ['outliers', 'two gates'];
const PAGES = [1, 6, 18];
const CHANGE = 0.1;
/** Pairs a page that there is time for, where there is not enough. */
const SHORT = 30;

const { values } = parseArgs({ options: { comparisons: { type: 'string', default: '2000' } } });
const comparisons = Number(values.comparisons);
if (!Number.isInteger(comparisons) || comparisons < 1) throw new Error('--comparisons takes a whole number from 1 on');

const rows = NOISES.flatMap((noise) =>
  PAGES.map((pages) => {
    const task = { noise, pages, comparisons };
    const same = simulatePages({ ...task, change: 0 });
    const one = simulatePages({ ...task, change: CHANGE });
    const loads = SHORT * pages * 2;
    const short = simulatePages({ ...task, change: CHANGE, loads });
    const shortSame = simulatePages({ ...task, change: 0, loads });
    const inTurn = simulatePages({ ...task, change: CHANGE, loads, inTurn: true });
    process.stderr.write(`${noise}, ${pages} pages\n`);
    return { noise, pages, same, one, short, shortSame, inTurn };
  }),
);

const share = (part: number): string => `${(100 * part).toFixed(1)} %`;
process.stdout.write(
  `${table(
    [
      'noise',
      'pages',
      'equal called different',
      'pages the same, decided',
      'pairs a page',
      '10 % on one page found',
      'there and nowhere else',
      'short of time: equal called different',
      'decided',
      'decided when in turn',
    ],
    rows.map(({ noise, pages, same, one, short, shortSame, inTurn }) => [
      noise,
      String(pages),
      share(same.falselyDifferent),
      share(same.decided),
      same.pairs.toFixed(1),
      share(one.found),
      share(one.foundAlone),
      share(shortSame.falselyDifferent),
      share(short.decided),
      share(inTurn.decided),
    ]),
  )}\n`,
);
writeFileSync(RESULTS, `${JSON.stringify({ comparisons, change: CHANGE, short: SHORT, rows }, null, 2)}\n`);
