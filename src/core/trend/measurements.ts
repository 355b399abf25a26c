import type { Build, ComparePagesResult, CompareResult } from '../../model/compare/comparison.ts';
import type { AuditResult, Source, TargetResult } from '../../model/result/result.ts';
import type { Measurement } from '../../model/trend.ts';
import { isCounted, isTimed } from '../counted-runs.ts';
import { defined } from '../text/defined.ts';
import { conditionsOf } from './conditions.ts';
import { pageNameOf } from './page-name.ts';

/** What of a stored result a trend reads. */
export type Stored = AuditResult | ComparePagesResult | CompareResult;

/** Where a result lies, and its report where there is one: relative to the trend's folder. */
export interface Place {
  readonly result: string;
  readonly report?: string;
}

/**
 * What a result says of each page. Of a comparison that is the candidate; its base, too, where it is known to be another
 * commit. Pages of which no run was even tried are left out.
 */
export function measurementsOf(result: Stored, place: Place): readonly Measurement[] {
  if (result.kind !== 'compare') {
    const pages = pagesOf(result.targets);
    return result.targets.flatMap((target, i) =>
      wasTried(target) ? [{ ...measurementOf(result, target, place), page: pages[i] ?? '' }] : [],
    );
  }
  if ('targets' in result) {
    const { targets, ...header } = result;
    return targets.flatMap((page) => measurementsOf({ ...header, ...page }, place));
  }
  const { base, candidate } = result;
  // What Quiesce has built has another commit in its name every time.
  const { dist } = result.settings;
  const { pages } = result.settings;
  const [path = ''] = Array.isArray(pages) && pages.length === 1 ? pages.map(String) : [];
  const page = pageNameOf(typeof dist === 'string' ? `${dist} ${path}`.trim() : candidate.target, candidate.url);
  const of = (build: Build, target: TargetResult): Measurement => ({
    ...measurementOf(result, target, place),
    page,
    build,
  });
  const { source } = base;
  const isOther = source !== undefined && source.commit !== sourceOf(result, candidate)?.commit;
  return [
    ...(isOther && wasTried(base) ? [{ ...of('base', base), source }] : []),
    ...(wasTried(candidate) ? [of('candidate', candidate)] : []),
  ];
}

/**
 * The page of each target. A step is a page of its own; what was loaded twice is told apart by its conditions, or else by
 * what the user calls it.
 */
function pagesOf(targets: readonly TargetResult[]): readonly string[] {
  const pages = targets.map(({ target, url, step }) => {
    const page = pageNameOf(target, url);
    return step === undefined ? page : `${page} › ${step}`;
  });
  return pages.map((page, i) => {
    const same = targets.filter((_, k) => pages[k] === page);
    const { conditions, name } = targets[i] ?? {};
    const isOther = new Set(same.map((each) => each.conditions?.sentence)).size > 1;
    const apart = isOther ? conditions?.sentence : name;
    return same.length === 1 || apart === undefined ? page : `${page} (${apart})`;
  });
}

function sourceOf(result: Stored, target: TargetResult): Source | undefined {
  return target.source ?? result.source;
}

function wasTried({ runs }: TargetResult): boolean {
  return runs.some(isTimed) || failedOf(runs) > 0;
}

/** Timed runs that could not be measured. A page that does not even load untimed is not tried further: then those. */
function failedOf(runs: TargetResult['runs']): number {
  const tried = runs.some(isTimed) ? runs.filter(isTimed) : runs;
  return tried.filter(({ ok }) => !ok).length;
}

function measurementOf(result: Stored, measured: TargetResult, place: Place): Omit<Measurement, 'page'> {
  const { target, url, title, runs } = measured;
  const source = sourceOf(result, measured);
  return {
    at: result.startedAt,
    target,
    url,
    ...(title !== undefined && title !== '' && { title }),
    source,
    ...(measured.conditions && { under: measured.conditions.sentence }),
    conditions: conditionsOf(result, runs.filter(isCounted), measured.conditions),
    runs: runs.filter(isCounted).map(({ metrics }) => metrics ?? {}),
    ...defined({ ownMetrics: measured.ownMetrics }),
    failed: failedOf(runs),
    ...place,
  };
}
