import type { ComponentChildren, JSX } from 'preact';
import { ABSENT } from '../../../wording/format.ts';

/** A column of a table: how it is headed and what it shows of a row. */
export interface Column<Row> {
  readonly title: string;
  readonly className?: string;
  cell(row: Row): ComponentChildren;
  /** What the page's script sorts by, where it can; undefined stands last. */
  key?(row: Row): number | undefined;
}

/**
 * A table whose first column names the row. On a narrow screen rows become blocks with the column titles beside the
 * values; browsers drop table semantics with the table layout, so the roles are said aloud.
 */
export function Table<Row>(props: {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly className?: string;
  rowClass?(row: Row): string | undefined;
  /** Told apart by the page's script. */
  rowMarks?(row: Row): { readonly [name: `data-${string}`]: string };
}): JSX.Element {
  const { caption, columns, rows, className, rowClass, rowMarks } = props;
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
          {rows.map((row, index) => (
            <tr key={index} role="row" class={rowClass?.(row)} {...rowMarks?.(row)}>
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
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
    </div>
  );
}
