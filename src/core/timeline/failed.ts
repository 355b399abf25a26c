import type { Request } from '../../model/network/timeline.ts';

/** Whether a request got no answer that a page can work with. */
export function isFailed({ outcome, response }: Request): boolean {
  return outcome === 'failed' || (response?.status ?? 0) >= 400;
}
