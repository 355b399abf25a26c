import type { ResourceType } from '../../../model/network/network.ts';
import type { Request } from '../../../model/network/timeline.ts';
import { headerOf } from '../../text/header.ts';

/** Is it a file that browsers keep, and that so says nothing to the server when it is asked for again? A report is sent each time. */
export function isKept({ url, response }: Pick<Request, 'url' | 'response'>): boolean {
  const headers = response?.headers ?? [];
  const control = [headerOf(headers, 'cache-control'), headerOf(headers, 'pragma')].join();
  if (url.includes('?') || /no-cache|no-store|max-age=0\b/i.test(control)) return false;
  return ['etag', 'last-modified'].some((name) => headerOf(headers, name) !== undefined) || /max-age/i.test(control);
}

/** Types that frames and parts of a page ask for again because each needs the file. The data of a poll may be kept as well. */
const FILES: ReadonlySet<ResourceType> = new Set<ResourceType>(['script', 'image']);

/** Is it the same file each time it is asked for, and no question? */
export function isFile(request: Pick<Request, 'type' | 'url' | 'response'>): boolean {
  return FILES.has(request.type) && isKept(request);
}
