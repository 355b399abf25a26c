import type { CausedChange, CausedFrame } from '../../model/completion/causes.ts';
import type { Ms } from '../../model/units.ts';
import { defined } from '../text/defined.ts';
import { type Chains, inScript, type Led } from './chains.ts';
import type { CauseEvents, CauseSpan, CauseThread, DocumentChange, ThreadKey } from './events.ts';

/**
 * The frames in which a traced page drew what had changed in its documents, and what had led to the changes. Other pages of the
 * browser are in the trace, too.
 *
 * @param page its outermost frame
 * @param timeAt ms since the recording's zero, of the trace's clock
 */
export function causedFrames(
  { threads, parents }: CauseEvents,
  chains: Chains,
  page: string,
  timeAt: (traced: number) => Ms,
): readonly CausedFrame[] {
  const isOfPage = ({ frame }: DocumentChange): boolean => {
    const seen = new Set<string>();
    for (let each = frame; each !== undefined && !seen.has(each); each = parents.get(each)) {
      if (each === page) return true;
      seen.add(each);
    }
    return false;
  };
  const own = [...threads].filter(([, { changes }]) => changes.some(isOfPage));
  const frames = own.flatMap(([thread, events]) => framesOn(thread, events, chains, timeAt));
  return frames.toSorted((a, b) => a.at - b.at);
}

function framesOn(
  thread: ThreadKey,
  { changes, commits }: CauseThread,
  chains: Chains,
  timeAt: (traced: number) => Ms,
): readonly CausedFrame[] {
  const causeAt = createCauseLookup(thread, chains);
  const found: CausedFrame[] = [];
  let next = 0;
  for (const commit of commits) {
    const by = new Map<string, CausedChange>();
    let isUnclear = false;
    for (let at = changes[next]?.at; at !== undefined && at <= commit; at = changes[next]?.at) {
      next += 1;
      const led = causeAt(at);
      if (led === undefined) continue;
      if (led.cause === 'unknown') {
        isUnclear = true;
        continue;
      }
      const since = timeAt(led.since ?? at);
      by.set(`${led.by} ${since}`, { ...defined({ requestId: led.by }), since, at: timeAt(at) });
    }
    const isChanged = by.size > 0 || isUnclear;
    if (isChanged) found.push({ at: timeAt(commit), by: [...by.values()], ...(isUnclear && { unclear: true }) });
  }
  return found;
}

/** What led to changes, asked in order of time; undefined of what the browser itself derives from others. */
function createCauseLookup(thread: ThreadKey, { readerOf, led }: Chains): (at: number) => Led | undefined {
  const reader = readerOf(thread);
  let known: { readonly innermost: CauseSpan | undefined; readonly led: Led | undefined } | undefined;
  return (at) => {
    // Most changes come many at a time.
    const innermost = reader.innermost(at);
    if (known === undefined || innermost === undefined || known.innermost !== innermost) {
      known = { innermost, led: causeIn(reader.around(at), at) };
    }
    return known.led;
  };

  function causeIn(around: readonly CauseSpan[], at: number): Led | undefined {
    const names = around.map(({ name }) => name);
    if (names.includes('UpdateLayoutTree') || names.includes('Layout')) return undefined;
    if (names.includes('ParseHTML') && !around.some(inScript)) return { cause: 'parser' };
    return led({ thread, at });
  }
}
