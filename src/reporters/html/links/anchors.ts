import { all, make } from '../client/dom.ts';
import { slug } from './slug.ts';

/** What folds a page is pressed itself: the list of pages leads there. */
const HEADINGS = 'main :is(h2, h3, h4, h5):not(.unseen, summary *)';
const ROWS = 'main tbody tr[id]';

/** Gives every heading and every row of a table a link to itself, to be copied and shared. */
export function linkToPlaces(): void {
  for (const heading of all(document, HEADINGS)) {
    if (heading.parentElement?.querySelector(':scope > .anchor')) continue;
    if (heading.id === '') heading.id = freeId(slug(heading.textContent));
    heading.append(anchor(heading.id, heading.textContent.trim()));
  }
  for (const row of all<HTMLTableRowElement>(document, ROWS)) {
    const [cell] = row.cells;
    if (cell === undefined) continue;
    // What stands below the name in the cell has lines of its own.
    const below = cell.querySelector(':scope > small');
    const name = (below?.previousSibling ?? cell).textContent?.trim();
    const link = anchor(row.id, name || `row ${row.sectionRowIndex + 1}`);
    // A table has many rows: the Tab key skips their links.
    link.tabIndex = -1;
    cell.insertBefore(link, below);
  }
  // What has its id only now was not there when the browser looked for it.
  if (location.hash.length > 1) show(location.hash);
  // Browsers unfold what holds a place, but not what it is the heading of, and not again where the address stays the same.
  document.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="#"]') : null;
    if (link !== null) show(link.hash);
  });
  addEventListener('hashchange', () => show(location.hash));
}

/** Unfolds everything around a place, and goes there. Ids are made of letters that no address encodes. */
function show(hash: string): void {
  const place = document.getElementById(hash.slice(1));
  if (place === null) return;
  for (
    let around = place.closest('details');
    around !== null;
    around = around.parentElement?.closest('details') ?? null
  )
    around.open = true;
  place.scrollIntoView();
}

function freeId(name: string): string {
  let id = name;
  for (let number = 2; document.getElementById(id) !== null; number += 1) id = `${name}-${number}`;
  return id;
}

function anchor(id: string, of: string): HTMLAnchorElement {
  const link = make('a', 'anchor');
  link.href = `#${id}`;
  link.ariaLabel = `Link to: ${of}`;
  return link;
}
