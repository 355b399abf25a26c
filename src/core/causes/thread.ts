import type { CauseSpan, CauseThread, RequestPoint } from './events.ts';

/** Answers questions about what happened on one thread. */
export interface ThreadReader {
  /** The spans around a moment, the outermost first. */
  around(at: number): readonly CauseSpan[];
  /** The last of those. */
  innermost(at: number): CauseSpan | undefined;
  /** Spans that begin between two moments, in order. */
  within(from: number, to: number): readonly CauseSpan[];
  /** The span of this name that begins at this very moment. */
  startingAt(at: number, name: string): CauseSpan | undefined;
  /** What came of requests between two moments, the second one not included. */
  pointsIn(from: number, to: number): readonly RequestPoint[];
  /** Tasks in which nothing came and no script ran, but microtasks did. */
  bareTasks(): readonly { readonly task: CauseSpan; readonly microtasks: CauseSpan }[];
}

/** A reader of a thread whose spans and points are in order. */
export function createThreadReader({ spans, points }: CauseThread): ThreadReader {
  const tasks = spans.filter(({ name }) => name === 'RunTask');
  const within = (from: number, to: number): readonly CauseSpan[] =>
    spans.slice(firstFrom(spans, from, fromOf), firstAfter(spans, to, fromOf));
  const around = (at: number): readonly CauseSpan[] => {
    const task = tasks[firstAfter(tasks, at, fromOf) - 1];
    if (task === undefined || task.to < at) return [];
    return within(task.from, at).filter(({ to }) => to >= at);
  };
  const pointsIn = (from: number, to: number): readonly RequestPoint[] =>
    points.slice(firstFrom(points, from, atOf), firstFrom(points, to, atOf));
  let bare: readonly { readonly task: CauseSpan; readonly microtasks: CauseSpan }[] | undefined;
  return {
    around,
    innermost(at) {
      for (let i = firstAfter(spans, at, fromOf) - 1; i >= 0; i -= 1) {
        const span = spans[i];
        if (span === undefined || span.to >= at) return span;
        // Nothing is around a task.
        if (span.name === 'RunTask') return undefined;
      }
      return undefined;
    },
    within,
    startingAt: (at, name) => {
      for (let i = firstAfter(spans, at, fromOf) - 1; i >= 0 && spans[i]?.from === at; i -= 1) {
        const span = spans[i];
        if (span?.name === name) return span;
      }
      return undefined;
    },
    pointsIn,
    bareTasks() {
      bare ??= spans.flatMap((span, i) => {
        if (span.name !== 'RunMicrotasks' || spans[i - 1]?.name !== 'RunTask') return [];
        const task = spans[i - 1];
        if (task === undefined || task.to < span.to) return [];
        return pointsIn(task.from, span.from).length > 0 ? [] : [{ task, microtasks: span }];
      });
      return bare;
    },
  };
}

const fromOf = ({ from }: CauseSpan): number => from;
const atOf = ({ at }: RequestPoint): number => at;

/** The place of the first of sorted items for which something holds that holds for all behind it. */
function firstWith<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && holds(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The place of the first that is not before a moment. */
const firstFrom = <T>(items: readonly T[], at: number, of: (item: T) => number): number =>
  firstWith(items, (item) => of(item) >= at);

/** The place of the first that is behind a moment. */
const firstAfter = <T>(items: readonly T[], at: number, of: (item: T) => number): number =>
  firstWith(items, (item) => of(item) > at);
