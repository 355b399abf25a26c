import type { AuditReport, ComparePagesReport, CompareReport, TargetReport } from '../../model/result/report.ts';
import type { ResultHeader, TargetResult } from '../../model/result/result.ts';
import type { FailOn } from '../../model/settings.ts';
import { outcomeInWords } from '../../report/audit/answer.ts';
import { auditDocument } from '../../report/audit.ts';
import { budgetLook } from '../../report/budgets.ts';
import { background } from '../../report/compare/background.ts';
import { decisionWord, differencesInWords, failuresInWords, shownMetrics, verdictOf } from '../../report/comparison.ts';
import { fairnessOf } from '../../report/fairness.ts';
import { SIGNS, textOf } from '../../report/parts.ts';
import { unfinished } from '../../report/several-machines.ts';
import { failedRuns } from '../../result/counted-runs.ts';
import { type Failing, fails } from '../../result/fail-on.ts';
import { outcomeOf, wasMeasured } from '../../result/outcome.ts';
import { fullNameOf } from '../../result/pages-with-steps.ts';
import { comparisonAnswer } from '../../wording/compare/comparison.ts';
import { completionText } from '../../wording/completion/completion.ts';
import { healthLine } from '../../wording/health.ts';
import { NO_REASON } from '../../wording/result/failure.ts';
import { formatValue } from '../../wording/text/format.ts';

/** A line that stands beside a job: an error fails it, a warning and a notice do not. Texts may quote pages. */
export interface Annotation {
  readonly kind: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
}

/** GitHub shows no more of a kind for one step. Source: GitHub Docs, "Workflow commands", limits of annotations. */
const MAX_ANNOTATIONS = 10;

/**
 * What a reader of a job must know of a result, errors first: what fails it, then what makes the answer less than an
 * answer, then the answer. Of more than GitHub shows the rest is counted. The share of a shard fails nothing but when it
 * was not measured: the job that joins the shards decides what that means.
 */
export function annotationsOf(
  report: AuditReport | ComparePagesReport | CompareReport,
  failOn: FailOn,
): readonly Annotation[] {
  const rule = report.result.shard === undefined ? failOn : 'never';
  const own =
    'compared' in report
      ? ofPages(report, rule)
      : 'base' in report
        ? ofComparison(report, rule)
        : ofAudit(report, rule);
  const all = [...own, ...ofMerging(report.result)];
  return (['error', 'warning', 'notice'] as const).flatMap((kind) => counted(all.filter((each) => each.kind === kind)));
}

function counted(annotations: readonly Annotation[]): readonly Annotation[] {
  const [last] = annotations.slice(MAX_ANNOTATIONS - 1);
  if (last === undefined || annotations.length === MAX_ANNOTATIONS) return annotations;
  const more = annotations.length - MAX_ANNOTATIONS + 1;
  return [
    ...annotations.slice(0, MAX_ANNOTATIONS - 1),
    {
      kind: last.kind,
      title: `${formatValue(more, 'count')} more`,
      message: 'The job summary and the report show all of them.',
    },
  ];
}

const failure = (what: Failing, failOn: FailOn): Annotation['kind'] => (fails(what, failOn) ? 'error' : 'warning');

/** What there is to say of each page, with its name, and the answer for all. */
function ofPages({ result, compared }: ComparePagesReport, failOn: FailOn): readonly Annotation[] {
  const pages = result.targets.flatMap(({ name, leftOut, decision }, i): readonly Annotation[] => {
    const report = compared[i];
    if (report === undefined) return [];
    if (leftOut !== undefined) return [warning('A page is not compared', leftOut)];
    // The answer for all says how many are the same.
    if (decision === 'same') return [];
    return ofComparison(report, failOn).map((each) => ({ ...each, message: `${name}: ${each.message}` }));
  });
  return [...pages, notice('All pages', result.sentence)];
}

const warning = (title: string, message: string): Annotation => ({ kind: 'warning', title, message });
const notice = (title: string, message: string): Annotation => ({ kind: 'notice', title, message });

// --- Comparisons --------------------------------------------------------------------------------------------------

