import type { Request } from '../../model/timeline.ts';

/**
 * Was it answered without a body? Neither a script nor a picture can show anything of that. Who asks with GET may wait for
 * a list that is empty all the same, and HEAD asks for no body.
 */
export function isAnsweredEmpty({ response, method }: Pick<Request, 'response' | 'method'>): boolean {
  if (!response) return false;
  if (response.status === 204 || response.status === 205) return true;
  const isSuccess = response.status >= 200 && response.status < 300 && method !== 'HEAD' && method !== 'GET';
  return isSuccess && response.headers.some(({ name, value }) => /^content-length$/i.test(name) && Number(value) === 0);
}
