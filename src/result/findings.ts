import { isTimed } from '../core/counted-runs.ts';
import { withoutFigures } from '../core/requests/address-parts.ts';
import type { FindingFacts } from '../model/result/finding.ts';
import type { TargetReport } from '../model/result/report.ts';
import type { Finding, RunResult, RunRole, TargetResult } from '../model/result/result.ts';
import { isFix } from './fixes.ts';
import { placeOf } from './place.ts';
import { answerOf } from './representative.ts';

/** A finding with the runs that show it. */
export interface SharedFinding {
  readonly code: string;
  readonly message: string;
  /** The addresses and figures of the run that words it. */
  readonly urls: readonly string[];
  /** What fixing it saves, ms; absent of what is no fix. */
  readonly savesMs?: number;
  readonly facts?: FindingFacts;
  /** The timed runs that show it, by index. */
  readonly runs: readonly number[];
  /** The roles of the untimed runs that show it. */
  readonly untimed: readonly RunRole[];
}

/** The code of the finding that a page came from a server that it is developed with. */
const DEVELOPMENT_SERVER = 'development-server';

/** The code of findings that say what the answer would have needed and the recording does not hold. */
const EVIDENCE_MISSING = 'evidence-missing';

/** What an answer that is not given would have needed: nothing of a target whose answer is known. */
export function missingEvidence(target: TargetReport): readonly string[] {
  if (answerOf(target)?.state === 'complete') return [];
  return findingsOf(target).flatMap(({ code, message }) => (code === EVIDENCE_MISSING ? [message] : []));
}

/** What a step did to the page, and what was measured: nothing is wrong with that. Source: browser/record/step.ts. */
const NOTED: ReadonlySet<string> = new Set(['soft-navigation', 'hard-navigation', DEVELOPMENT_SERVER]);

/** Whether the page came from a server that it is developed with. */
export function isDevelopment({ runs }: Pick<TargetResult, 'runs'>): boolean {
  return runs.some(({ findings = [] }) => findings.some(({ code }) => code === DEVELOPMENT_SERVER));
}

/** Notes about a target, one sentence each; of a step also where it led, of a development server that it is one. */
export function notesOf(target: TargetReport): readonly string[] {
  const noted = findingsOf(target).filter(({ code }) => NOTED.has(code));
  return [...target.notes, ...noted.map(({ message }) => message)];
}

/** The findings without those that `missingEvidence`, `notesOf` and `fixesOf` tell. */
export function otherFindings(target: TargetReport): readonly SharedFinding[] {
  const all = findingsOf(target).filter((finding) => !NOTED.has(finding.code) && !isFix(finding));
  return answerOf(target)?.state === 'complete' ? all : all.filter(({ code }) => code !== EVIDENCE_MISSING);
}

/** Two runs differ in ids and figures: what a finding is about does not change with them. */
function aboutOf({ code, urls, message, facts }: Finding): string {
  if (urls.length > 0) return JSON.stringify([code, [...new Set(urls.map(placeOf))].sort()]);
  // A result of before findings had facts says only in its message what they are about.
  const subjects = facts === undefined ? [message] : Object.values(facts).filter((fact) => typeof fact === 'string');
  return JSON.stringify([code, subjects.map(withoutFigures)]);
}

/**
 * The findings of the timed runs and of the one that filmed the page, each once. The representative run words them. Two
 * findings of one run are never taken for the same.
 */
export function findingsOf(target: TargetReport): readonly SharedFinding[] {
  const stands = (run: RunResult): number => (run.index === target.representative?.index ? 0 : 1);
  const ordered = target.result.runs.toSorted((a, b) => stands(a) - stands(b));
  const found = new Map<
    string,
    Omit<SharedFinding, 'runs' | 'untimed'> & { readonly runs: number[]; readonly untimed: RunRole[] }
  >();
  // A page with its suspects held back, and one in a browser that just began, are not the page a reader asked for.
  const seen = ordered.filter((run) => isTimed(run) || run.role === 'evidence');
  for (const run of [...seen.filter(isTimed), ...seen.filter((each) => !isTimed(each))]) {
    const occurrences = new Map<string, number>();
    for (const finding of run.findings ?? []) {
      const about = aboutOf(finding);
      const nth = occurrences.get(about) ?? 0;
      occurrences.set(about, nth + 1);
      const key = `${about} ${nth}`;
      const known = found.get(key) ?? { ...finding, urls: [...new Set(finding.urls)], runs: [], untimed: [] };
      found.set(key, known);
      if (isTimed(run)) known.runs.push(run.index);
      else if (!known.untimed.includes(run.role)) known.untimed.push(run.role);
    }
  }
  return [...found.values()].map((finding) => ({
    ...finding,
    runs: finding.runs.toSorted((a, b) => a - b),
  }));
}
