import { boundaries } from '../core/experiment/boundaries.ts';
import { shareSentence } from '../core/experiment/sentences.ts';
import { stopSentence } from '../core/experiment/stopping.ts';
import type { Build, CompareResult, Design, Look } from '../model/comparison.ts';
import type { CompareReport, TargetReport, Waterfall } from '../model/report.ts';
import type { ReportFormat } from '../model/settings.ts';
import { compareReporters } from '../report/index.ts';
import { perBuild } from './builds.ts';
import { answerOf } from './compare-answer.ts';
import { type CompareJob, countedRuns, evaluateAt, lastLook, looksUntil, resultOf } from './compare-job.ts';
import { resultHeader } from './job.ts';
import { redactorOf, withoutSecrets } from './load-options.ts';
import { COLUMNS, redactDeep, targetReport } from './report-model.ts';
import { SHARD_FILE, shardFileOf } from './shard-file.ts';

/** What reporters receive of a comparison as it stands. */
export function compareReport(job: CompareJob): CompareReport {
  const result = resultOfComparison(job);
  const sides = perBuild((build): TargetReport => {
    const report = targetReport(result[build], []);
    const waterfall = report.representative && waterfallOf(build, report.representative.index, job);
    // The representative run's alone: forty waterfalls of each build show no more than two.
    return { ...report, waterfalls: waterfall ? [waterfall] : [] };
  });
  const { base, candidate, ...rest } = redactDeep({ result, columns: COLUMNS, ...sides }, redactorOf(job.settings));
  const withPictures = (build: Build, report: TargetReport): TargetReport => ({
    ...report,
    pictures: job.sides[build]?.thumbnails ?? {},
  });
  return { ...rest, base: withPictures('base', base), candidate: withPictures('candidate', candidate) };
}

function waterfallOf(build: Build, index: number, { blocks }: CompareJob): Waterfall | undefined {
  return blocks.flatMap(({ runs }) => runs).find(({ run }) => run.build === build && run.index === index)?.waterfall;
}

function resultOfComparison(job: CompareJob): CompareResult {
  const base = resultOf('base', job);
  const candidate = resultOf('candidate', job);
  const runs = countedRuns(job);
  const pairs = runs.length / 2;
  const comparisons = pairs === 0 ? [] : evaluateAt(pairs, true, job).comparisons;
  const measured = perBuild((build) => measuredOf(build, job));
  const answer = answerOf({ base, candidate, runs, comparisons, measured });
  return {
    ...resultHeader(job.startedAt),
    kind: 'compare',
    browser: job.browser,
    settings: {
      ...withoutSecrets(job.settings),
      seed: job.plan.seed,
      looks: job.plan.looks,
      maxPairs: lastLook(job),
      gate: job.plan.gates,
    },
    ...(job.stopped === 'interrupted' && { interrupted: true }),
    ...(job.sources.candidate && { source: job.sources.candidate }),
    ...(job.share && { shard: job.share.place }),
    base,
    candidate,
    design: designOf(pairs, job),
    ...answer,
    // A share decides nothing: the others' blocks belong to it.
    ...(job.share && {
      comparisons: answer.comparisons.map((each) => ({ ...each, fails: false })),
      decision: 'unsure',
      sentence: shareSentence(job.share.place, pairs, lastLook(job)),
      failedGates: [],
    }),
    ...(job.inspected && { lighthouse: job.inspected.comparisons }),
  };
}

/** What the runs of a build that count asked for and found. */
function measuredOf(build: Build, { blocks }: CompareJob) {
  return blocks
    .filter(({ dropped }) => dropped === undefined)
    .flatMap(({ runs }) => runs)
    .filter(({ run }) => run.build === build)
    .map(({ run, inventory }) => ({ inventory, findings: run.findings ?? [] }));
}

function designOf(pairs: number, job: CompareJob): Design {
  const { plan, blocks, stopped } = job;
  const kept = blocks.filter(({ dropped }) => dropped === undefined);
  return {
    seed: plan.seed,
    blocks: kept.length,
    pairs,
    looks: plan.looks,
    looksTaken: looksTaken(pairs, job),
    alpha: plan.alpha,
    dropped: blocks.flatMap(({ index, dropped }) => (dropped === undefined ? [] : { block: index, because: dropped })),
    repeated: blocks.flatMap(({ runs }) => runs).reduce((sum, { run }) => sum + (run.repeatedBecause?.length ?? 0), 0),
    stoppedBecause: stopped,
    stoppedSentence: stopSentence(stopped, pairs, lastLook(job)),
  };
}

function looksTaken(now: number, job: CompareJob): readonly Look[] {
  const looks = looksUntil(now, job);
  const { alpha, gates } = job.plan;
  const limits = boundaries(
    looks.map((look) => look / lastLook(job)),
    alpha / gates.length,
  );
  return looks.flatMap((pairs, i) => {
    const criticalValue = limits[i];
    return criticalValue === undefined || !Number.isFinite(criticalValue) ? [] : [{ pairs, criticalValue }];
  });
}

/** Writes the reports of these formats, all that are wanted when none are named, and gives what they were written from. */
export async function writeReports(job: CompareJob, only?: readonly ReportFormat[]): Promise<CompareReport> {
  const report = compareReport(job);
  for (const reporter of compareReporters) {
    if (!job.settings.format.includes(reporter.format) || only?.includes(reporter.format) === false) continue;
    job.files.add(await job.store.write(reporter.file, reporter.render(report)));
  }
  if (job.share && job.settings.format.includes('json')) {
    job.files.add(await job.store.write(SHARD_FILE, shardFileOf(job.blocks, redactorOf(job.settings))));
  }
  return report;
}
