import type { Span } from '../../scale.ts';
import type { Axis } from './geometry.ts';
import type { Group, ShownRow } from './table/rows.ts';

/** What a reader wants to see of a waterfall. Waterfalls that stand together share one. */
export interface Choice {
  /** None: all. */
  readonly types: ReadonlySet<Group>;
  readonly background: 'all' | 'only' | 'hidden';
  /** Only the first rows, as long as none are filtered, grouped or sorted. */
  readonly few: boolean;
  /** Part of an address, or of a kind of background traffic. */
  readonly search: string;
  readonly failed: boolean;
  /** Only the critical path. */
  readonly critical: boolean;
  /** The critical path drawn in. */
  readonly chain: boolean;
  readonly group: 'none' | 'type' | 'host' | 'background';
  /** Keys of groups. */
  readonly folded: ReadonlySet<string>;
  readonly sort: 'start' | 'end' | 'duration' | 'size' | 'name';
  readonly descending: boolean;
  /** The closer look at the load, the whole axis, or a part of it. */
  readonly zoom: 'load' | 'all' | Span;
}

/** A choice of rows that all rows pass. */
export const NO_FILTERS = {
  types: new Set<Group>(),
  background: 'all',
  few: false,
  search: '',
  failed: false,
  critical: false,
} satisfies Partial<Choice>;

/** What is seen first. */
export const FIRST_CHOICE: Choice = {
  ...NO_FILTERS,
  few: true,
  chain: false,
  group: 'none',
  folded: new Set(),
  sort: 'start',
  descending: false,
  zoom: 'load',
};

/** Are rows filtered, grouped or sorted? */
export const isArranged = (choice: Choice): boolean =>
  choice.types.size > 0 ||
  choice.background !== 'all' ||
  choice.search !== '' ||
  choice.failed ||
  choice.critical ||
  choice.group !== 'none' ||
  choice.sort !== 'start' ||
  choice.descending;

/** True when something else is chosen than what is seen first; which rows are folded or few does not count. */
export const isTouched = (choice: Choice): boolean => isArranged(choice) || choice.chain || choice.zoom !== 'load';

/** A set with an item more, or less when it was there. */
export function toggled<T>(set: ReadonlySet<T>, item: T, on = !set.has(item)): ReadonlySet<T> {
  const rest = [...set].filter((each) => each !== item);
  return new Set(on ? [...rest, item] : rest);
}

/** What is chosen when a column is asked for: once more turns it around. */
export const sortedBy = (choice: Choice, sort: Choice['sort']): Pick<Choice, 'sort' | 'descending'> => ({
  sort,
  // What is long and what is large is looked for first.
  descending: choice.sort === sort ? !choice.descending : sort === 'duration' || sort === 'size',
});

/** The closest look, ms. */
export const CLOSEST = 2;

/** The part of the axis that a choice shows. */
export function chosenSpan({ zoom }: Choice, { span, near = span }: Axis): Span {
  if (zoom === 'all') return { from: 0, to: span };
  return zoom === 'load' ? { from: 0, to: near } : zoom;
}

/** The choice of a part of the axis, moved to where it fits and named where it has a name. */
export function zoomOn(from: number, to: number, { span, near = span }: Axis): Choice['zoom'] {
  const length = Math.max(CLOSEST, Math.min(to - from, span));
  const start = Math.max(0, Math.min(from, span - length));
  if (length >= span) return 'all';
  return start === 0 && length === near ? 'load' : { from: start, to: start + length };
}

/** Ways to change what is looked at. */
export type Zoom = 'in' | 'out' | 'left' | 'right';

/** A look closer, from farther away or along; closer is around the start of the row that is looked at, if it is in sight. */
export function zoomed(choice: Choice, axis: Axis, how: Zoom, row: ShownRow | undefined): Choice['zoom'] {
  const { from, to } = chosenSpan(choice, axis);
  const length = to - from;
  const start = row?.startedAt ?? -1;
  const middle = start >= from && start <= to ? start : from + length / 2;
  switch (how) {
    case 'in':
      return zoomOn(middle - (middle - from) / 2, middle + (to - middle) / 2, axis);
    case 'out':
      return zoomOn(from - length / 2, to + length / 2, axis);
    case 'left':
      return zoomOn(from - length / 4, to - length / 4, axis);
    case 'right':
      return zoomOn(from + length / 4, to + length / 4, axis);
  }
}
