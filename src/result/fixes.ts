import { defined } from '../core/defined.ts';
import type { LighthouseOpportunity } from '../model/lighthouse.ts';
import type { TargetReport } from '../model/report.ts';
import type { Finding } from '../model/result.ts';
import { isSameAdvice } from './lighthouse-advice.ts';

/** A finding that says what can be fixed, and how much sooner page complete would be, ms. */
export type FixFinding = Finding & {
  readonly savesMs: number;
  /** What Lighthouse says of the same. */
  readonly lighthouse?: LighthouseOpportunity;
};

/**
 * What can be fixed about a page, as the run shows it that stands for it, the largest saving first: the critical path that a
 * report shows is that run's too.
 */
export function fixesOf({ representative, result }: TargetReport): readonly FixFinding[] {
  const fixes = (representative?.findings ?? []).filter((finding): finding is FixFinding => isFix(finding));
  const advice = result.lighthouse?.opportunities ?? [];
  return fixes
    .toSorted((a, b) => b.savesMs - a.savesMs)
    .map((fix) => ({ ...fix, ...defined({ lighthouse: advice.find((each) => isSameAdvice(each, fix.code)) }) }));
}

/** What of Lighthouse's advice no fix of ours says. */
export function otherAdvice(target: TargetReport): readonly LighthouseOpportunity[] {
  const fixes = fixesOf(target);
  const advice = target.result.lighthouse?.opportunities ?? [];
  return advice.filter((each) => fixes.every(({ code }) => !isSameAdvice(each, code)));
}

/** Whether a finding says what can be fixed. */
export function isFix({ savesMs }: Pick<Finding, 'savesMs'>): boolean {
  return savesMs !== undefined;
}
