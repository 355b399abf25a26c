import { watchDom } from '../dom-changes.ts';
import type { Instrument, MeasuredLoad } from './instrument.ts';

/** When scripts change what the document shows. The page's report brings what was noted. */
export function createDomChanges({ request }: MeasuredLoad): Instrument | undefined {
  return request.film || request.domChanges ? { beforeStart: [watchDom] } : undefined;
}
