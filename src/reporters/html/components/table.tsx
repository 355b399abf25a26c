import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { ABSENT } from '../../../wording/text/format.ts';
import { slug } from '../links/slug.ts';

/** How many tables of each name a report has so far: their rows have ids of their own. */
export const TablesSoFar = createContext<Map<string, number>>(new Map());

/** A column of a table: how it is headed and what it shows of a row. */
export interface Column<Row> {
  readonly title: string;
  readonly className?: string;
  cell(row: Row): ComponentChildren;
  /** What the page's script sorts by, where it can; undefined stands last. */
  key?(row: Row): number | undefined;
}

interface TableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly className?: string;
  /** True where every row leads to a report of its own, and no link to the row itself is needed. */
  readonly leads?: boolean;
  rowClass?(row: Row): string | undefined;
  /** Distinguished by the page's script. */
  rowMarks?(row: Row): { readonly [name: `data-${string}`]: string };
}

/**
 * A table whose first column names the row. On a narrow screen rows become blocks with the column titles beside the
 * values; browsers drop table semantics with the table layout, so the roles are said aloud.
 */
export function Table<Row>(props: TableProps<Row>): JSX.Element {
  const { caption, columns, rows, className, leads = false, rowClass, rowMarks } = props;
  const tables = useContext(TablesSoFar);
  const name = slug(caption);
  const number = (tables.get(name) ?? 0) + 1;
  tables.set(name, number);
  const idOf = (index: number): string | undefined =>
    leads ? undefined : `${name}${number === 1 ? '' : number}-row${index + 1}`;
  return (
    <div class="scroll">
      {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
      {/* biome-ignore-start lint/a11y/useSemanticElements: see above */}
      <table class={className === undefined ? 'stacked' : `stacked ${className}`} role="table">
        <caption class="unseen">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.title} scope="col" role="columnheader">
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row, index) => {
            const id = idOf(index);
            return (
              <tr key={index} id={id} role="row" class={rowClass?.(row)} {...rowMarks?.(row)}>
                {columns.map((column, position) => {
                  const cell = column.cell(row);
                  if (position === 0) {
                    return (
                      <th key={column.title} scope="row" role="rowheader" class={column.className}>
                        {cell}
                      </th>
                    );
                  }
                  const look = [column.className ?? '', cell === ABSENT ? 'absent' : ''].join(' ').trim();
                  return (
                    <td key={column.title} role="cell" class={look === '' ? undefined : look} data-label={column.title}>
                      <div>{cell}</div>
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
    </div>
  );
}
