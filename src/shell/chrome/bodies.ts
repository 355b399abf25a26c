import type { CDPSession } from 'puppeteer-core';
import type { BodyText } from '../../model/recording.ts';
import type { Request } from '../../model/timeline.ts';
import { LAST_WORD_MS, within } from './within.ts';

/** Bodies of what has finished, as far as the browser still has them. */
export async function readBodies(page: CDPSession, requests: readonly Request[]): Promise<readonly BodyText[]> {
  const finished = requests.filter((each) => each.outcome === 'finished' && each.contentSize > 0);
  const bodies = await Promise.all(
    finished.map(async (each): Promise<BodyText | undefined> => {
      const answer = await within(LAST_WORD_MS, page.send('Network.getResponseBody', { requestId: each.requestId }));
      return answer && { id: each.id, text: answer.body, base64: answer.base64Encoded };
    }),
  );
  return bodies.filter((body) => body !== undefined);
}
