import { type Fields, fields, finite } from '../requests/har-fields.ts';

/** An event of Chrome's trace. Source: "Trace Event Format"; times are microseconds of the browser's monotonic clock. */
export interface TraceEvent {
  readonly name: string;
  /** 'X' – with a duration; 'M' – says what a thread is called; others are moments, or parts of something. */
  readonly ph: string;
  readonly ts: number;
  readonly dur: number;
  /** Of `dur`, on a processor; absent where it is not known. */
  readonly tdur?: number;
  readonly pid: number;
  readonly tid: number;
  readonly id?: string;
  readonly args: Fields;
}

/** An event out of a parsed trace; undefined for what is none. */
export function traceEvent(raw: unknown): TraceEvent | undefined {
  const { name, ph, ts, dur, tdur, pid, tid, id, args } = fields(raw);
  const [at, ofProcess, thread, onProcessor] = [finite(ts), finite(pid), finite(tid), finite(tdur)];
  if (typeof name !== 'string' || typeof ph !== 'string') return undefined;
  if (at === undefined || ofProcess === undefined || thread === undefined) return undefined;
  return {
    name,
    ph,
    ts: at,
    dur: Math.max(0, finite(dur) ?? 0),
    tdur: onProcessor,
    pid: ofProcess,
    tid: thread,
    ...(typeof id === 'string' && { id }),
    args: fields(args),
  };
}

/** What an event is about: most keep it in `args.data`. */
export function detailOf({ args }: Pick<TraceEvent, 'args'>): Fields {
  return fields(args.data);
}

/** A text that is not empty. */
export function filled(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
