/** How one audited load compares with the truth and with what was expected. */
import { matches } from '../../fixtures/load.ts';
import type { Expected, ExpectedFinding } from '../../fixtures/scenario.ts';
import { KINDS } from '../../src/model/background/kinds.ts';
import type { BackgroundEndpoint, RunResult } from '../../src/model/result/result.ts';

/** How close the answer must be, ms. Source: the goal in docs. */
export const GOAL_MS = 100;

/** Flags compared by kind and path: what was expected and found, found but not expected, expected but not found. */
export interface Flags {
  readonly expected: number;
  readonly right: number;
  readonly wrong: readonly string[];
  readonly missed: readonly string[];
}

/** One thing that was flagged. */
export type Flagged = Pick<BackgroundEndpoint, 'kind' | 'urls'>;

/** What Quiesce made of one load. Errors are milliseconds, later is positive. */
export interface Score {
  readonly state: 'complete' | 'unconfirmed' | 'never' | 'failed';
  readonly stateIsRight: boolean;
  /** When the last needed answer was out at the server, ms since navigation start. */
  readonly truth?: number;
  readonly networkAt?: number;
  readonly networkError?: number;
  /** What the goal is about: `error` where the page draws the last of it itself, else `networkError`. */
  readonly errorThatCounts?: number;
  readonly at?: number;
  readonly error?: number;
  readonly observedUntil?: number;
  readonly flags: Flags;
  /** Judgements beside the goal: what endpoints do to the picture, and the findings. One clause for each that is off. */
  readonly asides: readonly string[];
}

/**
 * Scores a timed run. `truth` is absent when something that the page needs was never given.
 *
 * @param runs all runs of the audit: a load that ended early has not seen what the page asks for later; whole ones have
 */
export function scoreRun(
  run: RunResult | undefined,
  runs: readonly RunResult[],
  expected: Expected,
  truth: number | undefined,
): Score {
  const answer = run?.ok ? run.pageComplete : undefined;
  const state = answer?.state ?? 'failed';
  const flags = scoreFlags(run, runs, expected);
  const counts = expected.drawn ? answer?.at : answer?.networkAt;
  return {
    state,
    stateIsRight: expected.complete ? state === 'complete' : state === 'never',
    ...(truth !== undefined && { truth }),
    ...(answer?.networkAt !== undefined && { networkAt: answer.networkAt }),
    ...(answer?.at !== undefined && { at: answer.at }),
    ...(answer && { observedUntil: answer.observedUntil }),
    ...(answer?.networkAt !== undefined && truth !== undefined && { networkError: answer.networkAt - truth }),
    ...(answer?.at !== undefined && truth !== undefined && { error: answer.at - truth }),
    ...(counts !== undefined && truth !== undefined && { errorThatCounts: counts - truth }),
    flags,
    asides: [...impactsOff(run?.background ?? [], expected), ...findingsOff(run, expected)],
  };
}

/** Is the answer within the goal, with every flag right? */
export function meetsGoal({ stateIsRight, errorThatCounts, flags }: Score, expected: Expected): boolean {
  const isClose = errorThatCounts !== undefined && Math.abs(errorThatCounts) <= GOAL_MS;
  return stateIsRight && (isClose || !expected.complete) && flags.wrong.length === 0 && flags.missed.length === 0;
}

function scoreFlags(run: RunResult | undefined, runs: readonly RunResult[], expected: Expected): Flags {
  const flagged = flaggedIn(run);
  const isShort = run?.pageComplete?.decidedBy === 'expected-content';
  return compareFlags(flagged, isShort ? [run, ...runs.filter(isWhole)].flatMap(flaggedIn) : flagged, expected);
}

/** What is flagged of a load, compared with what should be; `seen` is what was flagged in any load that counts for it. */
export function compareFlags(flagged: readonly Flagged[], seen: readonly Flagged[], expected: Expected): Flags {
  const isFlag = ({ kind, urls }: Flagged, { kind: wanted, or, path }: Expected['background'][number]): boolean =>
    (kind === wanted || kind === or) && urls.some((url) => matches(pathOf(url), path));
  const due = expected.background.filter(({ optional }) => !optional);
  const missed = due.filter((flag) => !seen.some((each) => isFlag(each, flag)));
  // What the browser asks for by itself depends on the browser, not on the page.
  const ofPage = flagged.filter(({ kind }) => !KINDS[kind].ofBrowser);
  // Several endpoints may be one row. With marks the page itself says when it had drawn what it needs.
  const each = ofPage.flatMap((row) => row.urls.map((url) => ({ ...row, urls: [url] })));
  const wrong = each.filter(
    (one) =>
      !one.urls.every((url) => /^\/[^/]+\/mark\//.test(pathOf(url))) &&
      !expected.background.some((flag) => isFlag(one, flag)),
  );
  return {
    expected: due.length,
    right: due.length - missed.length,
    wrong: [...new Set(wrong.map(({ kind, urls }) => `${kind} ${urls.map(pathOf).join()}`))],
    missed: missed.map(({ kind, path }) => `${kind} ${path}`),
  };
}

const flaggedIn = (run: RunResult | undefined): readonly BackgroundEndpoint[] =>
  (run?.background ?? []).filter(({ excluded }) => excluded);
const isWhole = ({ role, pageComplete }: RunResult): boolean =>
  role !== 'ablation' && pageComplete?.decidedBy !== 'expected-content';

/** What endpoints are said to do to the picture, where that is not what they do. */
export function impactsOff(
  background: readonly Pick<BackgroundEndpoint, 'urls' | 'visualImpact'>[],
  { impact = {} }: Expected,
): readonly string[] {
  return Object.entries(impact).flatMap(([path, wanted]) => {
    const found = background.find(({ urls }) => urls.some((url) => matches(pathOf(url), path)))?.visualImpact;
    return found === wanted ? [] : [`impact of ${path}: ${found ?? 'not told'}, not ${wanted}`];
  });
}

/** The findings that scenarios speak of; others may be reported anywhere. */
const KNOWN_FINDINGS: readonly ExpectedFinding[] = ['stream-starvation', 'live-content'];

function findingsOff(run: RunResult | undefined, { findings }: Expected): readonly string[] {
  if (!findings) return [];
  const found = new Set<string>((run?.findings ?? []).map(({ code }) => code));
  return KNOWN_FINDINGS.flatMap((code) => {
    const isWanted = findings.includes(code);
    if (isWanted === found.has(code)) return [];
    return [`finding ${code}: ${isWanted ? 'not reported' : 'reported, not expected'}`];
  });
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
