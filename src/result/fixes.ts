import { isCompleteRun, isCounted } from '../core/counted-runs.ts';
import { aboutOf } from '../core/fixes/about.ts';
import { WORTH_MS } from '../core/fixes/fix.ts';
import { defined } from '../core/text/defined.ts';
import { median } from '../core/time/median.ts';
import type { FixAbout } from '../model/fixes.ts';
import type { LighthouseOpportunity } from '../model/lighthouse/lighthouse.ts';
import type { TargetReport } from '../model/result/report.ts';
import type { Finding, TargetFix, TargetResult } from '../model/result/result.ts';
import type { Bytes } from '../model/units.ts';
import { isSameAdvice } from './lighthouse-advice.ts';
import { placeOf } from './place.ts';

/** A finding that says what can be fixed, and how much sooner page complete would be, ms. */
export type FixFinding = Finding & {
  readonly savesMs: number;
  /** What Lighthouse says of the same. */
  readonly lighthouse?: LighthouseOpportunity;
};

/** A problem with its best fix, and what else would help against it, the best first. */
export type Problem = FixFinding & FixAbout & { readonly alternatives: readonly FixFinding[] };

/**
 * What can be fixed about a page, as the run words it that stands for it, the largest saving of time first, then of bytes: the critical path that a
 * report shows is that run's too. What most runs do not show is chance (a server that was slow once), so it is left out, and
 * the saving is the median of all runs. Fixes of one file, or of one third party, are one problem.
 */
export function fixesOf(target: FixedTarget): readonly Problem[] {
  const pageUrl = target.result.finalUrl ?? target.result.url;
  const fixes = agreedFixes(target).map((fix) => ({ ...fix, ...aboutOf(fix.code, fix.urls, pageUrl) }));
  // Several files are several problems; which of them a fix of one file is about is not known.
  const problems = Map.groupBy(fixes, (fix) =>
    fix.about === undefined || (fix.who !== 'third-party' && fix.urls.length > 1) ? fix : fix.about,
  );
  return [...problems.values()].flatMap(([best, ...others]): readonly Problem[] =>
    best === undefined ? [] : [{ ...best, alternatives: others.map(({ about: _, who: __, ...fix }) => fix) }],
  );
}

/** The same as a result holds them; undefined where nothing was found. */
export function targetFixes(target: FixedTarget): readonly TargetFix[] | undefined {
  const kept = ({ code, message, urls, savesMs }: FixFinding) => ({ code, savesMs, message, urls });
  const fixes = fixesOf(target).map(({ alternatives, about, who, ...best }) => ({
    ...kept(best),
    who,
    ...defined({ about }),
    alternatives: alternatives.map(kept),
  }));
  return fixes.length === 0 ? undefined : fixes;
}

/** What is read of a target. */
interface FixedTarget {
  readonly representative?: TargetReport['representative'] | undefined;
  readonly result: Pick<TargetResult, 'runs' | 'url' | 'finalUrl' | 'lighthouse'>;
}

function agreedFixes({ representative, result }: FixedTarget): readonly FixFinding[] {
  const runs = result.runs.filter((run) => isCounted(run) && isCompleteRun(run));
  const fixes = (representative?.findings ?? []).filter(isFix).flatMap((fix): readonly FixFinding[] => {
    const found = runs.map(({ findings }) => findings?.filter(isFix).find((each) => isSameFix(each, fix)));
    const shown = found.filter((each) => each !== undefined).length;
    if (runs.length === 0) return [fix];
    return shown * 2 < runs.length ? [] : [{ ...fix, savesMs: median(found.map((each) => each?.savesMs ?? 0)) }];
  });
  const advice = result.lighthouse?.opportunities ?? [];
  return fixes
    .toSorted((a, b) => b.savesMs - a.savesMs || savedBytesOf(b) - savedBytesOf(a))
    .map((fix) => ({ ...fix, ...defined({ lighthouse: advice.find((each) => isSameAdvice(each, fix.code)) }) }));
}

/** From so many bytes on, less to send is worth a change, also where the page is complete no sooner. */
const WORTH_BYTES = 100_000;

/** Does it save time, or much to send? */
export function isWorthwhile(fix: FixFinding): boolean {
  return fix.savesMs >= WORTH_MS || savedBytesOf(fix) >= WORTH_BYTES;
}

/** The fixes that save time, or much to send. */
export function worthwhileFixes(target: FixedTarget): readonly Problem[] {
  return fixesOf(target).filter(isWorthwhile);
}

/** How many bytes less would be sent; 0 where that is not what it saves. */
export function savedBytesOf({ facts }: Pick<Finding, 'facts'>): Bytes {
  if (facts === undefined) return 0;
  if ('savesBytes' in facts) return facts.savesBytes;
  return 'unusedTransfer' in facts ? (facts.unusedTransfer ?? 0) : 0;
}

/** What of Lighthouse's advice no fix of ours says. */
export function otherAdvice(target: FixedTarget): readonly LighthouseOpportunity[] {
  const fixes = agreedFixes(target);
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
