import type { HTMLAttributes, RefObject, TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { type Choice, NO_FILTERS, toggled, type Zoom, zoomOn } from './choice.ts';
import type { Axis } from './geometry.ts';
import type { Details } from './panel.tsx';
import type { Entry, Ordered } from './table/row-order.ts';

/** For the keyboard there is no pointer to stand beside: at the right, where most bars have ended. */
const ASIDE = Number.MAX_SAFE_INTEGER;

/** What is seen of a table, and how that changes. */
export interface TableState {
  readonly axis: Axis;
  readonly ordered: Ordered;
  readonly choice: Choice;
  readonly onChoose: (change: Partial<Choice>) => void;
  readonly onZoom: (how: Zoom) => void;
  readonly details: Details | undefined;
  readonly setDetails: (details: Details | undefined) => void;
  /** The row or the group that the keyboard is at. */
  readonly active: Name | undefined;
  readonly setActive: (name: Name | undefined) => void;
  readonly grid: RefObject<HTMLDivElement | null>;
}

/** A row's index, or a group's key. */
export type Name = number | string;

export const nameOf = (entry: Entry): Name => (entry.row === undefined ? entry.group.key : entry.row.index);

interface Navigation {
  focus(): void;
  blur(event: FocusEvent): void;
  keyDown(event: TargetedKeyboardEvent<HTMLElement>): void;
  /** Closes the details, from within them or from elsewhere. */
  leave(): void;
  /** Goes to a row, out of filters and folded groups too, and keeps its details open. */
  jump(index: number): void;
  fold(key: string, folded: boolean): void;
}

/** Lines that a key goes along. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 20,
  PageUp: -20,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

const ZOOMS: Readonly<Record<string, Zoom>> = { '+': 'in', '=': 'in', '-': 'out', '−': 'out' };
const SHIFTED: Readonly<Record<string, Zoom>> = { ArrowLeft: 'left', ArrowRight: 'right' };

/** Moving through the table with the keyboard, and between it and the details. */
export function useNavigation(
  { ordered, axis, choice, onChoose, details, setDetails, active, setActive, onZoom, grid }: TableState,
  {
    frame,
    panel,
    positions,
    reveal,
  }: {
    readonly frame: RefObject<HTMLElement | null>;
    readonly panel: RefObject<HTMLElement | null>;
    readonly positions: ReadonlyMap<Name, number>;
    readonly reveal: (position: number) => void;
  },
): Navigation {
  const { entries } = ordered;
  const pinned = details?.pinned === true;
  /** A new object each time that the active row is to be seen. */
  const [shown, setShown] = useState({});
  const [target, setTarget] = useState<number>();

  const go = (to: number, pin = pinned): void => {
    const position = Math.max(0, Math.min(entries.length - 1, to));
    const entry = entries[position];
    if (entry === undefined) return;
    setActive(nameOf(entry));
    reveal(position);
    setShown({});
    setDetails(entry.row && { row: entry.row.index, x: ASIDE, asked: true, pinned: pin });
  };
  useLayoutEffect(() => frame.current?.querySelector('.r.active')?.scrollIntoView({ block: 'nearest' }), [shown]);

  useLayoutEffect(() => {
    const position = positions.get(target ?? -1);
    if (target === undefined) return;
    if (position === undefined) {
      onChoose(choice.folded.size > 0 ? { folded: new Set() } : NO_FILTERS);
      return;
    }
    setTarget(undefined);
    go(position, true);
  }, [target, positions]);

  const fold = (key: string, folded: boolean): void => onChoose({ folded: toggled(choice.folded, key, folded) });
  const now = positions.get(active ?? -1) ?? -1;
  /** False: the key is not for the table. */
  const press = (key: string, shift: boolean): boolean => {
    const step = STEPS[key];
    const how = (shift ? SHIFTED[key] : undefined) ?? ZOOMS[key];
    const entry = entries[now];
    const group = entry?.row === undefined ? entry?.group : undefined;
    if (step !== undefined) go(now + step);
    else if (how !== undefined) onZoom(how);
    else if (key === '0') onChoose({ zoom: zoomOn(0, axis.near ?? axis.span, axis) });
    else if (entry === undefined) return false;
    else if (key === 'Enter' || key === ' ') {
      if (group === undefined) go(now, true);
      else fold(group.key, !group.folded);
    } else if (key === 'ArrowLeft') {
      if (group !== undefined) fold(group.key, true);
      else if (entry.level > 1) go(now - entry.position);
    } else if (key === 'ArrowRight' && group !== undefined) {
      if (group.folded) fold(group.key, false);
      else go(now + 1);
    } else return false;
    return true;
  };
  return {
    fold,
    focus: () => {
      const [first] = entries;
      if (active === undefined && first !== undefined) setActive(nameOf(first));
      if (!pinned && grid.current?.matches(':focus-visible') === true) go(Math.max(0, now));
    },
    blur: ({ relatedTarget }) => {
      const within = relatedTarget instanceof Node && panel.current?.contains(relatedTarget) === true;
      if (within && details !== undefined) setDetails({ ...details, pinned: true });
      else if (!pinned) setDetails(undefined);
    },
    keyDown: (event) => {
      if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
      if (press(event.key, event.shiftKey)) event.preventDefault();
    },
    leave: () => {
      // The table shows the details of its active row when the keyboard comes to it.
      grid.current?.focus({ preventScroll: true });
      setDetails(undefined);
    },
    jump: (index) => {
      setTarget(index);
      grid.current?.focus({ preventScroll: true });
    },
  };
}

/** What the mouse does on the rows. Rows that come to lie under a resting mouse were not asked for: only moves count. */
export function pointerHandlers(
  { ordered, details, setDetails, setActive }: TableState,
  { fold }: Navigation,
  hovered: number | undefined,
  setHovered: (row: number | undefined) => void,
): HTMLAttributes<HTMLDivElement> {
  const entryAt = ({ target }: Event): Entry | undefined => {
    const line = target instanceof Element ? target.closest('.r')?.ariaRowIndex : undefined;
    // The table's head is its first line.
    return ordered.entries[Number(line ?? 0) - 2];
  };
  const pinned = details?.pinned === true;
  return {
    onPointerMove: (event) => {
      if (event.pointerType !== 'mouse') return;
      const row = entryAt(event)?.row;
      if (row?.index !== hovered) setHovered(row?.index);
      if (pinned || row?.index === details?.row) return;
      setDetails(row && { row: row.index, x: event.clientX + 16, asked: false, pinned: false });
    },
    onPointerLeave: ({ pointerType }) => {
      setHovered(undefined);
      if (!pinned && pointerType === 'mouse') setDetails(undefined);
    },
    onPointerDown: (event) => {
      // Before the table takes the focus, which would open its first row.
      const entry = entryAt(event);
      if (entry !== undefined) setActive(nameOf(entry));
    },
    onClick: (event) => {
      const entry = entryAt(event);
      if (entry === undefined) return;
      setActive(nameOf(entry));
      if (entry.row === undefined) fold(entry.group.key, !entry.group.folded);
      else setDetails({ row: entry.row.index, x: event.clientX + 16, asked: false, pinned: true });
    },
  };
}
