import type { CDPSession } from 'puppeteer-core';
import type { Request } from '../../model/network/timeline.ts';
import type { BodyText } from '../../model/recording/recording.ts';
import { withTimeout } from '../connect/with-timeout.ts';

/** Reads the bodies of the finished requests, as far as the browser still has them. */
export async function readBodies(page: CDPSession, requests: readonly Request[]): Promise<readonly BodyText[]> {
  const finished = requests.filter((each) => each.outcome === 'finished' && each.contentSize > 0);
  const bodies = await Promise.all(
    finished.map(async (each): Promise<BodyText | undefined> => {
      const answer = await withTimeout(page.send('Network.getResponseBody', { requestId: each.requestId }));
      return answer && { id: each.id, text: answer.body, base64: answer.base64Encoded };
    }),
  );
  return bodies.filter((body) => body !== undefined);
}
