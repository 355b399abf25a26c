import { isCompleteRun, isCounted } from '../../core/counted-runs.ts';
import type { BudgetResult } from '../../model/budget.ts';
import type { CompareResult } from '../../model/comparison.ts';
import type { AuditReport, CompareReport, TargetReport } from '../../model/report.ts';
import type { ResultHeader, TargetResult } from '../../model/result.ts';
import type { FailOn } from '../../model/settings.ts';
import { fairnessOf } from '../../report/fairness.ts';
import { type Failing, fails } from '../../result/fail-on.ts';
import { filmDoubt } from '../../result/film-doubt.ts';
import { outcomeOf, wasMeasured } from '../../result/outcome.ts';
import { fullNameOf } from '../../result/pages-with-steps.ts';
import { completionText } from '../../wording/completion.ts';
import { formatCount, formatValue } from '../../wording/format.ts';
import { healthLine } from '../../wording/health.ts';
import { pagesOfShard } from '../../wording/outcome.ts';

/** A line that stands beside a job: an error fails it, a warning and a notice do not. Texts may quote pages. */
export interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
}

/** GitHub shows no more of a kind for one step. Source: GitHub Docs, "Workflow commands", limits of annotations. */
const SHOWN = 10;

/**
 * What a reader of a job must know of a result, errors first: what fails it, then what makes the answer less than an
 * answer, then the answer. Of more than GitHub shows the rest is counted. The share of a shard fails nothing but when it
 * was not measured: what is to be made of it is for whoever joins the shards.
 */
export function annotationsOf(report: AuditReport | CompareReport, failOn: FailOn): readonly Annotation[] {
  const rule = report.result.shard === undefined ? failOn : 'never';
  const own = 'base' in report ? ofComparison(report, rule) : ofAudit(report, rule);
  const all = [...own, ...ofMerging(report.result)];
  return (['error', 'warning', 'notice'] as const).flatMap((kind) => counted(all.filter((each) => each.kind === kind)));
}

function counted(annotations: readonly Annotation[]): readonly Annotation[] {
  const [last] = annotations.slice(SHOWN - 1);
  if (last === undefined || annotations.length === SHOWN) return annotations;
  const more = annotations.length - SHOWN + 1;
  return [
    ...annotations.slice(0, SHOWN - 1),
    {
      kind: last.kind,
      title: `${formatValue(more, 'count')} more`,
      message: 'The job summary and the report show all of them.',
    },
  ];
}

const failure = (what: Failing, failOn: FailOn): Annotation['kind'] => (fails(what, failOn) ? 'error' : 'warning');

// --- Comparisons --------------------------------------------------------------------------------------------------

function ofComparison({ result, columns }: CompareReport, failOn: FailOn): readonly Annotation[] {
  const { sentence, design, decision, failedGates, comparisons, shard } = result;
  if (!wasMeasured(result)) {
    return [{ kind: 'error', title: 'Nothing could be compared', message: whyNothing(result) }];
  }
  if (shard !== undefined) return [{ kind: 'notice', title: `Shard ${shard.index} of ${shard.of}`, message: sentence }];
  const failed = decision === 'invalid' ? [] : comparisons.filter(({ metric }) => failedGates.includes(metric));
  const cut = ['interrupted', 'too-many-failures', 'broken'].includes(design.stoppedBecause);
  return [
    ...failed.map((each) => ({
      kind: failure('gate', failOn),
      title: `${columns.find(({ name }) => name === each.metric)?.title ?? each.metric}: the gate fails`,
      message: each.sentence,
    })),
    ...ofHealth(result.candidate, failOn, 'The candidate: '),
    ...ofHealth(result.base, 'never', 'The base: '),
    ...ofBudgets(result.candidate, failOn),
    ...ofDecision(decision, sentence, failed.length > 0),
    ...(cut ? [warning('Ended early', design.stoppedSentence)] : []),
    // Of an invalid comparison the sentence says it.
    ...(result.host.verdict === 'unfit' ? [warning('The machine was not fit', result.host.sentence)] : []),
    ...result.pageDifferences.map(({ code, message }) =>
      // What is background is not in the times.
      code === 'background' ? notice('Other background traffic', message) : warning('The two pages differ', message),
    ),
  ];
}

function ofDecision(decision: CompareResult['decision'], message: string, failed: boolean): readonly Annotation[] {
  switch (decision) {
    case 'invalid':
      return [warning('The comparison is not valid', message)];
    case 'unsure':
      return [warning('Undecided', message)];
    case 'slower':
      return failed ? [] : [notice('Slower, but not by enough to fail', message)];
    case 'faster':
      return [notice('Faster', message)];
    case 'same':
      return [notice('Same', message)];
  }
}

