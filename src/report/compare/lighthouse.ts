import { changeInterval, changeText, coverage, UNBOUNDED } from '../../reporters/comparison.ts';
import { formatCount, formatValue } from '../../wording/format.ts';
import { shownLighthouse } from '../lighthouse.ts';
import { details } from '../parts.ts';
import type { CompareChapter } from './comparison.ts';

/** Lighthouse's figures of both builds; they inform and decide nothing. */
export const lighthouse: CompareChapter = ({ result, columns: known }, detail) => {
  const rows = shownLighthouse(result.lighthouse?.comparisons ?? [], known).map((row) => {
    const { title, unit, base, candidate, difference, level = 0 } = row;
    const compared = {
      unit,
      ...(difference && { difference: { ...difference, level, minEffect: { up: 0, down: 0 } } }),
    };
    const interval = changeInterval(compared);
    return [
      title,
      formatValue(base, unit),
      formatValue(candidate, unit),
      changeText(compared),
      interval === UNBOUNDED ? 'too few runs' : level === 0 ? interval : `${interval} (${coverage(level)})`,
    ];
  });
  const columns = [
    { title: 'Lighthouse' },
    { title: 'Base', figures: true },
    { title: 'Candidate', figures: true },
    { title: 'Change', figures: true },
    { title: 'Interval', worth: 1 },
  ];
  const table = rows.length === 0 ? [] : [{ kind: 'table' as const, columns, rows }];
  const runs = formatCount(result.lighthouse?.runs ?? 0, 'run');
  return details(`Lighthouse, ${runs} of each build (for information only)`, table, detail);
};
