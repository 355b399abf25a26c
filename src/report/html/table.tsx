import type { ComponentChildren, JSX } from 'preact';

/** A column of a table: how it is headed and what it shows of a row. */
export interface Column<Row> {
  readonly title: string;
  readonly className?: string;
  cell(row: Row): ComponentChildren;
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
}): JSX.Element {
  const { caption, columns, rows, className, rowClass } = props;
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
            <tr key={index} role="row" class={rowClass?.(row)}>
              {columns.map((column, position) =>
                position === 0 ? (
                  <th key={column.title} scope="row" role="rowheader" class={column.className}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.title} role="cell" class={column.className} data-label={column.title}>
                    <div>{column.cell(row)}</div>
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
    </div>
  );
}