function whyNothing({ base, candidate, design }: CompareResult): string {
  const reasons = [base, candidate].flatMap(({ runs }) => runs.flatMap(({ failure: why }) => why?.message ?? []));
  return [...new Set([...reasons, design.stoppedSentence])].slice(0, 2).join(' ');
}

const warning = (title: string, message: string): Annotation => ({ kind: 'warning', title, message });
const notice = (title: string, message: string): Annotation => ({ kind: 'notice', title, message });

// --- Audits -------------------------------------------------------------------------------------------------------

function ofAudit({ result, targets }: AuditReport, failOn: FailOn): readonly Annotation[] {
  const { shard, interrupted } = result;
  if (!wasMeasured(result) && targets.length === 0) {
    return [{ kind: 'error', title: 'Nothing was measured', message: 'The result has no page.' }];
  }
  const annotations = targets.flatMap((target) => {
    const of = targets.length === 1 ? '' : `${fullNameOf(target.result)}: `;
    return ofPage(target, failOn).map((each) => ({ ...each, message: `${of}${each.message}` }));
  });
  const early =
    interrupted === true ? [warning('Ended early', 'The result contains what was measured until then.')] : [];
  if (shard !== undefined) {
    return [...annotations, ...early, notice(`Shard ${shard.index} of ${shard.of}`, pagesOfShard(shard, targets))];
  }
  if (annotations.length > 0) return [...annotations, ...early];
  const [first] = targets;
  const all =
    targets.length === 1
      ? first
        ? completionText(first)
        : ''
      : `All ${formatCount(targets.length, 'page')} are complete.`;
  return [...early, notice('Complete', all)];
}

function ofPage(page: TargetReport, failOn: FailOn): readonly Annotation[] {
  const { result: target, sentence } = page;
  const { runs, summary } = target;
  const outcome = outcomeOf(target);
  if (outcome === 'unmeasured') {
    const why = runs.find(({ failure: reason }) => reason !== undefined)?.failure?.message;
    return [{ kind: 'error', title: 'Not measured', message: why ?? 'No timed run was made.' }];
  }
  const counting = runs.filter(isCounted);
  const complete = counting.filter(isCompleteRun).length;
  const fairness = fairnessOf(page);
  return [
    ...ofHealth(target, failOn),
    ...ofBudgets(target, failOn),
    ...(outcome === 'never' ? [warning('Never complete', sentence)] : []),
    ...(outcome === 'unconfirmed' ? [warning('Not confirmed to be complete', sentence)] : []),
    ...(outcome === 'partly'
      ? [warning('Not complete in every run', `Complete in ${complete} of ${counting.length} runs.`)]
      : []),
    ...(filmDoubt(runs) ? [warning('The filmed load disagrees', sentence)] : []),
    ...(summary.pageComplete?.agreement === 'disagrees' && !filmDoubt(runs)
      ? [
          warning(
            'The runs disagree',
            'Page complete differs by more than 10% from run to run: more runs narrow the interval.',
          ),
        ]
      : []),
    ...(fairness?.tone === 'worse' ? [warning('The machine was not fit', fairness.aside ?? fairness.sentence)] : []),
  ];
}

/** That a page does not work, or loaded without something. */
function ofHealth(target: TargetResult, failOn: FailOn, whose = ''): readonly Annotation[] {
  const line = healthLine(target);
  if (line === undefined) return [];
  const message = `${whose}${line.sentence}`;
  return [{ kind: line.isBroken ? failure('broken', failOn) : 'warning', title: line.title, message }];
}

// --- Both ---------------------------------------------------------------------------------------------------------

function ofBudgets({ budgets = [] }: TargetResult, failOn: FailOn): readonly Annotation[] {
  return budgets.filter(({ state }) => state !== 'pass').map((budget) => ofBudget(budget, failOn));
}

function ofBudget(budget: BudgetResult, failOn: FailOn): Annotation {
  const { state, sentence, title } = budget;
  if (state === 'fail') {
    return { kind: severityOf(budget, failOn), title: `${title}: over its budget`, message: sentence };
  }
  return state === 'undecided'
    ? warning(`${title}: too close to its budget to tell`, sentence)
    : warning(`${title}: its budget could not be checked`, sentence);
}

const severityOf = ({ severity }: BudgetResult, failOn: FailOn): Annotation['kind'] =>
  severity === 'error' ? failure('budget', failOn) : 'warning';

/** What was lost on the way to a merged result, and what did not go together. */
function ofMerging({ merged }: ResultHeader): readonly Annotation[] {
  if (merged === undefined) return [];
  return [
    ...(merged.missing.length > 0 ? [warning('Shards are missing', merged.sentence)] : []),
    ...merged.notes.map((note) => warning('The shards differ', note)),
  ];
}
