import { boundaries } from '../../core/experiment/alpha-spending.ts';
import type { Redactor } from '../../core/har/redact.ts';
import { metricTitle } from '../../core/metrics/index.ts';
import { defined } from '../../core/text/defined.ts';
import type { Build, CompareResult, Design, Look, MetricComparison } from '../../model/compare/comparison.ts';
import type { CompareReport, TargetReport, Waterfall } from '../../model/result/report.ts';
import { shareSentence, withSentences } from '../../wording/compare/comparison.ts';
import { stopSentence } from '../../wording/completion/stopping.ts';
import { dropReasonInWords, noteInWords } from '../../wording/result/notes.ts';
import { resultHeader } from '../engine/job.ts';
import { columnsFor, redactDeep, targetReport } from '../engine/reports/report-model.ts';
import { perBuild } from './builds.ts';
import { answerOf } from './compare-exit.ts';
import { type Comparison, countedRuns, evaluateAt, lastLook, looksUntil, resultOf } from './comparison.ts';

/**
 * What reporters receive of a comparison as it stands.
 *
 * @param exitOf the exit code; absent while the comparison is under way
 */
export function compareReport(
  comparison: Comparison,
  redact: Redactor,
  exitOf?: (result: CompareResult) => number,
): CompareReport {
  const soFar = resultOfComparison(comparison);
  const result = { ...soFar, ...defined({ exit: exitOf?.(soFar) }) };
  const sides = perBuild((build): TargetReport => {
    const report = targetReport(result[build], []);
    const waterfall = report.representative && waterfallOf(build, report.representative.index, comparison);
    // The representative run's alone: forty waterfalls of each build show no more than two.
    return { ...report, waterfalls: waterfall ? [waterfall] : [] };
  });
  const { base, candidate, ...rest } = redactDeep(
    { result, columns: columnsFor([result.base, result.candidate]), ...sides },
    redact,
  );
  // Pictures hold no text that could be redacted.
  const pictures = perBuild((build) => comparison.sides[build]?.thumbnails ?? {});
  return {
    ...rest,
    base: { ...base, pictures: pictures.base },
    candidate: { ...candidate, pictures: pictures.candidate },
  };
}

function waterfallOf(build: Build, index: number, { blocks }: Comparison): Waterfall | undefined {
  return blocks.flatMap(({ runs }) => runs).find(({ run }) => run.build === build && run.index === index)?.waterfall;
}

function resultOfComparison(comparison: Comparison): CompareResult {
  const { setup, plan, browser, stopped, inspected } = comparison;
  const { share } = setup;
  const base = resultOf('base', comparison);
  const candidate = resultOf('candidate', comparison);
  const runs = countedRuns(comparison);
  const noteFacts = comparison.serverNotes?.() ?? [];
  const pairs = runs.length / 2;
  const compared = pairs === 0 ? [] : withSentences(evaluateAt(pairs, comparison).comparisons, metricTitle);
  const comparisons = compared.map((each) => ({ ...each, ...defined({ step: setup.step }) }));
  const measured = perBuild((build) => measuredOf(build, comparison));
  const { why, unexplained, ...answer } = answerOf({
    base,
    candidate,
    runs,
    comparisons,
    measured,
    stopped,
    header: { settings: setup.settings, source: setup.sources.candidate },
    pages: setup.pages,
  });
  return {
    ...resultHeader(setup.startedAt),
    kind: 'compare',
    browser,
    settings: {
      ...setup.settings,
      seed: plan.seed,
      looks: plan.looks,
      maxPairs: lastLook(comparison),
      gate: plan.gates,
    },
    ...(stopped === 'interrupted' && { interrupted: true }),
    ...defined({ source: setup.sources.candidate, shard: share?.place }),
    ...(noteFacts.length > 0 && { notes: noteFacts.map(noteInWords), noteFacts }),
    base,
    candidate,
    design: designOf(pairs, comparisons, comparison),
    ...answer,
    ...(share === undefined && { why, unexplained }),
    // A share decides nothing: the others' blocks belong to it.
    ...(share && {
      comparisons: answer.comparisons.map((each) => ({ ...each, fails: false })),
      decision: 'unsure',
      sentence: shareSentence(share.place, pairs, lastLook(comparison)),
      failedGates: [],
    }),
    ...defined({ lighthouse: inspected?.comparisons }),
  };
}

/** What the runs of a build that count asked for and found. */
function measuredOf(build: Build, { blocks }: Comparison) {
  return blocks
    .filter(({ dropped }) => dropped === undefined)
    .flatMap(({ runs }) => runs)
    .filter(({ run }) => run.build === build)
    .map(({ run, inventory }) => ({ inventory, findings: run.findings ?? [] }));
}

function designOf(pairs: number, comparisons: readonly MetricComparison[], comparison: Comparison): Design {
  const { plan, blocks, stopped } = comparison;
  const kept = blocks.filter(({ dropped }) => dropped === undefined);
  const allCompared = comparisons.every(({ gate, difference }) => !gate || difference !== undefined);
  return {
    seed: plan.seed,
    blocks: kept.length,
    pairs,
    looks: plan.looks,
    looksTaken: looksTaken(pairs, comparison),
    alpha: plan.alpha,
    dropped: blocks.flatMap(({ index, dropped: reason }) =>
      reason === undefined ? [] : { block: index, because: dropReasonInWords(reason), reason },
    ),
    repeated: blocks.flatMap(({ runs }) => runs).reduce((sum, { run }) => sum + (run.repeatedBecause?.length ?? 0), 0),
    stoppedBecause: stopped,
    stoppedSentence: stopSentence(stopped, pairs, lastLook(comparison), allCompared),
  };
}

function looksTaken(now: number, comparison: Comparison): readonly Look[] {
  const looks = looksUntil(now, comparison);
  const { alpha, gates } = comparison.plan;
  const limits = boundaries(
    looks.map((look) => look / lastLook(comparison)),
    alpha / Math.max(1, gates.length),
  );
  return looks.flatMap((pairs, i) => {
    const criticalValue = limits[i];
    return criticalValue === undefined || !Number.isFinite(criticalValue) ? [] : [{ pairs, criticalValue }];
  });
}
