import { all, make, one } from '../client/dom.ts';

/**
 * Pages that are shown at once: laying a thousand out takes a second. The style sheet, which has this number as well,
 * keeps the others unseen until the script takes over, and shows them all where no script runs.
 */
export const PAGES_AT_ONCE = 200;

/**
 * Lets the table of many pages be searched, narrowed to one kind of answer, and sorted by its columns; of very many it
 * shows the first, and the others when they are asked for.
 */
export function searchPages(): void {
  const table = one<HTMLTableElement>(document, 'table.index');
  const tools = one(document, '.index-tools');
  const body = table?.tBodies[0];
  if (table === undefined || tools === undefined || body === undefined) return;

  /** A page with its steps, which go where it goes. */
  interface Group {
    readonly rows: HTMLTableRowElement[];
    text: string;
  }
  let groups: Group[] = [];
  for (const row of Array.from(body.rows)) {
    const last = groups.at(-1);
    if (row.className === 'step' && last !== undefined) last.rows.push(row);
    else groups.push({ rows: [row], text: '' });
  }
  for (const group of groups) {
    group.text = group.rows
      .map((row) => row.cells[0]?.textContent ?? '')
      .join(' ')
      .toLowerCase();
  }

  // --- Which are shown ---
  const search = one<HTMLInputElement>(tools, 'input');
  const status = one(tools, '[role=status]');
  const choices = all<HTMLButtonElement>(tools, 'button');
  const more = make('button', 'index-more', '');
  more.type = 'button';
  table.after(more);
  let chosen = '';
  let most = PAGES_AT_ONCE;
  const show = (): void => {
    const words = (search?.value ?? '').toLowerCase().split(/\s+/);
    let found = 0;
    for (const { rows, text } of groups) {
      const fits = words.every((word) => text.includes(word)) && (chosen === '' || rows[0]?.dataset.outcome === chosen);
      if (fits) found += 1;
      for (const row of rows) row.hidden = !fits || found > most;
    }
    if (status !== undefined) {
      status.textContent =
        found === groups.length
          ? ''
          : `${found.toLocaleString('en')} of ${groups.length.toLocaleString('en')} pages found`;
    }
    more.hidden = found <= most;
    more.textContent = `Show all ${found.toLocaleString('en')} pages, not only the first ${most}`;
  };
  const showAll = (): void => {
    most = groups.length;
    show();
  };
  more.addEventListener('click', showAll);
  addEventListener('beforeprint', showAll);
  search?.addEventListener('input', show);
  for (const choice of choices) {
    choice.addEventListener('click', () => {
      chosen = choice.value;
      for (const each of choices) each.setAttribute('aria-pressed', String(each === choice));
      show();
    });
  }

  // --- In which order ---
  /** What is absent stands behind everything else, in either order. */
  const keyOf = ({ rows }: Group, column: number): number | undefined => {
    const key = rows[0]?.dataset.keys?.split(' ')[column] ?? '';
    return key === '' ? undefined : Number(key);
  };
  const compare = (a: Group, b: Group, column: number, turn: number): number => {
    if (column === 0) return turn * a.text.localeCompare(b.text, undefined, { numeric: true });
    const [x, y] = [keyOf(a, column), keyOf(b, column)];
    if (x === undefined || y === undefined) return (x === undefined ? 1 : 0) - (y === undefined ? 1 : 0);
    return turn * (x - y);
  };
  const heads = Array.from(table.tHead?.rows[0]?.cells ?? []);
  heads.forEach((head, column) => {
    if (column > 0 && groups.every((group) => keyOf(group, column) === undefined)) return;
    const button = make('button', '', ...Array.from(head.childNodes));
    button.type = 'button';
    head.append(button);
    button.addEventListener('click', () => {
      // Names from A on, figures from the greatest on; once more turns them around.
      const first = column === 0 ? 'ascending' : 'descending';
      const order = head.getAttribute('aria-sort') === first ? (column === 0 ? 'descending' : 'ascending') : first;
      for (const each of heads) each.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', order);
      groups = groups.toSorted((a, b) => compare(a, b, column, order === 'ascending' ? 1 : -1));
      body.append(...groups.flatMap(({ rows }) => rows));
      show();
    });
  });
  show();
  table.classList.remove('cut');
  tools.hidden = false;
}
