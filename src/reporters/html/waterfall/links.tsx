import type { JSX } from 'preact';
import type { Choice } from './choice.ts';
import type { Look } from './geometry.ts';
import { type LinkEnd, linkPath } from './link-path.ts';
import type { ShownWaterfall } from './table/rows.ts';

/** Most arrows from one row. */
const ARROWS = 40;

/** Arrows to and from the row that is looked at, and the critical path. `yOf`: the middle of a row's line, px, if it is in the list. */
export function Links(props: {
  readonly load: ShownWaterfall;
  readonly choice: Choice;
  readonly look: Look;
  readonly subject: number | undefined;
  readonly yOf: (index: number) => number | undefined;
}): JSX.Element {
  const { load, choice, look, subject, yOf } = props;
  const { rows, critical } = load;
  const endOf = (index: number | undefined): LinkEnd | undefined => {
    const row = rows[index ?? -1];
    const y = row && yOf(row.index);
    return row && y !== undefined ? { y, startedAt: row.startedAt, endsAt: row.endsAt } : undefined;
  };
  const arrow = (from: number | undefined, to: number | undefined): string => {
    const [a, b] = [endOf(from), endOf(to)];
    return a === undefined || b === undefined ? '' : linkPath(a, b, look);
  };
  const asked = rows.filter(({ initiatorRow }) => subject !== undefined && initiatorRow === subject).slice(0, ARROWS);
  return (
    <svg class="links" aria-hidden="true">
      {(choice.chain || choice.critical) && (
        <path class="chain" d={critical.map((index, i) => arrow(critical[i - 1], index)).join('')} />
      )}
      {subject !== undefined && <path class="asked" d={asked.map(({ index }) => arrow(subject, index)).join('')} />}
      {subject !== undefined && <path class="asker" d={arrow(rows[subject]?.initiatorRow, subject)} />}
    </svg>
  );
}
