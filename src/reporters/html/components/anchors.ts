import { all, make } from '../client/dom.ts';
import { slug } from './slug.ts';

/** What folds a page is pressed itself: the list of pages leads there. */
const HEADINGS = 'main :is(h2, h3, h4, h5):not(.unseen, summary *)';
const ROWS = 'main tbody tr[id]';

/** Gives every heading and every row of a table a link to itself, to be copied and sent to somebody. */
export function linkToPlaces(): void {
  for (const heading of all(document, HEADINGS)) {
    if (heading.parentElement?.querySelector(':scope > .anchor')) continue;
    if (heading.id === '') heading.id = freeId(slug(heading.textContent));
    heading.append(anchor(heading.id, heading.textContent.trim()));
  }
  for (const row of all<HTMLTableRowElement>(document, ROWS)) {
    row.cells[0]?.append(anchor(row.id, `row ${row.sectionRowIndex + 1}`));
  }
  // What has its id only now was not there when the browser looked for it. Ids are made of letters that no address encodes.
  if (location.hash.length > 1) document.getElementById(location.hash.slice(1))?.scrollIntoView();
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
