import { isCompleteRun } from '../../core/counted-runs.ts';
import type { TargetReport } from '../../model/result/report.ts';
import { countedRuns, timedRuns } from '../../result/counted-runs.ts';
import { isUnproved } from '../../result/doubt/unproved.ts';
import { isBroken } from '../../result/health.ts';
import { type Outcome, outcomeOf } from '../../result/outcome.ts';
import { isOverBudget } from '../../result/over-budget.ts';
import { typedOf } from '../../result/pages-with-steps.ts';
import { headlineComplete } from '../../result/representative.ts';
import { completionText } from '../../wording/completion/completion.ts';
import { healthLine } from '../../wording/health.ts';
import { formatCount, formatValue } from '../../wording/text/format.ts';
import { conditionsInWords } from '../conditions.ts';
import { fairnessOf } from '../fairness.ts';
import { alert, type Cell, type Mark, type Part, paragraph, type Span, type Text, textOf } from '../parts.ts';
import type { Chapter } from './page.ts';

const MARKS: Readonly<Record<Outcome, Mark>> = {
  unmeasured: 'invalid',
  never: 'bad',
  unconfirmed: 'unknown',
  partly: 'warning',
  complete: 'good',
};

/** The outcome of a page above its answer. */
export function headingOf(target: TargetReport, analysis: boolean): Part {
  return {
    kind: 'heading',
    mark: markOf(target),
    text: verdictInWords(target, analysis),
    about: calledInFull(target, analysis),
  };
}

/** The answer, before it what a reader must know first, and under which conditions it holds. */
export const answer: Chapter = ({ target, analysis }) => [
  ...alert(healthLine(target.result)?.sentence),
  ...paragraph(completionText(target), { weight: 'strong' }),
  ...unfair(target, analysis),
];

/** How often the page was loaded, and under which conditions; those of a step are those of its page. */
export const conditions: Chapter = ({ target, analysis, detail }) => {
  const { conditions: stated, step } = target.result;
  const timed = timedRuns(target).length;
  const measured = countedRuns(target).length;
  const runs = timed === 0 ? 'No timed run' : loads(timed, analysis);
  const done = measured < timed ? `${measured} of ${runs} ${analysis ? 'analysed' : 'measured'}` : runs;
  return [
    ...(detail === 'brief' ? [] : paragraph(`${done}.`)),
    ...(stated === undefined || step !== undefined ? [] : paragraph(conditionsInWords(stated), { weight: 'light' })),
  ];
};

/** That the figures may not hold, or that nobody can know, for who reads no further. */
function unfair(target: TargetReport, analysis: boolean): readonly Part[] {
  const fairness = analysis ? undefined : fairnessOf(target);
  return alert(fairness?.aside, fairness?.tone === 'worse');
}

/** A page that does not work is no success, however fast it was, and neither is one that fails the job. */
export function markOf(target: TargetReport): Mark {
  const { result } = target;
  const outcome = outcomeOf(result);
  if (outcome !== 'unmeasured' && isBroken(result)) return 'broken';
  if (isPlainlyOver(target)) return 'bad';
  return outcome === 'complete' && isUnproved(result) ? 'unknown' : MARKS[outcome];
}

/** Over budget, and nothing worse. */
export function isPlainlyOver({ result }: TargetReport): boolean {
  const outcome = outcomeOf(result);
  return (outcome === 'complete' || outcome === 'partly') && isOverBudget(result);
}

/** What is wrong comes first: the page, then its budgets. */
function verdictInWords(target: TargetReport, analysis: boolean): string {
  if (isBroken(target.result)) return 'Broken page';
  const words = outcomeInWords(target, analysis);
  return isOverBudget(target.result) ? `Over budget, ${words.toLowerCase()}` : words;
}

/** "Complete", "Complete in 4 of 5 runs", "Not analysed". */
export function outcomeInWords(target: TargetReport, analysis: boolean): string {
  switch (outcomeOf(target.result)) {
    case 'unmeasured':
      return analysis ? 'Not analysed' : 'Not measured';
    case 'never':
      return 'Never complete';
    case 'unconfirmed':
      return 'Not confirmed';
    case 'partly': {
      const measured = countedRuns(target);
      return `Complete in ${measured.filter(isCompleteRun).length} of ${loads(measured.length, analysis)}`;
    }
    case 'complete':
      return isUnproved(target.result) ? 'Complete, not proved' : 'Complete';
  }
}

/** The time of a page and what is to be doubted of it; nothing where it has none. */
export function timeOf(target: TargetReport): Cell | undefined {
  const complete = headlineComplete(target);
  if (complete === undefined) return undefined;
  const [time, doubt] = [{ strong: formatValue(complete, 'ms') }, doubtOf(target)];
  return doubt === undefined ? { text: time } : { mark: 'unknown', text: [time, `, ${doubt}`] };
}

/** That a time may be wrong; nothing of one that is proved, or as good as. */
function doubtOf(target: TargetReport): string | undefined {
  const answers = countedRuns(target).flatMap(({ pageComplete }) => pageComplete ?? []);
  const isGuess = answers.some(({ doubts = [] }) => doubts.some(({ code }) => code === 'background-unproved'));
  if (isGuess || isUnproved(target.result)) return 'not proved';
  return answers.some(({ doubt }) => doubt === 'doubtful') ? 'doubtful' : undefined;
}

/** The same in a title: "1.24 s", "broken, 1.24 s", "never complete". */
export function shortAnswer(target: TargetReport, analysis: boolean): string {
  const time = timeOf(target);
  const answered = time === undefined ? outcomeInWords(target, analysis).toLowerCase() : textOf(time.text);
  return isBroken(target.result) ? `broken, ${answered}` : answered;
}

/** Runs or recordings, counted. */
export const loads = (count: number, analysis: boolean): string => formatCount(count, analysis ? 'recording' : 'run');

/** What a page is called by the user, or its address; steps are seen to belong to the page above them. */
export function calledOf({ result: { step, name, target } }: TargetReport): Text {
  return step === undefined ? { code: name ?? target } : ['↳ then: ', { code: step }];
}

/** What the user calls a page, what was typed for it, its address and where that led. */
function calledInFull({ result }: TargetReport, analysis: boolean): Text {
  const { target, name, url, finalUrl } = result;
  const typed = analysis ? target : typedOf(result);
  const names = [...new Set([name ?? typed, url, finalUrl])].filter((each) => each !== undefined && each !== '');
  return names.flatMap((each, index): readonly Span[] => [...(index === 0 ? [] : [' → ']), { code: each ?? '' }]);
}
