// biome-ignore-all lint/a11y/useSemanticElements: a table's elements lose their roles where they are laid out as a grid
// biome-ignore-all lint/a11y/useFocusableInteractive: focus stays on the table, which names its active row
import type { ComponentChildren, JSX } from 'preact';
import { formatCount } from '../../../../wording/text/format.ts';
import { Behind, Lanes, Scale } from '../axis.tsx';
import type { Choice } from '../choice.ts';
import { Row } from './row.tsx';
import type { ShownWaterfall } from './rows.ts';

/** Most rows that stand in the page without the help of a script. */
const STATIC = 400;
/** What a letter of a label takes, and how wide the axis is, px, on a narrow screen: the script measures both. */
const LETTER = 6.4;
const NARROW = 330;

/** Heads of columns: what they say, and by what they sort. */
const COLUMNS: readonly (readonly [title: string, sorts?: Choice['sort']])[] = [
  ['Request', 'name'],
  ['Status'],
  ['Size', 'size'],
  ['Time', 'duration'],
];

/** The heads of the columns; `children` is the time line's. */
export function TableHead(props: {
  readonly sort: Choice['sort'];
  readonly descending: boolean;
  readonly onSort?: (sort: Choice['sort']) => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { sort, descending, onSort, children } = props;
  const sorted = (...own: readonly Choice['sort'][]): 'ascending' | 'descending' | 'none' =>
    own.includes(sort) ? (descending ? 'descending' : 'ascending') : 'none';
  return (
    <div role="rowgroup" class="head">
      <div role="row" aria-rowindex={1}>
        {COLUMNS.map(([title, sorts]) => (
          <span key={title} role="columnheader" aria-sort={sorts && sorted(sorts)}>
            {sorts === undefined ? (
              title
            ) : (
              <button type="button" data-sort={sorts} onClick={() => onSort?.(sorts)}>
                {title}
              </button>
            )}
          </span>
        ))}
        <span role="columnheader" aria-sort={sorted('start', 'end')}>
          <span class="unseen">Time line</span>
          {children}
        </span>
      </div>
    </div>
  );
}

/** The table as it stands in the page where no script runs: the first rows, on the whole axis. */
export function StaticTable(props: {
  readonly load: ShownWaterfall;
  readonly name: string;
  readonly span: number;
}): JSX.Element {
  const { load, name, span } = props;
  const { rows } = load;
  const look = { from: 0, to: span, width: 640 };
  return (
    <div class="frame">
      <div class="grid" role="treegrid" aria-label={`Requests of ${name}`} aria-rowcount={rows.length + 1}>
        <TableHead sort="start" descending={false}>
          <span class="timeline" aria-hidden="true">
            <Scale load={load} look={{ ...look, width: NARROW }} widthOf={(text) => text.length * LETTER} />
          </span>
        </TableHead>
        <div class="list">
          <div class="lines" role="rowgroup">
            <div class="behind" aria-hidden="true">
              <Behind load={load} look={look} />
            </div>
            {rows.slice(0, STATIC).map((row) => (
              <Row key={row.index} row={row} look={look} />
            ))}
          </div>
        </div>
      </div>
      {rows.length === 0 && <p class="none">No requests were recorded.</p>}
      {rows.length > STATIC && (
        <p class="beyond">
          and {formatCount(rows.length - STATIC, 'more request')}: shown in a browser with scripts on
        </p>
      )}
      <Lanes load={load} look={look} />
    </div>
  );
}
