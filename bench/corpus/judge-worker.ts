/** Judges pages of the corpus with the rules as they are, or with others, and gives their figures. */
import { readCorpus } from '../../fixtures/corpus-file.ts';
import { loadVariant, readRules, type Variant } from './rules.ts';
import { expectedOf, figuresOf, type PageFigures } from './score.ts';

/** What a worker is asked for. */
export interface JudgeJob {
  readonly id: number;
  readonly pages: readonly string[];
  readonly variant: VariantNames;
  /** Only the recordings that were made on a quiet machine. */
  readonly quietOnly: boolean;
}

/** Another version of the rules, by names. */
export interface VariantNames {
  readonly without?: readonly string[];
  readonly with?: readonly (readonly [name: string, value: number])[];
  /** Tell which rules say something of each page. */
  readonly listen?: boolean;
}

/** What it gives for each page. */
export interface PageDone {
  readonly name: string;
  readonly figures?: PageFigures;
  /** Why it could not be judged. */
  readonly error?: string;
  /** Rules that said something, where that was asked. */
  readonly said?: readonly string[];
  readonly unrecorded: number;
}

const { rules, thresholds } = readRules();
const known = new Map<string, ReturnType<typeof readCorpus>>();
let variants = 0;

function pageOf(name: string): ReturnType<typeof readCorpus> {
  const page = known.get(name) ?? readCorpus(name);
  known.set(name, page);
  return page;
}

function variantOf({ without = [], with: others = [], listen = false }: VariantNames): Variant {
  return {
    without: rules.filter(({ name }) => without.includes(name)),
    with: thresholds.flatMap((each) => {
      const other = others.find(([name]) => name === each.name)?.[1];
      return other === undefined ? [] : [{ ...each, other }];
    }),
    listen: listen ? rules : [],
  };
}

process.on('message', async ({ id, pages, variant, quietOnly }: JudgeJob) => {
  variants += 1;
  const scope = `?${variants}`;
  const said = new Set<string>();
  (globalThis as { saysSomething?: (name: string) => void }).saysSomething = (name) => void said.add(name);
  const isOther = JSON.stringify(variant) !== '{}';
  if (isOther) loadVariant(variantOf(variant), scope);
  const { judgePage } = (await import(`./judge.ts${isOther ? scope : ''}`)) as typeof import('./judge.ts');
  for (const name of pages) {
    said.clear();
    process.send?.({ id, page: await judged(name, judgePage, quietOnly, said) });
  }
  process.send?.({ id, done: true });
});
process.once('disconnect', () => process.exit());

async function judged(
  name: string,
  judgePage: typeof import('./judge.ts').judgePage,
  quietOnly: boolean,
  said: ReadonlySet<string>,
): Promise<PageDone> {
  try {
    const page = pageOf(name);
    const recordings = page.recordings.filter(({ beside }) => !quietOnly || beside === 0);
    const found = await judgePage({ ...page, recordings });
    return {
      name,
      figures: figuresOf(found, await expectedOf(name)),
      said: [...said],
      unrecorded: found.reduce((sum, { unrecorded }) => sum + unrecorded, 0),
    };
  } catch (error) {
    return { name, error: String(error), unrecorded: 0 };
  }
}
