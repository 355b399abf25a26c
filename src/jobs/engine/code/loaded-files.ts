import { createHash } from 'node:crypto';
import { chainsOfCauses } from '../../../core/causes/lookup.ts';
import { ANONYMOUS } from '../../../core/main-thread/samples.ts';
import { plainTexts } from '../../../core/why/plain-text.ts';
import { tracedAskers } from '../../../core/why/traced-askers.ts';
import type { LoadedFile } from '../../../model/compare/why.ts';
import type { ScriptPlace } from '../../../model/main-thread.ts';
import type { Request } from '../../../model/network/timeline.ts';
import type { FinishedRun } from '../run.ts';

/** Characters of a hash: as git shows them, many more files have one each. */
const HASH_LENGTH = 16;

/** What the evidence run tells of the files that it loaded; undefined where it was not traced. */
export function loadedFilesOf({ visit }: Pick<FinishedRun, 'visit'>): readonly LoadedFile[] | undefined {
  const { recording, timeline } = visit ?? {};
  if (!recording?.trace || !timeline) return undefined;
  const urls = [...new Set(timeline.requests.map(({ url }) => url))].filter((url) => /^https?:/i.test(url));
  const plain = plainTexts(urls);
  const texts = Map.groupBy(recording.coverage?.texts ?? [], ({ url }) => url);
  const named = new Map(timeline.requests.map((request) => [request.url, askerOf(request)]));
  const traced = tracedAskers(recording.trace.events);
  const chains = chainsOfCauses(recording.causes ?? []);
  return urls.flatMap((url) => {
    const hash = texts.has(url) ? hashOf((texts.get(url) ?? []).map(({ text }) => plain(text))) : undefined;
    const askedBy = named.get(url) ?? traced.get(url);
    const causes = chains.get(url);
    const known = { hash, askedBy, causes };
    return Object.keys(known).length === 0 ? [] : [{ url, ...known }];
  });
}

/** The code that the debugger names: it knows of asynchronous steps, too. */
function askerOf({ initiator }: Request): ScriptPlace | undefined {
  const frame = initiator?.stack?.find(({ url }) => url !== '');
  if (initiator?.type !== 'script' || frame === undefined) return undefined;
  const { url, functionName, line, column } = frame;
  return { url, name: functionName === '' ? ANONYMOUS : functionName, line, column };
}

/** The same for texts in any order, and however often each was loaded. */
function hashOf(texts: readonly string[]): string {
  return createHash('sha256')
    .update([...new Set(texts)].sort().join('\0'))
    .digest('hex')
    .slice(0, HASH_LENGTH);
}
