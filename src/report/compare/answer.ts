import { isOverBudget } from '../../result/over-budget.ts';
import { comparisonAnswer } from '../../wording/compare/comparison.ts';
import { whyInWords } from '../../wording/compare/why.ts';
import { healthLine } from '../../wording/health.ts';
import { differencesInWords, verdictOf } from '../comparison.ts';
import { conditionsInWords } from '../conditions.ts';
import { alert, paragraph } from '../parts.ts';
import { unfinished } from '../several-machines.ts';
import { type CompareChapter, MARKS } from './comparison.ts';

/** The decision and its reasons; before it what a reader must know first. */
export const answer: CompareChapter = (report) => {
  const { result, base, candidate } = report;
  const { tone, word } = verdictOf(report);
  const over = isOverBudget(candidate.result);
  const [decided, reasons] = comparisonAnswer(result);
  const why = whyInWords(result);
  const { conditions } = candidate.result;
  return [
    {
      kind: 'heading',
      mark: over && tone !== 'worse' ? 'bad' : MARKS[tone],
      text: `${word}${over ? ', candidate over budget' : ''}`,
      about: [{ code: base.result.target }, ' → ', { code: candidate.result.target }],
    },
    ...differences(report),
    ...(['base', 'candidate'] as const).flatMap((build) => {
      const line = healthLine(report[build].result);
      return line === undefined ? [] : alert(`${build === 'base' ? 'Base' : 'Candidate'}: ${line.sentence}`);
    }),
    ...(showsHost(report) ? alert(result.host.sentence) : []),
    ...(result.notes ?? []).flatMap((note) => alert(note, false)),
    ...unfinished(result),
    ...paragraph([{ strong: decided }, ...(reasons.length === 0 ? [] : [` ${reasons.join(' ')}`])]),
    ...(why === undefined ? [] : paragraph([{ strong: 'Why:' }, ` ${why}`])),
    ...(conditions === undefined ? [] : paragraph(conditionsInWords(conditions), { weight: 'light' })),
  ];
};

/** Does the load of the machine stand beside the answer? Where it made the comparison invalid, the answer is that. */
export const showsHost = ({ result }: Parameters<CompareChapter>[0]): boolean =>
  result.host.verdict === 'unfit' && result.decision !== 'invalid';

/** That the two pages are not the same page. Other background traffic alone is listed by its names. */
function differences(report: Parameters<CompareChapter>[0]): ReturnType<CompareChapter> {
  const { pageDifferences, backgroundChanges } = report.result;
  if (pageDifferences.length === 0) return [];
  const { heading, grave } = differencesInWords(report.result);
  const messages = pageDifferences.map(({ message }) => message).join(' ');
  if (grave) return alert(`${heading}: ${messages}`);
  return backgroundChanges.length > 0 ? [] : alert(messages, false);
}
