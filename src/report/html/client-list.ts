import type { Elements } from './client-elements.ts';
import type { Entry } from './row-order.ts';

/** A list of which only the lines in sight exist. */
export interface LongList {
  /** Shows other lines, or the same ones drawn anew. */
  fill(entries: readonly Entry[]): void;
  /** The element of a line; nothing of one that is out of sight. */
  at(position: number): HTMLElement | undefined;
  /** Which line an element within the list belongs to; -1: none. */
  positionOf(within: EventTarget | null): number;
  /** Brings a line into sight, in the frame and in the window. */
  reveal(position: number): void;
  /** All lines up to `most`, or again only those in sight. */
  unroll(most: number | undefined): void;
  /** Height of a line, px. */
  tall(): number;
  /** The first line that exists. */
  first(): number;
}

/**
 * Keeps the lines near those that are seen in the document, and takes the others out: a frame of a thousand lines is as
 * light as one of fifty. Self-contained (see `client-elements.ts`). `made` draws a line; `moved` hears that other lines
 * exist.
 */
export function longList(
  { one }: Elements,
  frame: HTMLElement,
  made: (entry: Entry) => HTMLElement,
  moved: () => void,
): LongList {
  /** Lines beyond the edges, so that a turn of the wheel finds them there. */
  const BEYOND = 8;
  const list = one(frame, '.list') ?? frame;
  const rows = one(frame, '.lines') ?? frame;
  const head = one(frame, '.head');
  const lanes = one(frame, '.tracks');

  let entries: readonly Entry[] = [];
  let from = 0;
  let elements: HTMLElement[] = [];
  let most: number | undefined;
  const tall = (): number => Number.parseFloat(getComputedStyle(list).getPropertyValue('--tall'));
  let height = tall();

  /** How much of the frame lines are seen in, px. */
  const room = (): number => Math.max(0, frame.clientHeight - (head?.offsetHeight ?? 0) - (lanes?.offsetHeight ?? 0));

  const show = (first: number, last: number, anew: boolean): void => {
    if (!anew && first === from && last === from + elements.length) return;
    const old = elements;
    const next: HTMLElement[] = [];
    for (let position = first; position < last; position++) {
      const entry = entries[position];
      const known = anew ? undefined : old[position - from];
      if (known !== undefined) next.push(known);
      else if (entry !== undefined) next.push(made(entry));
    }
    const kept = new Set(next);
    for (const element of old) if (!kept.has(element)) element.remove();
    // What stays keeps its place: only what is new is put before, after or between.
    let after: ChildNode | null = rows.querySelector(':scope > .r');
    for (const element of next) {
      if (element === after) after = element.nextSibling;
      else rows.insertBefore(element, after);
    }
    from = first;
    elements = next;
    rows.style.top = `${first * height}px`;
    moved();
  };

  const look = (anew: boolean): void => {
    if (most !== undefined) {
      show(0, Math.min(entries.length, most), anew);
      return;
    }
    const first = Math.floor(frame.scrollTop / height);
    const last = Math.ceil((frame.scrollTop + room()) / height);
    if (!anew && elements.length > 0 && (last <= from || first >= from + elements.length)) {
      // After a leap every line is new: those in sight now, those beyond for the picture after this one.
      show(Math.max(0, Math.min(first, entries.length - 1)), Math.min(entries.length, last), false);
      requestAnimationFrame(() => requestAnimationFrame(() => look(false)));
      return;
    }
    // In whole steps, so that not every turn of the wheel changes the document.
    const step = BEYOND / 2;
    show(
      Math.max(0, Math.min(Math.floor((first - BEYOND) / step) * step, entries.length - 1)),
      Math.min(entries.length, Math.ceil((last + BEYOND) / step) * step),
      anew,
    );
  };
  const measure = (): void => {
    height = tall();
    list.style.height = `${Math.min(entries.length, most ?? entries.length) * height}px`;
  };

  for (const row of Array.from(rows.querySelectorAll(':scope > .r'))) row.remove();
  frame.classList.add('live');
  frame.addEventListener('scroll', () => look(false));
  new ResizeObserver(() => {
    const before = height;
    measure();
    look(before !== height);
  }).observe(frame);

  return {
    fill: (next) => {
      entries = next;
      measure();
      look(true);
    },
    at: (position) => elements[position - from],
    positionOf: (within) => {
      const element = within instanceof Element ? within.closest<HTMLElement>('.r') : null;
      const index = element === null ? -1 : elements.indexOf(element);
      return index < 0 ? -1 : from + index;
    },
    reveal: (position) => {
      const top = position * height;
      const seen = room();
      if (top < frame.scrollTop) frame.scrollTop = top;
      else if (top + height > frame.scrollTop + seen) frame.scrollTop = top + height - seen;
      look(false);
      elements[position - from]?.scrollIntoView({ block: 'nearest' });
      look(false);
    },
    unroll: (upTo) => {
      most = upTo;
      measure();
      look(false);
    },
    tall: () => height,
    first: () => from,
  };
}
