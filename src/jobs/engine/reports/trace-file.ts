import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { traceFile } from '../../../core/main-thread/trace-file.ts';
import type { Recording } from '../../../model/recording/recording.ts';
import type { ResolvedJob } from '../../../settings/resolved.ts';
import { version } from '../version.ts';
import type { OutputFolder } from './output.ts';
import { redactDeep } from './report-model.ts';

/** Writes the trace of a recording under a name, and gives that; undefined where there is none, or none is wanted. */
export type WriteTrace = (recording: Recording, name: string) => Promise<string | undefined>;

/** Events are cleaned and packed in pieces of this size, characters: there are tens of thousands. */
const PIECE = 64 * 1024;

/** Writes traces beside the HARs, where these are wanted; what the user gave to get into the page is never in them. */
export function traceWriter(
  { formats, redact }: Pick<ResolvedJob, 'formats' | 'redact'>,
  output: OutputFolder,
): WriteTrace {
  return async ({ trace, navigation }, name) => {
    if (!trace || !formats.includes('har')) return undefined;
    const metadata = {
      source: `Quiesce ${version()}`,
      dataOrigin: 'TraceEvents',
      startTime: new Date(navigation.startedAt).toISOString(),
      product: navigation.browser,
    };
    const content = traceFile(trace.events, trace, metadata, (event) => redactDeep(event, redact));
    const parts: Buffer[] = [];
    await pipeline(Readable.from(inPieces(content)), createGzip(), async (packed: AsyncIterable<Buffer>) => {
      for await (const part of packed) parts.push(part);
    });
    await output.write(name, Buffer.concat(parts));
    return name;
  };
}

function* inPieces(texts: Iterable<string>): Iterable<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}
