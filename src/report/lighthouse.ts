import { defined } from '../core/text/defined.ts';
import type { LighthouseComparison, LighthouseResult } from '../model/lighthouse/lighthouse.ts';
import type { MetricColumn } from '../model/result/report.ts';
import type { Unit } from '../model/units.ts';
import { ABSENT, formatCount, formatValue } from '../wording/text/format.ts';
import { findingTitle } from '../wording/text/words.ts';

/** From here on a score is good, and from here on not poor. Source: Lighthouse, report/renderer/report-utils.js, RATINGS. */
const GOOD = 0.9;
const NOT_POOR = 0.5;

/** What a score is called, with Lighthouse's own sign for it, so that none is told by its colour alone. */
export interface ScoreLook {
  readonly tone: 'better' | 'unsure' | 'worse';
  readonly sign: string;
  readonly word: string;
}

/** How a score of 0 to 1 is dressed. */
export function scoreLook(score: number): ScoreLook {
  if (score >= GOOD) return { tone: 'better', sign: '●', word: 'good' };
  if (score >= NOT_POOR) return { tone: 'unsure', sign: '■', word: 'needs improvement' };
  return { tone: 'worse', sign: '▲', word: 'poor' };
}

/** A score of 0 to 1 as Lighthouse writes it: "94". */
export function scoreText(score: number | undefined): string {
  return score === undefined ? ABSENT : formatValue(Math.round(score * 100), 'count');
}

/** A category in words: "Best practices", "SEO". */
export function categoryTitle(name: string): string {
  return name === 'seo' ? 'SEO' : findingTitle(name);
}

/** Its metrics that Quiesce has no column for. */
const METRICS: ReadonlyMap<string, string> = new Map([['speedIndex', 'Speed index']]);

/** One of Lighthouse's metrics in words. */
export function lighthouseMetricTitle(name: string, columns: readonly MetricColumn[]): string {
  return columns.find((column) => column.name === name)?.title ?? METRICS.get(name) ?? name;
}

/** "Lighthouse 13.5.0". */
export function lighthouseName({ version }: Pick<LighthouseResult, 'version'>): string {
  return version === undefined ? 'Lighthouse' : `Lighthouse ${version}`;
}

/** Why runs of it failed, each reason once with the number of runs where not all did. */
export function lighthouseFailures({ runs }: Pick<LighthouseResult, 'runs'>): readonly string[] {
  const reasons = runs.flatMap(({ ok, failure }) => (ok ? [] : [failure?.message ?? 'No reason was given.']));
  return [...new Set(reasons)].map((reason) => {
    const many = reasons.filter((each) => each === reason).length;
    return runs.length === 1 ? reason : `${formatCount(many, 'run')} of ${runs.length}: ${reason}`;
  });
}

/** What it warns of, each once. */
export function lighthouseWarnings({ runs }: Pick<LighthouseResult, 'runs'>): readonly string[] {
  return [...new Set(runs.flatMap(({ warnings }) => warnings))];
}

/** One of Lighthouse's figures in two builds, as a reader knows it: scores of categories from 0 to 100. */
export interface ShownLighthouse {
  readonly title: string;
  readonly unit: Unit;
  readonly base?: number;
  readonly candidate?: number;
  readonly difference?: { readonly absolute: number; readonly low?: number; readonly high?: number };
  readonly level?: number;
}

/** Every figure with its title; layout shift is a score that is no category. */
export function shownLighthouse(
  comparisons: readonly LighthouseComparison[],
  columns: readonly MetricColumn[],
): readonly ShownLighthouse[] {
  return comparisons.map(({ name: whole, unit, base, candidate, difference, low, high, level }) => {
    const name = whole.replace(/^lighthouse:/, '');
    const isCategory = unit === 'score' && columns.every((column) => column.name !== name);
    const scaled = (value: number): number => (isCategory ? value * 100 : value);
    return defined({
      title: isCategory ? categoryTitle(name) : lighthouseMetricTitle(name, columns),
      unit: isCategory ? 'count' : unit,
      ...(base !== undefined && { base: scaled(base) }),
      ...(candidate !== undefined && { candidate: scaled(candidate) }),
      ...(difference !== undefined && {
        difference: {
          absolute: scaled(difference),
          ...(low !== undefined && { low: scaled(low) }),
          ...(high !== undefined && { high: scaled(high) }),
        },
      }),
      level,
    });
  });
}
