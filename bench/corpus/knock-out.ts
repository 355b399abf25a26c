/** What each rule and threshold is worth: the corpus without it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Expected } from '../../fixtures/scenario.ts';
import { table } from '../support/table.ts';
import type { PageDone, VariantNames } from './judge-worker.ts';
import type { Pool } from './pool.ts';
import { readRules } from './rules.ts';
import { isApplication, isRight, type PageFigures } from './score.ts';

const OUT = fileURLToPath(new URL('../../docs/internals/rules.md', import.meta.url));

/** What is judged. */
interface Task {
  readonly names: readonly string[];
  readonly expected: ReadonlyMap<string, Expected>;
  readonly aside: ReadonlySet<string>;
  readonly pool: Pool;
}

/** Pages that a version of the rules gets wrong and the rules as they are do not, and the other way round. */
interface Worth {
  readonly own: number;
  readonly applications: number;
  readonly aside: number;
  readonly gained: number;
  /** Pages of which any figure changes. */
  readonly changed: number;
}

interface Row {
  readonly name: string;
  readonly worth: Worth;
}

/** Tries all, two at a time, prints progress, and writes the table. */
export async function knockOut({ names, expected, aside, pool }: Task): Promise<void> {
  const { rules, thresholds } = readRules();
  const before = new Map((await pool.judge(names, {}, true)).map((page) => [page.name, page]));
  const saidOn = new Map<string, string[]>();
  for (const { name, said = [] } of await pool.judge(names, { listen: true }, true)) {
    for (const rule of said) saidOn.set(rule, [...(saidOn.get(rule) ?? []), name]);
  }
  const began = performance.now();
  const total = rules.length + 2 * thresholds.length;
  let finished = 0;
  const tried = async (name: string, pages: readonly string[], variant: VariantNames): Promise<Row> => {
    const after = pages.length === 0 ? [] : await pool.judgeAlone(pages, variant, true);
    finished += 1;
    const left = ((performance.now() - began) / finished) * (total - finished);
    process.stderr.write(`[${finished}/${total}] ${name}, ${Math.ceil(left / 60_000)} min left\n`);
    return { name, worth: worthOf(after, before, expected, aside) };
  };
  const ofRules = await Promise.all(rules.map(({ name }) => tried(name, saidOn.get(name) ?? [], { without: [name] })));
  const pagesOf = (file: string): readonly string[] => {
    const own = rules.filter((rule) => rule.file === file);
    // A constant may be read by a function that is no rule: then any page may change.
    const pages = new Set(own.flatMap(({ name }) => saidOn.get(name) ?? []));
    return own.length === 0 ? names : names.filter((name) => pages.has(name));
  };
  const ofThresholds = await Promise.all(
    thresholds.map(async ({ name, value, file }) => {
      const [half, twice] = await Promise.all([
        tried(`${name} × ½`, pagesOf(file), { with: [[name, value / 2]] }),
        tried(`${name} × 2`, pagesOf(file), { with: [[name, value * 2]] }),
      ]);
      return { name, value, half: half.worth, twice: twice.worth };
    }),
  );
  await mkdir(new URL('.', `file://${OUT}`), { recursive: true });
  await writeFile(OUT, pageOf(ofRules, ofThresholds, names.length));
  console.log(`Written: ${OUT}`);
}

function worthOf(
  after: readonly PageDone[],
  before: ReadonlyMap<string, PageDone>,
  expected: ReadonlyMap<string, Expected>,
  aside: ReadonlySet<string>,
): Worth {
  const isGood = (figures: PageFigures | undefined, name: string): boolean => {
    const wanted = expected.get(name);
    return (
      figures !== undefined &&
      wanted !== undefined &&
      figures.flat().every((load) => isRight(load, wanted) && !load.wrong && !load.missed)
    );
  };
  const lost: string[] = [];
  let [gained, changed] = [0, 0];
  for (const { name, figures } of after) {
    const old = before.get(name)?.figures;
    if (JSON.stringify(old) !== JSON.stringify(figures)) changed += 1;
    const [was, is] = [isGood(old, name), isGood(figures, name)];
    if (was && !is) lost.push(name);
    if (!was && is) gained += 1;
  }
  const known = lost.filter((name) => !aside.has(name));
  return {
    own: known.filter((name) => !isApplication(name)).length,
    applications: known.filter(isApplication).length,
    aside: lost.length - known.length,
    gained,
    changed,
  };
}

const lostIn = ({ own, applications, aside }: Worth): number => own + applications + aside;

function pageOf(
  rules: readonly Row[],
  thresholds: readonly { readonly name: string; readonly value: number; readonly half: Worth; readonly twice: Worth }[],
  pages: number,
): string {
  const rows = rules.toSorted((a, b) => lostIn(b.worth) - lostIn(a.worth) || (a.name < b.name ? -1 : 1));
  const cells = ({ own, applications, aside, gained, changed }: Worth): readonly string[] =>
    [own, applications, aside, gained, changed].map(String);
  const some = rows.filter(({ worth }) => worth.changed > 0);
  const none = rows.filter(({ worth }) => worth.changed === 0);
  const moved = thresholds
    .filter(({ half, twice }) => lostIn(half) + lostIn(twice) + half.gained + twice.gained > 0)
    .toSorted((a, b) => lostIn(b.half) + lostIn(b.twice) - lostIn(a.half) - lostIn(a.twice));
  const still = thresholds.filter((each) => !moved.includes(each));
  return `# What each rule is worth

\`npm run corpus -- --knock-out\` writes this page: it switches each rule of page complete off in turn, and judges the ${pages} pages of the corpus without
it (as recorded on a quiet machine). A rule is a function that returns something; switched off, it returns nothing. A page is lost if one of its
loads is no longer within 100 ms of the truth, or a flag is missing or wrong. No rule is tuned for pages that are "put aside". If two rules do the
same, each is worth nothing while the other exists.

## Rules: ${some.length} of ${rules.length} make a difference

${table(
  ['rule', 'own pages lost', 'applications lost', 'put aside lost', 'gained', 'figures changed'],
  some.map(({ name, worth }) => [name, ...cells(worth)]),
)}

Without any of these every figure is the same: ${none.map(({ name }) => `\`${name}\``).join(', ')}.

## Thresholds: ${moved.length} of ${thresholds.length} make a difference at half or twice their value

${table(
  ['threshold', 'value', 'lost at half', 'gained', 'lost at twice', 'gained'],
  moved.map(({ name, value, half, twice }) => [
    name,
    String(value),
    String(lostIn(half)),
    String(half.gained),
    String(lostIn(twice)),
    String(twice.gained),
  ]),
)}

Half or twice of any of these loses no page: ${still.map(({ name, value }) => `\`${name}\` (${value})`).join(', ')}.
`;
}
