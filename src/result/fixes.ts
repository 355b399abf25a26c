import { isCompleteRun, isCounted } from '../core/counted-runs.ts';
import { defined } from '../core/defined.ts';
import { median } from '../core/median.ts';
import type { LighthouseOpportunity } from '../model/lighthouse.ts';
import type { TargetReport } from '../model/report.ts';
import type { Finding } from '../model/result.ts';
import { isSameAdvice } from './lighthouse-advice.ts';
import { placeOf } from './place.ts';

/** A finding that says what can be fixed, and how much sooner page complete would be, ms. */
export type FixFinding = Finding & {
  readonly savesMs: number;
  /** What Lighthouse says of the same. */
  readonly lighthouse?: LighthouseOpportunity;
};

/**
 * What can be fixed about a page, as the run words it that stands for it, the largest saving first: the critical path that a
 * report shows is that run's too. What most runs do not show is chance (a server that was slow once), so it is left out, and
 * the saving is the median of all runs.
 */
export function fixesOf({ representative, result }: TargetReport): readonly FixFinding[] {
  const runs = result.runs.filter((run) => isCounted(run) && isCompleteRun(run));
  const fixes = (representative?.findings ?? []).filter(isFix).flatMap((fix): readonly FixFinding[] => {
    const found = runs.map(({ findings }) => findings?.filter(isFix).find((each) => isSameFix(each, fix)));
    const shown = found.filter((each) => each !== undefined).length;
    if (runs.length === 0) return [fix];
    return shown * 2 < runs.length ? [] : [{ ...fix, savesMs: median(found.map((each) => each?.savesMs ?? 0)) }];
  });
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
export function isFix<T extends Pick<Finding, 'savesMs'>>(finding: T): finding is T & { readonly savesMs: number } {
  return finding.savesMs !== undefined;
}

/** Whether two runs show the same to be fixed: of the same file, or of files without any. Parameters may differ from load to load. */
function isSameFix(a: FixFinding, b: FixFinding): boolean {
  if (a.code !== b.code) return false;
  const places = new Set(a.urls.map(placeOf));
  return a.urls.length + b.urls.length === 0 || b.urls.some((url) => places.has(placeOf(url)));
}
