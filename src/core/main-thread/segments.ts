import type { MainThreadCategory } from '../../model/main-thread.ts';
import { categoryOf } from './categories.ts';
import type { TraceEvent } from './trace-events.ts';

/** An event with a duration in the tree of what was done inside of what. */
export interface Span {
  readonly event: TraceEvent;
  readonly parent: Span | undefined;
  readonly category: MainThreadCategory;
  /** The outermost span around it: the task. */
  readonly task: Span;
  readonly from: number;
  readonly to: number;
}

/** A piece of time in which a thread did one thing. */
export interface Segment {
  /** Microseconds. */
  readonly from: number;
  readonly to: number;
  readonly span: Span;
}

/**
 * Cuts a thread's time into pieces, each with the innermost event that it belongs to; times without any event are left
 * out, and so is everything outside of `from` to `to`. What lies within the outermost events is covered once, without gaps.
 *
 * @param events of one thread, in any order
 */
export function segmentsOf(
  events: readonly TraceEvent[],
  from: number,
  to: number,
): { readonly segments: readonly Segment[]; readonly spans: readonly Span[] } {
  const complete = events
    .filter((event) => event.ph === 'X' && event.dur > 0 && event.ts < to && event.ts + event.dur > from)
    .toSorted((a, b) => a.ts - b.ts || b.dur - a.dur);
  const segments: Segment[] = [];
  const spans: Span[] = [];
  const open: Span[] = [];
  /** Everything before is cut. */
  let cutUntil = from;
  const cut = (until: number): void => {
    const span = open.at(-1);
    if (span && until > cutUntil) segments.push({ from: cutUntil, to: until, span });
    cutUntil = Math.max(cutUntil, until);
  };
  const close = (until: number): void => {
    for (let top = open.at(-1); top && top.to <= until; top = open.at(-1)) {
      cut(top.to);
      open.pop();
    }
  };
  for (const event of complete) {
    const begins = Math.max(from, event.ts);
    close(begins);
    cut(begins);
    const parent = open.at(-1);
    // Clocks of events are rounded: an inner one may seem to end after the outer one.
    const ends = Math.min(to, event.ts + event.dur, parent?.to ?? to);
    if (ends <= begins) continue;
    const span: { -readonly [K in keyof Span]: Span[K] } = {
      event,
      parent,
      category: categoryOf(event.name) ?? parent?.category ?? 'other',
      task: undefined as never,
      from: begins,
      to: ends,
    };
    span.task = parent?.task ?? span;
    spans.push(span);
    open.push(span);
  }
  close(to);
  return { segments, spans };
}
