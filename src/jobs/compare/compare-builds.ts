import { BUILDS } from '../../model/compare/build.ts';
import type { ResolvedCompare } from '../../settings/resolved.ts';
import { openScript } from '../engine/script.ts';
import { type CompareOutcome, compare } from './compare.ts';
import { type ComparePagesHooks, type ComparePagesOutcome, comparePages } from './compare-pages.ts';

/** Compares two builds that are one page each, or several pages of them, or a page and the steps that a script does after it. */
export async function compareBuilds(
  settings: ResolvedCompare,
  hooks: ComparePagesHooks = {},
): Promise<CompareOutcome | ComparePagesOutcome> {
  return settings.pages !== undefined || (await hasSteps(settings))
    ? comparePages(settings, hooks)
    : compare(settings, hooks);
}

async function hasSteps({ sides, design }: ResolvedCompare): Promise<boolean> {
  const scripts = await Promise.all(BUILDS.map((build) => openScript(sides[build].script)));
  return scripts.some((script) => script?.measures) || design.gates.some(({ step }) => step !== undefined);
}
