import { readMainThread } from '../../../core/main-thread/read.ts';
import { LONGEST_MAP_NAME, mapNamedBy } from '../../../core/main-thread/source-map.ts';
import { pageUrlOf } from '../../../core/requests/page-url.ts';
import { cutTo } from '../../../core/text/cut-to.ts';
import { defined } from '../../../core/text/defined.ts';
import { countedUntil } from '../../../core/time/completed-at.ts';
import type { MainThread, UnreadMap, Work } from '../../../model/main-thread.ts';
import type { Recording } from '../../../model/recording/recording.ts';
import type { FinishedRun } from '../run.ts';
import { lookupsIn, type ScriptSources } from './script-sources.ts';

/** What reading a trace needs. */
export interface TraceUse {
  /** Writes the trace beside the result, and gives its name; undefined where none is kept. */
  writeTrace(recording: Recording): Promise<string | undefined>;
  /** Scripts with their source maps; absent where they were not requested. */
  readonly sources?: ScriptSources | undefined;
}

/** What the trace says until page complete; and for the critical path what the thread did when. */
export async function mainThreadOf(
  { visit }: FinishedRun,
  { writeTrace, sources }: TraceUse,
): Promise<{ readonly mainThread: MainThread; readonly work: readonly Work[] } | undefined> {
  const { recording, complete } = visit ?? {};
  if (!recording?.trace || !complete) return undefined;
  const { events, frameId, zero } = recording.trace;
  const until = countedUntil(complete, recording);
  const pageUrl = pageUrlOf(recording);
  const scope = { frameId, zero, until, pageUrl };
  const compiled = readMainThread(events, scope);
  const scripts = compiled?.byScript.filter(({ url, functions }) => url !== pageUrl && functions.length > 0) ?? [];
  const found = await sources?.(scripts);
  const lookups = found && lookupsIn(found);
  // Which scripts need a map is known only now, and the packages of all functions only with the maps.
  const read = lookups && lookups.size > 0 ? readMainThread(events, { ...scope, sources: lookups }) : compiled;
  const trace = await writeTrace(recording);
  const unreadMaps = found
    ? [...found.values()].flatMap(({ unread }) => unread ?? [])
    : unrequestedMaps(scripts, recording.coverage);
  if (!read) return undefined;
  const { work, ...mainThread } = read;
  return { mainThread: { ...mainThread, ...(unreadMaps.length > 0 && { unreadMaps }), ...defined({ trace }) }, work };
}

/** Maps that scripts name in their texts, as far as the browser gave these. */
function unrequestedMaps(
  scripts: readonly { readonly url: string }[],
  coverage: Recording['coverage'],
): readonly UnreadMap[] {
  return scripts.flatMap(({ url }) => {
    const text = coverage?.texts.find((each) => each.kind === 'script' && each.url === url)?.text;
    const map = text === undefined ? undefined : mapNamedBy(text);
    return map === undefined ? [] : [{ url, map: cutTo(map, LONGEST_MAP_NAME), reason: { code: 'not-asked' } }];
  });
}
