import type { DetectedKind } from '../../../model/background/kinds.ts';
import type { Observation, Verdict } from '../../../model/background/verdict.ts';
import type { Request } from '../../../model/network/timeline.ts';
import { callSiteOf } from '../../requests/initiators.ts';
import { partsOf } from './source.ts';

/** Is it open, with an answer of this content type? One that finished is an ordinary request. */
export function isOpenStream({ endedAt, response }: Request, type: RegExp): boolean {
  return endedAt === undefined && type.test(response?.mimeType ?? '');
}

/**
 * The verdict on a stream that a script reads, whose content type says what it is. A slow response looks the same until it
 * finishes, so it is watched for a while.
 */
export function readStream(request: Request, kind: DetectedKind, { suspectMs }: Observation): Verdict {
  const { id, type, response, startedAt } = request;
  return {
    requestId: id,
    kind,
    reason: {
      code: 'read-event-stream',
      mimeType: response?.mimeType ?? '',
      type,
      pieces: partsOf(request).length,
      ...callSiteOf(request),
    },
    confidence: 'certain',
    decidedAt: startedAt + suspectMs,
  };
}
