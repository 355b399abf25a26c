/**
 * `npm run corpus`: judges the recordings of all pages with the rules as they are, without a browser, and prints one table:
 * loads within 100 ms of the truth, flags, and the pages that changed since the committed figures.
 *
 *   --only <names>          pages, separated by commas
 *   --without <rules>       switch rules off: file and function, as last-change/lastInFilm
 *   --with <NAME=value>     another value of a threshold, as last-change/FILMED_WITHIN_MS=250; may be given several times
 *   --rules                 print the names of all rules and thresholds
 *   --knock-out             try the corpus without each rule, and with half and twice each threshold; writes
 *                           docs/internals/rules.md
 *   --update                commit the figures as they are now
 */
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { corpusNames } from '../../fixtures/corpus-file.ts';
import type { Expected } from '../../fixtures/scenario.ts';
import type { Certainty } from '../../src/model/result/result.ts';
import { table } from '../support/table.ts';
import type { PageDone, VariantNames } from './judge-worker.ts';
import { knockOut } from './knock-out.ts';
import { openPool } from './pool.ts';
import { readRules } from './rules.ts';
import { expectedOf, isApplication, isRight, type PageFigures, putAside, type Sums, sumsOf } from './score.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    without: { type: 'string' },
    with: { type: 'string', multiple: true },
    rules: { type: 'boolean', default: false },
    'knock-out': { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
  },
});
const CERTAINTIES: readonly Certainty[] = ['proved', 'likely', 'doubtful'];
/** What was committed: the figures of each page, and of those that are put aside only sums. */
const FIGURES = fileURLToPath(new URL('../../fixtures/corpus/figures.json', import.meta.url));

interface Committed {
  readonly pages: Readonly<Record<string, PageFigures>>;
  readonly aside: Readonly<Record<string, Sums>>;
}

const { rules, thresholds } = readRules();
if (values.rules) {
  for (const { name } of rules) console.log(name);
  for (const { name, value } of thresholds) console.log(`${name}=${value}`);
  process.exit();
}

/** The one that has this name, or ends in it. */
function found<T extends { readonly name: string }>(all: readonly T[], name: string): string {
  const [first, ...more] = all.filter((each) => each.name === name || each.name.endsWith(`/${name}`));
  if (!first) throw new Error(`there is no ${name}; --rules lists them`);
  if (more.length > 0) throw new Error(`${name} is ${[first, ...more].map((each) => each.name).join(' or ')}`);
  return first.name;
}

const variant: VariantNames = {
  ...(values.without && { without: values.without.split(',').map((name) => found(rules, name)) }),
  ...(values.with && {
    with: values.with.map((text): readonly [string, number] => {
      const [name = '', value] = text.split('=');
      if (value === undefined || !Number.isFinite(Number(value)))
        throw new Error(`--with takes NAME=number, not ${text}`);
      return [found(thresholds, name), Number(value)];
    }),
  }),
};

const all = corpusNames();
const only = values.only?.split(',');
const names = all.filter((name) => only?.includes(name) ?? true);
const unknown = only?.filter((name) => !all.includes(name)) ?? [];
if (unknown.length > 0) throw new Error(`no such page: ${unknown.join(', ')}`);
const aside = putAside(all);
const expected = new Map<string, Expected>();
for (const name of names) expected.set(name, await expectedOf(name));

const pool = openPool();
if (values['knock-out']) {
  await knockOut({ names, expected, aside, pool });
} else {
  const began = performance.now();
  const done = await pool.judge(names, variant, false);
  print(done, performance.now() - began);
}
pool.close();

interface Scored {
  readonly name: string;
  readonly figures: PageFigures;
  readonly expected: Expected;
}

