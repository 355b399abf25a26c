import { table } from '../support/table.ts';
import { type Guess, type Measured, RAW_WINDOWS } from './jobs.ts';
import { OTHERS } from './others.ts';
import { GOAL_MS } from './score.ts';

/** How often a tool was right, and how it was wrong. */
interface Standing {
  readonly loads: number;
  readonly right: number;
  readonly early: number;
  readonly late: number;
  /** It waited to its limit, or could not say. */
  readonly never: number;
}

/** One row a tool: how many loads it called complete within the goal of the truth, too early, too late, or not at all. */
export function standings(measured: readonly Measured[]): string {
  const rows: readonly (readonly [string, readonly (Guess | undefined)[]])[] = [
    ['Quiesce', measured.map(({ score }) => score.errorThatCounts ?? 'never')],
    ...RAW_WINDOWS.map(
      (window) => [`quiet for ${window / 1000} s`, measured.map(({ raw }) => raw[String(window)])] as const,
    ),
    ...OTHERS.map((tool) => [tool, measured.map(({ others }) => others[tool]?.guess)] as const),
  ];
  return table(
    ['tool', 'loads', `within ${GOAL_MS} ms`, 'too early', 'too late', 'never'],
    rows
      .map(([name, guesses]) => [name, standing(guesses)] as const)
      .filter(([, { loads }]) => loads > 0)
      .map(([name, { loads, right, early, late, never }]) => [
        name,
        String(loads),
        `${right} (${Math.round((right / loads) * 100)} %)`,
        String(early),
        String(late),
        String(never),
      ]),
  );
}

function standing(guesses: readonly (Guess | undefined)[]): Standing {
  const known = guesses.filter((guess) => guess !== undefined && guess !== 'no truth' && guess !== 'failed');
  const errors = known.filter((guess) => typeof guess === 'number');
  return {
    loads: known.length,
    right: errors.filter((error) => Math.abs(error) <= GOAL_MS).length,
    early: errors.filter((error) => error < -GOAL_MS).length,
    late: errors.filter((error) => error > GOAL_MS).length,
    never: known.length - errors.length,
  };
}
