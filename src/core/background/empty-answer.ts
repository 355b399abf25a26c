import type { Request } from '../../model/network/timeline.ts';
import { headerOf } from '../text/header.ts';

/** What an empty body takes on the wire: the last chunk of HTTP/1.1 has 5 bytes, the frame of HTTP/2 that ends a stream 9. */
const FRAMING_BYTES = 9;

/**
 * Was it answered without a body? Neither a script nor a picture can show anything of that. Who asks with GET may wait for
 * a list that is empty all the same; who asks with HEAD reads the headers (how many comments there are).
 */
export function isAnsweredEmpty(
  request: Pick<Request, 'response' | 'method' | 'outcome' | 'contentSize' | 'bodySize'>,
): boolean {
  const { response, method } = request;
  if (!response) return false;
  if (response.status === 204 || response.status === 205) return true;
  const isSuccess = response.status >= 200 && response.status < 300 && method !== 'HEAD' && method !== 'GET';
  return isSuccess && isEmpty(request);
}

/** Does the server say so, or does it say nothing, and nothing came? */
function isEmpty({
  response,
  outcome,
  contentSize,
  bodySize,
}: Pick<Request, 'response' | 'outcome' | 'contentSize' | 'bodySize'>): boolean {
  const announced = headerOf(response?.headers ?? [], 'content-length');
  if (announced !== undefined) return Number(announced) === 0;
  return outcome === 'finished' && contentSize === 0 && bodySize !== undefined && bodySize <= FRAMING_BYTES;
}
