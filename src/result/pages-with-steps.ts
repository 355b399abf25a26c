import type { AuditReport, TargetReport, WholeTarget } from '../model/result/report.ts';
import type { TargetResult } from '../model/result/result.ts';

/** Where the pages lie that have files of their own. */
export const PAGES_FOLDER = 'pages';

/** A target with its place in the result. */
export interface Ranked {
  readonly target: TargetReport;
  readonly index: number;
}

/** A page with the steps that were measured after its load, in their order. */
export interface PageWithSteps {
  readonly page: Ranked;
  readonly steps: readonly Ranked[];
}

const isStep = ({ target }: Ranked): boolean => target.result.step !== undefined;

/** Pages in the order of the result; a step belongs to the page before it that has its address. */
export function pagesWithSteps(targets: readonly TargetReport[]): readonly PageWithSteps[] {
  const pages: { page: Ranked; steps: Ranked[] }[] = [];
  targets.forEach((target, index) => {
    const ranked = { target, index };
    const before = pages.at(-1);
    if (isStep(ranked) && before && !isStep(before.page) && before.page.target.result.url === target.result.url) {
      before.steps.push(ranked);
    } else pages.push({ page: ranked, steps: [] });
  });
  return pages;
}

/** What a target is called: by the user, by itself, by its address. */
export function nameOf({ step, name, title, target }: TargetResult): string {
  return step === undefined ? (name ?? (title || target)) : `then: ${step}`;
}

/**
 * What a target is called where nothing stands above it: by the user, or as it was typed. A step is called with its page, which
 * its own name has where the user has named that.
 */
export function fullNameOf({ step, name, target }: Pick<TargetResult, 'step' | 'name' | 'target'>): string {
  return step !== undefined && name === step ? `${target} › ${step}` : (name ?? target);
}

/** What was typed for a page, where its address does not say it: a folder, which was served for the time being. */
export function typedOf({ target, url }: Pick<TargetResult, 'target' | 'url'>): string | undefined {
  return target === '' || url.endsWith(target) || url.endsWith(`${target}/`) ? undefined : target;
}

/** The targets of a report that holds them whole. */
export function wholeIn({ targets }: Pick<AuditReport, 'targets'>): WholeTarget {
  return (index) => {
    const target = targets[index];
    if (target === undefined) throw new RangeError(`there is no target ${index}`);
    return target;
  };
}
