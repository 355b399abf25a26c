import { boundaries } from '../../src/core/experiment/alpha-spending.ts';
import { blockOrder } from '../../src/core/experiment/blocks.ts';
import { decide, gateFails, pairsToSettle } from '../../src/core/experiment/decision.ts';
import { DEFAULT_MIN_EFFECT, effectBounds } from '../../src/core/experiment/effect.ts';
import { type BlockValues, estimateShift } from '../../src/core/experiment/hodges-lehmann.ts';
import { mostPairsOfPage, pagesOfRound, planOfPage } from '../../src/core/experiment/pages.ts';
import { defaultLooks } from '../../src/core/experiment/plan.ts';
import { detectableDrift } from '../../src/core/experiment/resolution.ts';
import { estimateMedian } from '../../src/core/time/median.ts';
import type { Build, Decision, ExperimentPlan } from '../../src/model/compare/comparison.ts';
import { noises, type Session } from '../statistics/noise.ts';
import { randomFor } from '../statistics/random.ts';

/** Comparisons of so many pages, of which the first one is slower by `change`, or none. */
export interface PagesTask {
  readonly noise: string;
  readonly pages: number;
  readonly change: number;
  readonly comparisons: number;
  /** The loads that there is time for; no end when absent. */
  readonly loads?: number;
  /** Spend these on all pages alike, instead of where they decide most. */
  readonly inTurn?: boolean;
}

/** What came out, as shares of the comparisons or of the pages. */
export interface PagesFigures {
  /** Equal builds that are called different as a whole. */
  readonly falselyDifferent: number;
  /** The page that is slower is called slower. */
  readonly found: number;
  /** That, and no other page is called anything but the same or undecided. */
  readonly foundAlone: number;
  /** Of the pages. */
  readonly decided: number;
  /** Pairs a page. */
  readonly pairs: number;
}

const ALPHA = 0.05;
const LOADS_OF_A_PAIR = 2;

/** One page on its way to an answer. */
interface Page {
  readonly session: Session;
  readonly factor: number;
  readonly plan: ExperimentPlan;
  readonly isOneOfSeveral: boolean;
  readonly blocks: (readonly BlockValues[])[];
  expectedPairs: number;
  decision: Decision;
  open: boolean;
}

/** Simulates comparisons with the code that plans them, decides them and picks pages. */
export function simulatePages(task: PagesTask): PagesFigures {
  const noise = noises.findIndex(({ name }) => name === task.noise);
  const { begin, gates } = noises[noise] ?? missing(task.noise);
  let [different, found, alone, decided, pairs] = [0, 0, 0, 0, 0];
  for (let i = 0; i < task.comparisons; i += 1) {
    const looks = defaultLooks(mostPairsOfPage(ALPHA / gates, task.pages));
    const names = Array.from({ length: gates }, (_, gate) => `gate ${gate}`);
    const whole = { seed: i, looks, alpha: ALPHA, minEffect: DEFAULT_MIN_EFFECT, gates: names, strict: false };
    const pages = Array.from(
      { length: task.pages },
      (_, page): Page => ({
        session: begin(randomFor(1, noise, Math.round(task.change * 1000), i, page)),
        factor: page === 0 ? 1 + task.change : 1,
        plan: planOfPage(whole, page, task.pages),
        isOneOfSeveral: task.pages > 1,
        blocks: [],
        expectedPairs: looks[0] ?? 0,
        decision: 'unsure',
        open: true,
      }),
    );
    compare(pages, whole.seed, task);
    const [first, ...others] = pages.map(({ decision }) => decision === 'slower' || decision === 'faster');
    const isOther = others.some(Boolean);
    if (first || isOther) different += 1;
    if (pages[0]?.decision === 'slower') found += 1;
    if (pages[0]?.decision === 'slower' && !isOther) alone += 1;
    decided += pages.filter(({ decision }) => decision !== 'unsure').length / task.pages;
    pairs += pages.reduce((sum, page) => sum + pairsOf(page), 0) / task.pages;
  }
  const share = (count: number): number => count / task.comparisons;
  return {
    falselyDifferent: share(different),
    found: share(found),
    foundAlone: share(alone),
    decided: share(decided),
    pairs: share(pairs),
  };
}

const pairsOf = ({ blocks }: Page): number => 2 * blocks.length;

