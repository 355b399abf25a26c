/** What the corpus says of the rules: figures of each page, and sums over many. */
import { createHash } from 'node:crypto';
import { readCorpus } from '../../fixtures/corpus-file.ts';
import { matches } from '../../fixtures/load.ts';
import { type Expected, loadScenario } from '../../fixtures/scenario.ts';
import type { Certainty } from '../../src/model/result/result.ts';
import { compareFlags, GOAL_MS, impactsOff } from '../accuracy/score.ts';
import type { Judged, JudgedRecording } from './judge.ts';

/** What is said of one timed load, against what is true. */
export interface LoadFigures {
  readonly state: Judged['state'];
  /** Against the truth, ms; later is positive. Absent where there is no answer, or no truth. */
  readonly error?: number;
  /** How sure it is, where it is not proved. */
  readonly doubt?: Exclude<Certainty, 'proved'>;
  /** Expected flags that are there. */
  readonly flags: number;
  /** What is flagged and should not be, each as kind and path. */
  readonly wrong?: readonly string[];
  readonly missed?: readonly string[];
  /** What endpoints are said to do to the picture, where that is not what they do. */
  readonly impacts?: readonly string[];
}

/** The figures of a page: for each machine, its timed loads. */
export type PageFigures = readonly (readonly LoadFigures[])[];

/** Sums over loads. */
export interface Sums {
  readonly pages: number;
  readonly loads: number;
  /** Right state, and within the goal. */
  readonly right: number;
  readonly early: number;
  readonly late: number;
  /** No answer where there is one, or one where there is none. */
  readonly unconfirmed: number;
  readonly flags: number;
  readonly flagsRight: number;
  readonly flagsWrong: number;
  /** Flagged, and needed by the page. */
  readonly contentFlagged: number;
}

/** Pages of each kind that are put aside: the table counts them, and nobody looks at them singly. */
const ASIDE = { pages: 40, applications: 10 } as const;

/** The pages that no rule is tuned for, chosen by a hash of their names. */
export function putAside(names: readonly string[]): ReadonlySet<string> {
  const chosen = (some: readonly string[], count: number): readonly string[] =>
    some
      .map((name) => ({ name, rank: createHash('sha256').update(`aside ${name}`).digest('hex') }))
      .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
      .slice(0, count)
      .map(({ name }) => name);
  return new Set([
    ...chosen(
      names.filter((name) => !isApplication(name)),
      ASIDE.pages,
    ),
    ...chosen(names.filter(isApplication), ASIDE.applications),
  ]);
}

/** Real applications are named like this in the corpus. */
export const APPLICATION = 'app-';
export const isApplication = (name: string): boolean => name.startsWith(APPLICATION);

/** What is expected of a page; of an application, what was said of it when it was recorded. */
export async function expectedOf(name: string): Promise<Expected> {
  const { expected } = await loadScenario(name);
  return expected ?? { complete: true, drawn: true, needed: [], background: readCorpus(name).reference ?? [] };
}

/** The figures of a page. */
export function figuresOf(judged: readonly JudgedRecording[], expected: Expected): PageFigures {
  return judged.map(({ timed }) => timed.map((load) => figuresOfLoad(load, expected)));
}

function figuresOfLoad({ state, at, networkAt, truth, doubt, flagged }: Judged, expected: Expected): LoadFigures {
  const { right, wrong, missed } = compareFlags(flagged, flagged, expected);
  const said = expected.drawn ? at : networkAt;
  const impacts = impactsOff(flagged, expected);
  return {
    state,
    ...(said !== undefined && truth !== undefined && { error: Math.round(said - truth) }),
    ...(doubt !== undefined && doubt !== 'proved' && { doubt }),
    flags: right,
    ...(wrong.length > 0 && { wrong }),
    ...(missed.length > 0 && { missed }),
    ...(impacts.length > 0 && { impacts }),
  };
}

/** Sums over some pages. */
export function sumsOf(pages: readonly { readonly figures: PageFigures; readonly expected: Expected }[]): Sums {
  const loads = pages.flatMap(({ figures, expected }) => figures.flat().map((load) => ({ load, expected })));
  const count = (is: (load: LoadFigures, expected: Expected) => boolean): number =>
    loads.filter(({ load, expected }) => is(load, expected)).length;
  const sum = (of: (load: LoadFigures, expected: Expected) => number): number =>
    loads.reduce((total, { load, expected }) => total + of(load, expected), 0);
  return {
    pages: pages.length,
    loads: loads.length,
    right: count(isRight),
    early: count(({ state, error = 0 }) => state === 'complete' && error < -GOAL_MS),
    late: count(({ state, error = 0 }, { complete }) => state === 'complete' && complete && error > GOAL_MS),
    unconfirmed: count(({ state }, { complete }) => state !== (complete ? 'complete' : 'never')),
    flags: sum((_, { background }) => background.filter(({ optional }) => !optional).length),
    flagsRight: sum(({ flags }) => flags),
    flagsWrong: sum(({ wrong = [] }) => wrong.length),
    contentFlagged: sum(
      ({ wrong = [] }, { needed }) =>
        wrong.filter((each) => needed.some((path) => matches(each.slice(each.indexOf(' ') + 1), path))).length,
    ),
  };
}

/** The right state, and within the goal where there is an answer. */
export function isRight({ state, error }: LoadFigures, { complete }: Expected): boolean {
  if (state !== (complete ? 'complete' : 'never')) return false;
  return !complete || (error !== undefined && Math.abs(error) <= GOAL_MS);
}
