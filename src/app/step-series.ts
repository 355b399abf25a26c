import { keyOf } from '../core/background/learn.ts';
import { slugOf, uniqueSlugs } from '../core/slug.ts';
import type { Waterfall } from '../model/report.ts';
import type { RunResult, TargetResult } from '../model/result.ts';
import type { Learnt } from '../model/verdict.ts';
import type { Spill, Spilled } from '../shell/spill.ts';
import type { AuditedTarget } from './audited-target.ts';
import { type FinishedRun, finishRun, type LoadedRun } from './run.ts';
import { type KeptRun, keptRun, settleRuns } from './settle-runs.ts';
import { targetOf } from './target-result.ts';

/** What the steps of a page are kept with. */
export interface SeriesSurroundings {
  readonly spill: Spill;
  /** What the results of its steps have in common. */
  readonly page: Pick<TargetResult, 'target' | 'name' | 'url' | 'conditions' | 'source'>;
  /** Draw the waterfall of every run, or only of the one that stands for the step. */
  readonly allWaterfalls: boolean;
  /** Writes the HAR of a step; `slug` is its name for files. */
  writeHar(done: FinishedRun, slug: string): Promise<FinishedRun>;
  told(step: string, run: RunResult): void;
  /** Called after every run with what is new: the target as if it had no other runs. */
  keep(target: TargetResult): Promise<void>;
}

/** The steps that a script does after the loads of one page: each becomes a target of its own. */
export interface StepSeries {
  /** Takes the steps of a load, if it has any. */
  add(loaded: LoadedRun): Promise<void>;
  targets(): readonly AuditedTarget[];
  /** Once there are no more runs: makes them agree on what is background, and draws the waterfalls. */
  settle(): Promise<void>;
}

interface Series {
  readonly step: string;
  kept: readonly KeptRun[];
  /** What the loads taught about the page's background, over all runs. */
  carried: readonly Learnt[];
  shown: Pick<TargetResult, 'title' | 'finalUrl'>;
  waterfalls?: Spilled<readonly Waterfall[]>;
}

/** The steps of one page, in the order in which they first came. */
export function createStepSeries({ page, ...surroundings }: SeriesSurroundings): StepSeries {
  const all = new Map<string, Series>();
  const of = (step: string): Series => {
    const known = all.get(step);
    if (known) return known;
    const series: Series = { step, kept: [], carried: [], shown: {} };
    all.set(step, series);
    return series;
  };
  // Two names may be alike as file names; those before keep theirs.
  const slugFor = (step: string): string =>
    uniqueSlugs([...all.keys()].map((each) => slugOf(each) || 'step'))[[...all.keys()].indexOf(step)] ?? 'step';
  const write = (done: FinishedRun, step: string): Promise<FinishedRun> => surroundings.writeHar(done, slugFor(step));
  const resultOf = ({ step, shown }: Series, runs: readonly RunResult[]): TargetResult =>
    targetOf({
      ...page,
      name: page.name === undefined ? step : `${page.name} › ${step}`,
      step,
      ...shown,
      runs,
    });

  return {
    async add({ index, role, outcome }) {
      if (!outcome.ok) return;
      for (const { name, policy, outcome: recorded } of outcome.steps ?? []) {
        const series = of(name);
        const loaded: LoadedRun = {
          index,
          // What untimed runs do beside proving is to warm up.
          role: role === 'timed' ? 'timed' : 'discarded',
          policy,
          outcome: recorded,
          attempts: 1,
        };
        const done = await write(finishRun(loaded, policy.learnt ?? []), name);
        const { title, finalUrl } = done.visit?.recording.page ?? {};
        if (title !== undefined && finalUrl !== undefined) series.shown = { title, finalUrl };
        series.carried = joined(series.carried, policy.learnt ?? []);
        series.kept = [...series.kept, keptRun(done.run, await surroundings.spill.put(loaded))];
        surroundings.told(name, done.run);
        await surroundings.keep(resultOf(series, [done.run]));
      }
    },
    targets: () =>
      [...all.values()].map((series) => ({
        result: () =>
          resultOf(
            series,
            series.kept.map(({ run }) => run.unpack()),
          ),
        drawn: async () => ({ waterfalls: (await series.waterfalls?.read()) ?? [], thumbnails: {} }),
      })),
    async settle() {
      for (const series of all.values()) {
        const settled = await settleRuns(series.kept, series.carried, {
          ...surroundings,
          write: (done) => write(done, series.step),
        });
        Object.assign(series, settled);
      }
    },
  };
}

/** Lessons of both, each once; the first to say something about an endpoint stands. */
function joined(lessons: readonly Learnt[], more: readonly Learnt[]): readonly Learnt[] {
  const known = new Set(lessons.map(({ endpoint, fixed }) => keyOf(endpoint, fixed)));
  return [...lessons, ...more.filter(({ endpoint, fixed }) => !known.has(keyOf(endpoint, fixed)))];
}
