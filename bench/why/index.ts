/**
 * `npm run bench:why`: is the first reason that a comparison gives the true one? Sites that are built from packages of npm
 * (bench/why/site.ts) are compared with themselves after one known change (bench/why/changes.ts).
 *
 * Prints a Markdown table and writes bench/results/why.json after each pair. `--only <text>` takes changes and sites whose
 * names hold that text, `--pairs <n>` sets the pairs of loads of each (default 14), `--most <n>` ends after so many pairs of
 * builds, `--add` keeps the results that are there and adds to them.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { compare } from '../../src/api.ts';
import { whyInWords } from '../../src/wording/compare/why.ts';
import { table } from '../support/table.ts';
import { CHANGES, type Change } from './changes.ts';
import { serveSite } from './serve.ts';
import { buildSite, SITES, type Site, sourceOf } from './site.ts';

const RESULTS = new URL('../results/why.json', import.meta.url);
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    pairs: { type: 'string', default: '14' },
    most: { type: 'string', default: '1000' },
    add: { type: 'boolean', default: false },
  },
});
const PAIRS = Number(values.pairs);

/** What came of one pair of builds. */
interface Row {
  readonly change: string;
  readonly site: string;
  readonly decision: string;
  /** The first reason: the true one, another one, or none; `–` where the builds were not told apart. */
  readonly first: 'true' | 'wrong' | 'unknown' | '–';
  /** How much later page complete is, ms. */
  readonly ms?: number;
  readonly why: string;
}

async function compareOne(change: Change, site: Site, scale: number): Promise<Row> {
  const source = sourceOf(scale);
  const sources = [source, change.make(source)] as const;
  const served = await Promise.all(sources.map(async (each) => serveSite(await buildSite(site, each), each)));
  try {
    const { result, problems } = await compare(served[0]?.url ?? '', served[1]?.url ?? '', {
      ...(process.getuid?.() === 0 && { sandbox: false }),
      gate: ['page-complete'],
      maxPairs: PAIRS,
      looks: [Math.floor(PAIRS / 4) * 2, PAIRS],
      failFast: true,
      quietWindow: 500,
      ablation: false,
      sourceMaps: true,
      format: [],
      seed: 7,
    });
    if (result.design.pairs === 0) throw new Error(problems.map(({ message }) => message).join(' '));
    const { decision, why, unexplained } = result;
    const [first] = why ?? [];
    const isKnown = first !== undefined && first.code !== 'unproven';
    const ms = result.comparisons.find(({ metric }) => metric === 'pageComplete')?.difference?.absolute;
    return {
      change: change.name,
      site: site.name,
      decision,
      first: why === undefined ? '–' : !isKnown ? 'unknown' : change.isTrue(first) ? 'true' : 'wrong',
      ...(ms !== undefined && { ms: Math.round(ms) }),
      why: whyInWords({ ...(why && { why }), ...(unexplained !== undefined && { unexplained }) }) ?? '',
    };
  } finally {
    await Promise.all(served.map((each) => each.close()));
  }
}

const before = values.add
  ? (JSON.parse(await readFile(RESULTS, 'utf8')) as { readonly rows: readonly Row[] }).rows
  : [];
const rows: Row[] = [...before];
const isWanted = (name: string): boolean => values.only.length === 0 || values.only.some((text) => name.includes(text));
// One site of each change before the next.
const all = SITES.flatMap((site, s) =>
  CHANGES.map((change, c) => ({ site, change, scale: 0.85 + 0.1 * ((s + c) % 5) })),
)
  .filter(({ site, change }) => isWanted(`${change.name} ${site.name}`))
  .filter(({ site, change }) => !rows.some((row) => row.site === site.name && row.change === change.name))
  .slice(0, Number(values.most));

for (const [i, { site, change, scale }] of all.entries()) {
  const began = performance.now();
  const row = await compareOne(change, site, scale);
  rows.push(row);
  const took = Math.round((performance.now() - began) / 1000);
  process.stderr.write(
    `${i + 1} of ${all.length}: ${change.name}, ${site.name}: ${row.decision} ${row.ms ?? '?'} ms, ${row.first}: ${row.why} (${took} s)\n`,
  );
  await writeFile(RESULTS, `${JSON.stringify({ at: new Date().toISOString(), pairs: PAIRS, rows }, undefined, 2)}\n`);
}

const count = (of: readonly Row[], first: Row['first']): string =>
  String(of.filter((row) => row.first === first).length);
const line = (name: string, of: readonly Row[]): readonly string[] => [
  name,
  String(of.length),
  count(of, 'true'),
  count(of, 'wrong'),
  count(of, 'unknown'),
  count(of, '–'),
];
console.log(
  table(
    ['change', 'pairs of builds', 'first reason true', 'wrong', 'unknown', 'not told apart'],
    [
      ...CHANGES.map(({ name }) =>
        line(
          name,
          rows.filter(({ change }) => change === name),
        ),
      ),
      line('all', rows),
    ],
  ),
);
