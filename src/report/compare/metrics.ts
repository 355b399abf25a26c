import {
  changeBesideMedians,
  changeInterval,
  coverage,
  decisionWord,
  gateInWords,
  isInAnswer,
  mediansNote,
  minEffectsText,
  type ShownMetric,
  shownMetrics,
  toneOf,
} from '../../reporters/comparison.ts';
import { formatValue } from '../../wording/format.ts';
import { type Cell, type Column, details, list, paragraph, type Table, type Text } from '../parts.ts';
import { type CompareChapter, MARKS } from './comparison.ts';

/** The metrics that the answer rests on, and behind them all others. */
export const metrics: CompareChapter = (report, detail) => {
  const { result } = report;
  const invalid = result.decision === 'invalid';
  const shown = shownMetrics(report);
  const told = shown.filter(({ isAnswer }) => isAnswer);
  const gates = told.filter(({ comparison }) => comparison.gate);
  const others = shown.filter(({ isAnswer }) => !isAnswer);
  const tooSmall = minEffectsText(report);
  // The answer has said the others.
  const unsaid = invalid ? [] : gates.filter(({ comparison }) => !isInAnswer(result, comparison));
  return [
    ...table(told, invalid),
    ...(gates.length === 0 || tooSmall === undefined
      ? []
      : paragraph(`A change within ${tooSmall} does not matter.`, { weight: 'light' })),
    ...paragraph(mediansNote(told.map(({ comparison }) => comparison)), { weight: 'light' }),
    ...(detail === 'brief'
      ? []
      : list(
          unsaid.map(({ comparison }) => ({ mark: MARKS[toneOf(comparison)], text: comparison.sentence })),
          detail,
        )),
    ...details('Every other metric', table(others, invalid), detail),
  ];
};

function table(metrics: readonly ShownMetric[], invalid: boolean): readonly Table[] {
  if (metrics.length === 0) return [];
  const levels = new Set(metrics.flatMap(({ comparison }) => comparison.difference?.level ?? []));
  const [shared] = levels.size === 1 ? levels : [];
  const columns: readonly Column[] = [
    { title: 'Metric' },
    { title: 'Base', figures: true, worth: 2 },
    { title: 'Candidate', figures: true, worth: 2 },
    { title: 'Change', figures: true },
    { title: shared === undefined ? 'Interval' : `Interval (${coverage(shared)})`, worth: 1 },
    { title: 'Decision' },
  ];
  const rows = metrics.map(({ comparison, title }): readonly (Cell | Text)[] => {
    const { base, candidate, unit, fails, gate: isGate, difference } = comparison;
    const gate = gateInWords(comparison);
    const level = difference === undefined || shared !== undefined ? '' : ` (${coverage(difference.level)})`;
    const word = decisionWord(comparison);
    const decided: Text = gate === undefined ? word : [`${word}, `, fails ? { strong: gate } : gate];
    return [
      isGate ? { strong: title } : title,
      formatValue(base.median, unit),
      formatValue(candidate.median, unit),
      changeBesideMedians(comparison),
      `${changeInterval(comparison)}${level}`,
      invalid ? decided : { mark: MARKS[toneOf(comparison)], text: decided },
    ];
  });
  return [{ kind: 'table', columns, rows, drawn: metrics.map(({ comparison }) => comparison.difference) }];
}