function ofComparison(report: CompareReport, failOn: FailOn): readonly Annotation[] {
  const { result } = report;
  const { design, decision, failedGates, host, pageDifferences, backgroundChanges, shard, base, candidate } = result;
  const { word } = verdictOf(report);
  if (!wasMeasured(result)) {
    const failures = failuresInWords(report, (reasons) => reasons[0]);
    return [{ kind: 'error', title: 'Not compared', message: [...failures, design.stoppedSentence].join(' ') }];
  }
  const [decided, reasons] = comparisonAnswer(result);
  const sentence = [decided, ...reasons].join(' ');
  if (shard !== undefined) return [notice(word, sentence)];
  const gates = decision === 'invalid' ? [] : failedGates;
  const failed = shownMetrics(report).filter(({ comparison: { metric } }) => gates.includes(metric));
  const cut = ['interrupted', 'too-many-failures', 'broken', 'out-of-time'].includes(design.stoppedBecause);
  const kind = decision === 'unsure' || decision === 'invalid' ? 'warning' : 'notice';
  return [
    ...failed.map(({ comparison, title }) => ({
      kind: failure('gate', failOn),
      title: `${title}: ${decisionWord(comparison)}`,
      message: comparison.sentence,
    })),
    ...ofHealth(candidate, failOn, 'Candidate: '),
    ...ofHealth(base, 'never', 'Base: '),
    ...ofBudgets(candidate, failOn),
    // Of what slows a build down its gate says it.
    ...(failed.length > 0 && decision === 'slower' ? [] : [{ kind, title: word, message: sentence } as const]),
    ...(cut ? [warning('Ended early', design.stoppedSentence)] : []),
    ...ofUnfinished({ ...result, interrupted: false }),
    ...(host.verdict === 'unfit' ? [warning('Was it fair?', host.sentence)] : []),
    ...pageDifferences.flatMap((each) => {
      const { heading, grave } = differencesInWords({ pageDifferences: [each] });
      if (!grave && backgroundChanges.length > 0) return ofBackground(report);
      return (grave ? warning : notice)(heading, each.message);
    }),
  ];
}

/** Which background traffic only one build has. It is not in the times. */
const ofBackground = (report: CompareReport): readonly Annotation[] =>
  background(report, 'brief').flatMap((part) => {
    if (part.kind !== 'list') return [];
    const items = part.items.map(({ mark, text }) => `${mark === undefined ? '' : `${SIGNS[mark]} `}${textOf(text)}`);
    const title = textOf(part.title ?? '');
    return [...items, ...(part.more === undefined ? [] : [part.more])].map((message) => notice(title, message));
  });

// --- Audits -------------------------------------------------------------------------------------------------------

function ofAudit(report: AuditReport, failOn: FailOn): readonly Annotation[] {
  const { result, targets } = report;
  const analysis = result.kind === 'analysis';
  const { parts } = auditDocument(report, 'brief');
  const title = parts.find((part) => part.kind === 'heading')?.text ?? '';
  if (targets.length === 0 && !wasMeasured(result)) {
    return [{ kind: 'error', title, message: 'The result has no page.' }];
  }
  const ofPages = targets.flatMap((target) => {
    const of = targets.length === 1 ? '' : `${fullNameOf(target.result)}: `;
    return ofPage(target, analysis, failOn).map((each) => ({ ...each, message: `${of}${each.message}` }));
  });
  const early = ofUnfinished(result);
  if (ofPages.length > 0 || result.shard !== undefined) return [...ofPages, ...early];
  const answer = parts.find((part) => part.kind === 'paragraph');
  return [...early, notice(title, textOf(answer?.text ?? ''))];
}

function ofPage(page: TargetReport, analysis: boolean, failOn: FailOn): readonly Annotation[] {
  const outcome = outcomeOf(page.result);
  const title = outcomeInWords(page, analysis);
  if (outcome === 'unmeasured') {
    return [{ kind: 'error', title, message: failedRuns(page)[0]?.failure?.message ?? NO_REASON }];
  }
  const fairness = analysis ? undefined : fairnessOf(page);
  const doubtful =
    fairness?.sign === '✗' || fairness?.sign === '!' || page.result.summary.pageComplete?.agreement === 'disagrees';
  return [
    ...ofHealth(page.result, failOn),
    ...ofBudgets(page.result, failOn),
    ...(outcome === 'complete' ? [] : [warning(title, completionText(page))]),
    ...(fairness !== undefined && doubtful ? [warning('Was it fair?', fairness.sentence)] : []),
  ];
}

// --- Both ---------------------------------------------------------------------------------------------------------

/** That a page does not work, or loaded without something. */
function ofHealth(target: TargetResult, failOn: FailOn, whose = ''): readonly Annotation[] {
  const line = healthLine(target);
  if (line === undefined) return [];
  const message = `${whose}${line.sentence}`;
  return [{ kind: line.isBroken ? failure('broken', failOn) : 'warning', title: line.title, message }];
}

const ofBudgets = ({ budgets = [] }: TargetResult, failOn: FailOn): readonly Annotation[] =>
  budgets
    .filter(({ state }) => state !== 'pass')
    .map((budget) => ({
      kind: budget.state === 'fail' && budget.severity === 'error' ? failure('budget', failOn) : 'warning',
      title: `Budget ${budgetLook(budget).word}`,
      message: budget.sentence,
    }));

/** That a result is not all that was asked for. */
const ofUnfinished = (result: Parameters<typeof unfinished>[0]): readonly Annotation[] =>
  unfinished(result).flatMap((part) =>
    part.kind === 'alert'
      ? {
          kind: result.shard === undefined ? 'warning' : 'notice',
          title: 'Not the whole result',
          message: textOf(part.text),
        }
      : [],
  );

/** What did not go together in a merged result. */
const ofMerging = ({ merged }: ResultHeader): readonly Annotation[] =>
  (merged?.notes ?? []).map((note) => warning('The shards differ', note));
