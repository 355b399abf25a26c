import { learnExpected } from '../../../core/completion/expected.ts';
import { isWarmUp } from '../../../core/completion/warm-up.ts';
import { fmix32, GOLDEN, TWO_TO_32 } from '../../../core/experiment/hash32.ts';
import { hasLateMetrics } from '../../../core/metrics/own/late.ts';
import { shortEndingMisses } from '../../../core/short-ending.ts';
import type { ExpectedContent } from '../../../model/completion/expected.ts';
import type { Loading } from '../../../settings/resolved.ts';
import type { FinishedRun } from '../run.ts';

/** Of so many timed runs of a page, of both builds together, one is watched for the whole window although all has come. */
const WATCHED_ONE_IN = 10;

const ALONE = { own: 0, of: 1 };

/** How the endings of one page's timed runs are chosen. */
export interface ShortEndingsOptions extends Pick<Loading, 'policy' | 'fullWindow'> {
  /** Which runs are checked follows from it. */
  readonly seed: number;
  /** Builds of the page have turns in being checked: which one, from 0, of how many. */
  readonly turn?: { readonly own: number; readonly of: number };
}

/**
 * Lets the timed runs of one page end when all has come that runs before them needed, and checks that nothing is missed by
 * it: the first one, and one in ten at random, of two builds together, are watched for the whole window.
 */
export class ShortEndings {
  readonly #options: ShortEndingsOptions;
  #isOff: boolean;
  #isChecked = false;
  #expected: ExpectedContent | undefined;

  constructor(options: ShortEndingsOptions) {
    this.#options = options;
    // A mark of the page's own needs no silence.
    this.#isOff = options.fullWindow || options.policy.completeOn !== undefined;
  }

  /** What is expected of all runs; absent when each is watched for the whole window. */
  get expected(): ExpectedContent | undefined {
    return this.#isOff ? undefined : this.#expected;
  }

  /** What a timed run may end by; undefined when it is to be watched for the whole window. */
  expectedOf(index: number): ExpectedContent | undefined {
    return this.#isChecked && !isDrawn(this.#options, index) ? this.expected : undefined;
  }

  /**
   * Learns from a run. Gives true when it shows that the short endings before it may have missed something: then there
   * will be none any more.
   */
  learn({ loaded, run, visit, policy }: FinishedRun): boolean {
    // With its suspects held back a page is another one.
    if (this.#isOff || run.role === 'ablation' || visit?.complete.state !== 'complete') return false;
    if (isWarmUp(loaded.policy, this.#options.policy)) return false;
    const before = this.#expected;
    const { expected: _expected, ...whole } = policy;
    const isWhole = loaded.policy.expected === undefined;
    if (isWhole && run.role === 'timed') this.#isChecked = true;
    const misses = isWhole && before !== undefined && shortEndingMisses(visit, whole, before);
    this.#expected = learnExpected(before, visit, policy.quietWindow);
    // A page that cannot be expected to do as before will not do so later.
    this.#isOff = misses || this.#expected === undefined || hasLateMetrics(visit);
    return this.#isOff;
  }
}

/** Did the run end early, and was it not as it was expected after all? Only the whole window can tell then. */
export function isEndedTooEarly({ loaded, run }: FinishedRun): boolean {
  return loaded.policy.expected !== undefined && run.pageComplete?.state === 'unconfirmed';
}

/** Is the run the one of its ten that is checked? Follows from seed and number, from 1, alone. */
function isDrawn({ seed, turn = ALONE }: ShortEndingsOptions, index: number): boolean {
  const ten = Math.floor((index - 1) / WATCHED_ONE_IN);
  if (ten % turn.of !== turn.own) return false;
  const drawn = fmix32((fmix32(seed >>> 0) + Math.imul(ten + 1, GOLDEN)) >>> 0) / TWO_TO_32;
  return (index - 1) % WATCHED_ONE_IN === Math.floor(drawn * WATCHED_ONE_IN);
}