function print(done: readonly PageDone[], took: number): void {
  const scored = done.flatMap(({ name, figures }): readonly Scored[] => {
    const wanted = expected.get(name);
    return figures && wanted ? [{ name, figures, expected: wanted }] : [];
  });
  const groups = groupsOf(scored);
  const quiet = groups.get('quiet machine') ?? [];
  const whereIt =
    (certainty: Certainty) =>
    ({ figures, ...rest }: Scored): Scored => ({
      ...rest,
      figures: figures.map((loads) =>
        loads.filter(({ state, doubt = 'proved' }) => state === 'complete' && doubt === certainty),
      ),
    });
  const head = ['pages', 'loads', 'within 100 ms', 'early', 'late', 'no answer', 'flags', 'wrong', 'content flagged'];
  console.log(
    table(
      ['', ...head],
      [...groups].map(([group, pages]) => [group, ...cells(sumsOf(pages))]),
    ),
  );
  console.log('\nOf those on a quiet machine, by how sure the answer was:\n');
  console.log(
    table(
      ['', 'loads', 'within 100 ms', 'early', 'late'],
      CERTAINTIES.map((certainty) => {
        const { loads, right, early, late } = sumsOf(quiet.map(whereIt(certainty)));
        return [certainty, String(loads), share(right, loads), String(early), String(late)];
      }),
    ),
  );
  const committed = committedFigures();
  const now = Object.fromEntries(
    scored.filter(({ name }) => !aside.has(name)).map(({ name, figures }) => [name, figures]),
  );
  const changed = Object.entries(now).filter(
    ([name, figures]) => JSON.stringify(figures) !== JSON.stringify(committed.pages[name]),
  );
  for (const { name, error } of done) if (error !== undefined) console.log(`${shown(name)}: ${error}`);
  const off = scored.filter(({ name, figures, expected: wanted }) => !aside.has(name) && !isGood(figures, wanted));
  console.log(`\nNot right: ${off.map(({ name }) => name).join(', ') || 'none'}`);
  if (changed.length > 0) console.log('\nChanged since the committed figures:');
  for (const [name, figures] of changed)
    console.log(`  ${name}: ${inWords(committed.pages[name])} → ${inWords(figures)}`);
  const unrecorded = done.reduce((sum, each) => sum + each.unrecorded, 0);
  if (unrecorded > 0)
    console.log(`\n${unrecorded} loads without something were asked for that nobody recorded: these requests count.`);
  console.log(`\n${done.length} pages in ${(took / 1000).toFixed(1)} s`);
  if (values.update && only === undefined) void write(now, groups);
}

function groupsOf(scored: readonly Scored[]): ReadonlyMap<string, readonly Scored[]> {
  const groups = new Map<string, readonly Scored[]>();
  const add = (group: string, pages: readonly Scored[]): void => {
    if (pages.length > 0) groups.set(group, pages);
  };
  const [tuned, untuned] = [false, true].map((is) => scored.filter(({ name }) => aside.has(name) === is)) as [
    Scored[],
    Scored[],
  ];
  add(
    'own pages',
    tuned.filter(({ name }) => !isApplication(name)),
  );
  add(
    'applications',
    tuned.filter(({ name }) => isApplication(name)),
  );
  add(
    'own pages put aside',
    untuned.filter(({ name }) => !isApplication(name)),
  );
  add(
    'applications put aside',
    untuned.filter(({ name }) => isApplication(name)),
  );
  const sides = ['quiet machine', 'beside programs that never rest'];
  for (const [i, side] of sides.entries()) {
    add(
      side,
      scored.flatMap(({ figures, ...rest }) => (figures[i] ? [{ ...rest, figures: [figures[i]] }] : [])),
    );
  }
  return groups;
}

function share(some: number, all: number): string {
  return all === 0 ? '–' : `${some} (${((100 * some) / all).toFixed(1)}%)`;
}

function cells(sums: Sums): readonly string[] {
  const { pages, loads, right, early, late, unconfirmed, flags, flagsRight, flagsWrong, contentFlagged } = sums;
  return [
    pages,
    loads,
    share(right, loads),
    early,
    late,
    unconfirmed,
    `${flagsRight} of ${flags}`,
    flagsWrong,
    contentFlagged,
  ].map(String);
}

function isGood(figures: PageFigures, wanted: Expected): boolean {
  return figures.flat().every((load) => isRight(load, wanted) && !load.wrong && !load.missed);
}

/** Nobody looks at what was put aside. */
const shown = (name: string): string => (aside.has(name) ? 'a page that is put aside' : name);

function inWords(figures: PageFigures | undefined): string {
  if (!figures) return 'new';
  return figures
    .map((loads) =>
      loads
        .map(({ state, error, wrong = [], missed = [], impacts = [] }) =>
          [error ?? state, ...wrong.map((each) => `+${each}`), ...missed.map((each) => `-${each}`), ...impacts].join(
            ' ',
          ),
        )
        .join(', '),
    )
    .join(' | ');
}

function committedFigures(): Committed {
  if (!existsSync(FIGURES)) return { pages: {}, aside: {} };
  return JSON.parse(readFileSync(FIGURES, 'utf8')) as Committed;
}

async function write(pages: Committed['pages'], groups: ReadonlyMap<string, readonly Scored[]>): Promise<void> {
  const sums = [...groups].flatMap(([group, some]) =>
    group.endsWith('put aside') ? [[group, sumsOf(some)] as const] : [],
  );
  await mkdir(path.dirname(FIGURES), { recursive: true });
  const lines = Object.keys(pages)
    .sort()
    .map((name) => `    ${JSON.stringify(name)}: ${JSON.stringify(pages[name])}`);
  const text = `{\n  "aside": ${JSON.stringify(Object.fromEntries(sums))},\n  "pages": {\n${lines.join(',\n')}\n  }\n}\n`;
  await writeFile(FIGURES, text);
}
