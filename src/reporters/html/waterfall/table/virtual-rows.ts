import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Which lines of a long list exist. */
export interface VirtualRows {
  readonly first: number;
  /** One beyond the last. */
  readonly last: number;
  /** Height of a line, px. */
  readonly tall: number;
  /** Brings a line into sight of the frame. */
  reveal(position: number): void;
}

/** Lines beyond the edges, so that a turn of the wheel finds them there. */
const BEYOND = 8;
/** Lines are added and taken away by so many, so that not every turn of the wheel changes the document. */
const STEP = BEYOND / 2;

/** How much of the frame lines are seen in, px: its head and its lanes stand before them. */
function roomOf(frame: HTMLElement): number {
  const covers = [...frame.querySelectorAll<HTMLElement>('.head, .tracks')];
  return Math.max(0, frame.clientHeight - covers.reduce((sum, { offsetHeight }) => sum + offsetHeight, 0));
}

/**
 * Keeps the lines near those that are seen in the document, and no others: a frame of a thousand lines is as light as
 * one of fifty. With `all`, that many from the first on exist.
 */
export function useVirtualRows(
  frame: RefObject<HTMLElement | null>,
  count: number,
  all: number | undefined,
): VirtualRows & { look(): void } {
  const [shown, setShown] = useState({ first: 0, last: 0, tall: 24 });
  const now = useRef(shown);
  const show = (first: number, last: number, tall: number): void => {
    const next = { first: Math.max(0, Math.min(first, count - 1)), last: Math.min(count, last), tall };
    const { current } = now;
    if (next.first === current.first && next.last === current.last && tall === current.tall) return;
    now.current = next;
    setShown(next);
  };
  const look = (): void => {
    const { current: element } = frame;
    if (element === null) return;
    const tall = Number.parseFloat(getComputedStyle(element).getPropertyValue('--tall'));
    if (all !== undefined) {
      show(0, all, tall);
      return;
    }
    const first = Math.floor(element.scrollTop / tall);
    const last = Math.ceil((element.scrollTop + roomOf(element)) / tall);
    const { current } = now;
    if (current.last > current.first && (last <= current.first || first >= current.last)) {
      // After a leap every line is new: those in sight now, those beyond for the picture after this one.
      show(first, last, tall);
      requestAnimationFrame(() => requestAnimationFrame(() => latest.current()));
      return;
    }
    show(Math.floor((first - BEYOND) / STEP) * STEP, Math.ceil((last + BEYOND) / STEP) * STEP, tall);
  };
  const latest = useRef(look);
  latest.current = look;
  useLayoutEffect(look, [count, all]);
  useLayoutEffect(() => {
    const { current: element } = frame;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => latest.current());
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return {
    ...shown,
    last: Math.min(shown.last, count),
    look,
    reveal: (position) => {
      const { current: element } = frame;
      if (element === null) return;
      const top = position * shown.tall;
      const room = roomOf(element);
      if (top < element.scrollTop) element.scrollTop = top;
      else if (top + shown.tall > element.scrollTop + room) element.scrollTop = top + shown.tall - room;
      look();
    },
  };
}
