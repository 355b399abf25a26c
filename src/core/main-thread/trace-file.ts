import { fields, list } from '../requests/har-fields.ts';
import { threadsOf } from './threads.ts';
import { traceEvent } from './trace-events.ts';

/** What is needed to choose from a trace. */
interface TracedPage {
  readonly frameId: string;
  /** Microseconds of the trace's clock. */
  readonly zero: number;
}

/** Pictures, base64: they hold no text. */
const PICTURES: ReadonlySet<unknown> = new Set(['Screenshot']);

/**
 * The content of a trace file as DevTools and Perfetto open it. Processes that show other pages of the same browser are
 * left out: a browser that was connected to may be in daily use.
 *
 * @param clean takes secrets out of an event's texts
 */
export function* traceFile(
  events: readonly unknown[],
  { frameId, zero }: TracedPage,
  metadata: Readonly<Record<string, unknown>>,
  clean: (event: unknown) => unknown,
): Iterable<string> {
  const read = events.map(traceEvent).filter((event) => event !== undefined);
  const own = new Set(threadsOf(read, frameId, zero).map(({ pid }) => pid));
  const renderers = new Set(read.filter(isRenderer).map(({ pid }) => pid));
  yield `{"metadata":${JSON.stringify(metadata)},"traceEvents":[`;
  let before = '';
  for (const event of list(events)) {
    const { pid, name } = fields(event);
    if (typeof pid === 'number' && renderers.has(pid) && !own.has(pid)) continue;
    yield `${before}${JSON.stringify(PICTURES.has(name) ? event : clean(event))}`;
    before = ',\n';
  }
  yield ']}\n';
}

function isRenderer({
  ph,
  name,
  args,
}: {
  readonly ph: string;
  readonly name: string;
  readonly args: object;
}): boolean {
  return ph === 'M' && name === 'thread_name' && 'name' in args && args.name === 'CrRendererMain';
}