function compare(pages: readonly Page[], seed: number, { loads = Number.POSITIVE_INFINITY, inTurn }: PagesTask): void {
  let left = loads;
  for (let round = 1; pages.some(({ open }) => open); round += 1) {
    const progress = pages.map((page) => ({
      open: page.open,
      pairs: pairsOf(page),
      expectedPairs: page.expectedPairs,
      pairTime: LOADS_OF_A_PAIR,
    }));
    for (const at of pagesOfRound(progress, { seed, round, ...(!inTurn && { left }) })) {
      const page = pages[at];
      if (!page) continue;
      if (left < 4) {
        for (const each of pages) if (each.open && pairsOf(each) > 0) look(each);
        return;
      }
      left -= 4;
      page.blocks.push(loadBlock(page));
      const isLook = page.plan.looks.includes(pairsOf(page));
      if (isLook) look(page);
      page.open = (page.decision === 'unsure' || !isLook) && pairsOf(page) < (page.plan.looks.at(-1) ?? 0);
    }
  }
}

const known = new Map<string, readonly number[]>();

/** |z| at the looks so far; the last one may be none that was planned. */
function criticalValue(page: Page): number {
  const { looks, alpha, gates } = page.plan;
  const now = pairsOf(page);
  const fractions = [...looks.filter((each) => each < now), now].map((each) => each / (looks.at(-1) ?? 1));
  const key = JSON.stringify([fractions, alpha, gates.length]);
  const found = known.get(key) ?? boundaries(fractions, alpha / gates.length);
  known.set(key, found);
  return found.at(-1) ?? Number.POSITIVE_INFINITY;
}

const drifts = new Map<string, number>();

function driftOf({ plan: { looks, alpha, gates } }: Page): number {
  const key = JSON.stringify([looks, alpha, gates.length]);
  const drift = drifts.get(key) ?? detectableDrift(looks, alpha / gates.length);
  drifts.set(key, drift);
  return drift;
}

function look(page: Page): void {
  const z = criticalValue(page);
  const pairs = pairsOf(page);
  const found = page.plan.gates.map((_, gate) => {
    const times = page.blocks.flatMap((block) => block[gate] ?? []);
    const shift = estimateShift(
      times.map(({ base, candidate }) => ({ base: base.map(Math.log), candidate: candidate.map(Math.log) })),
    );
    const baseMedian = estimateMedian(times.flatMap(({ base }) => base))?.median ?? 1;
    const bounds = effectBounds(DEFAULT_MIN_EFFECT, { scale: 'ratio', unit: 'ms', baseMedian });
    const interval = shift?.interval(z) ?? {};
    const decision = decide(interval, bounds);
    const fails =
      shift !== undefined && gateFails(decision, { ...interval, estimate: shift.estimate }, bounds, page.plan.strict);
    const settled =
      shift && decision === 'unsure'
        ? pairsToSettle(shift, bounds, { pairs, criticalValue: z, drift: driftOf(page) })
        : undefined;
    return { decision, fails, settled };
  });
  const decisions = found.map(({ decision }) => decision);
  page.decision = (['slower', 'unsure', 'faster'] as const).find((decision) => decisions.includes(decision)) ?? 'same';
  // A comparison goes on until all of its gates are decided; one of several, until one fails.
  const isOver = pairs >= (page.plan.looks.at(-1) ?? 0) || (page.isOneOfSeveral && found.some(({ fails }) => fails));
  if (decisions.includes('unsure') && !isOver) page.decision = 'unsure';
  page.expectedPairs = Math.max(pairs, ...found.map(({ settled }) => settled ?? 0));
}

function loadBlock({ session, factor, plan, blocks }: Page): readonly BlockValues[] {
  const index = blocks.length;
  const loads = blockOrder(plan.seed, index).map((build, order) => ({
    build,
    times: session({ load: index * 4 + order, second: order % 2 === 1 }, build === 'base' ? 1 : factor),
  }));
  const of = (build: Build, gate: number) =>
    loads.filter((load) => load.build === build).map(({ times }) => times[gate] ?? Number.NaN);
  return plan.gates.map((_, gate) => ({ base: of('base', gate), candidate: of('candidate', gate) }));
}

function missing(name: string): never {
  throw new Error(`nothing is called "${name}"`);
}
