import type { BudgetResult } from '../../model/budget.ts';
import type { CompareResult } from '../../model/comparison.ts';
import type { AuditResult, ResultHeader, TargetResult } from '../../model/result.ts';
import type { FailOn } from '../../model/settings.ts';
import { metrics } from '../metrics/index.ts';
import { isMeasuredRun } from '../summary.ts';
import { pageOutcomeOf, wasMeasured } from './outcome.ts';

/** A line that stands beside a job: an error fails it, a warning and a notice do not. Texts may quote pages. */
export interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
}

/** What fails a job under each rule. Source: the contract of `--fail-on`. */
const FAILING: Readonly<Record<FailOn, readonly ('gate' | 'budget')[]>> = {
  slower: ['gate', 'budget'],
  budget: ['budget'],
  never: [],
};

/** GitHub shows no more of a kind for one step. Source: GitHub Docs, "Workflow commands", limits of annotations. */
const SHOWN = 10;

/**
 * What a reader of a job must know of a result, errors first: what fails it, then what makes the answer less than an
 * answer, then the answer. Of more than GitHub shows the rest is counted. The share of a shard fails nothing but when it
 * was not measured: what is to be made of it is for whoever joins the shards.
 *
 * @param answers what is said of each target of an audit, a sentence each
 */
export function annotationsOf(
  result: AuditResult | CompareResult,
  failOn: FailOn,
  answers: readonly string[] = [],
): readonly Annotation[] {
  const rule = result.shard === undefined ? failOn : 'never';
  const own = result.kind === 'compare' ? ofComparison(result, rule) : ofAudit(result, rule, answers);
  const all = [...own, ...ofMerging(result)];
  return (['error', 'warning', 'notice'] as const).flatMap((kind) => counted(all.filter((each) => each.kind === kind)));
}

function counted(annotations: readonly Annotation[]): readonly Annotation[] {
  const [last] = annotations.slice(SHOWN - 1);
  if (last === undefined || annotations.length === SHOWN) return annotations;
  const more = annotations.length - SHOWN + 1;
  return [
    ...annotations.slice(0, SHOWN - 1),
    { kind: last.kind, title: `${more} more`, message: 'The summary of the job and the report have them all.' },
  ];
}

const failure = (what: 'gate' | 'budget', failOn: FailOn): Annotation['kind'] =>
  FAILING[failOn].includes(what) ? 'error' : 'warning';

// --- Comparisons --------------------------------------------------------------------------------------------------

function ofComparison(result: CompareResult, failOn: FailOn): readonly Annotation[] {
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
      title: `${titleOf(each.metric)}: the gate fails`,
      message: each.sentence,
    })),
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

const titleOf = (metric: string): string => metrics.find(({ name }) => name === metric)?.title ?? metric;
const warning = (title: string, message: string): Annotation => ({ kind: 'warning', title, message });
const notice = (title: string, message: string): Annotation => ({ kind: 'notice', title, message });

// --- Audits -------------------------------------------------------------------------------------------------------

function ofAudit(result: AuditResult, failOn: FailOn, answers: readonly string[]): readonly Annotation[] {
  const { targets, shard, interrupted } = result;
  if (!wasMeasured(result) && targets.length === 0) {
    return [{ kind: 'error', title: 'Nothing was measured', message: 'The result holds no page.' }];
  }
  const told = targets.flatMap((target, i) => {
    const of = targets.length === 1 ? '' : `${nameOf(target)}: `;
    return ofPage(target, answers[i] ?? '', failOn).map((each) => ({ ...each, message: `${of}${each.message}` }));
  });
  const early = interrupted === true ? [warning('Ended early', 'What had been measured until then is told.')] : [];
  if (shard !== undefined) {
    return [...told, ...early, notice(`Shard ${shard.index} of ${shard.of}`, shareSentence(result))];
  }
  if (told.length > 0) return [...told, ...early];
  const all = targets.length === 1 ? (answers[0] ?? '') : `All ${targets.length} pages are complete.`;
  return [...early, notice('Complete', all)];
}

/** What the result of a shard of an audit says of itself. */
export function shareSentence({ shard, targets }: Pick<AuditResult, 'shard' | 'targets'>): string {
  const pages = targets.filter(({ step }) => step === undefined).length;
  const measured = `${pages} of ${shard?.total ?? pages} pages ${pages === 1 ? 'was' : 'were'} measured here`;
  return `${measured}. No answer for all by itself: "quiesce merge" joins the shards.`;
}

function nameOf({ name, target, step }: TargetResult): string {
  return step === undefined ? (name ?? target) : `${name ?? target}, ${step}`;
}

function ofPage(target: TargetResult, sentence: string, failOn: FailOn): readonly Annotation[] {
  const { runs, summary } = target;
  const outcome = pageOutcomeOf(target);
  if (outcome === 'unmeasured') {
    const why = runs.find(({ failure: reason }) => reason !== undefined)?.failure?.message;
    return [{ kind: 'error', title: 'Not measured', message: why ?? 'No timed run was made.' }];
  }
  const counting = runs.filter(isMeasuredRun);
  const complete = counting.filter(({ pageComplete }) => pageComplete?.state === 'complete').length;
  const unfit = counting.filter(({ host }) => host?.verdict === 'unfit').length;
  return [
    ...ofBudgets(target, failOn),
    ...(outcome === 'never' ? [warning('Never complete', sentence)] : []),
    ...(outcome === 'unconfirmed' ? [warning('Not confirmed to be complete', sentence)] : []),
    ...(outcome === 'partly'
      ? [warning('Not complete in every run', `Complete in ${complete} of ${counting.length} runs.`)]
      : []),
    ...(summary.pageComplete?.agreement === 'disagrees'
      ? [warning('The runs disagree', 'Page complete differs by more than 10 % from run to run: more runs narrow it.')]
      : []),
    ...(unfit > 0
      ? [warning('The machine was not fit', `It was busy with other things in ${unfit} of ${counting.length} runs.`)]
      : []),
  ];
}

// --- Both ---------------------------------------------------------------------------------------------------------

function ofBudgets({ budgets = [] }: TargetResult, failOn: FailOn): readonly Annotation[] {
  return budgets.filter(({ state }) => state !== 'pass').map((budget) => ofBudget(budget, failOn));
}

function ofBudget(budget: BudgetResult, failOn: FailOn): Annotation {
  const { state, sentence, title } = budget;
  if (state === 'fail') {
    return { kind: severityOf(budget, failOn), title: `${title}: beyond its budget`, message: sentence };
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
    ...merged.notes.map((note) => warning('The shards were not alike', note)),
  ];
}
