import type { FixFact } from '../../model/fixes.ts';
import { withoutHash } from '../requests/address-parts.ts';
import { type Fix, isFetched, isWorthIt, sizeOf } from './fix.ts';
import { savingOf } from './replay/replay.ts';

/** Fewer bytes than one packet are not worth a change, unless time is saved. Source: as in no-compression. */
const WORTH_BYTES = 1400;

/** The same file, fetched over the network more than once. */
export const duplicateRequest: Fix = (load) => {
  const fetched = load.steps.filter(({ request }) => isFetched(request) && request.type !== 'document');
  const alike = Map.groupBy(fetched, ({ request }) => `${request.contentSize} ${withoutHash(request.url)}`);
  return [...alike.values()].flatMap((steps): readonly FixFact[] => {
    const [first, ...again] = steps;
    if (first === undefined || again.length === 0) return [];
    const saving = savingOf(load, { sameAs: new Map(again.map((step) => [step, first])) });
    const savesMs = isWorthIt(load, saving) ? saving : 0;
    const savesBytes = again.reduce((sum, step) => sum + sizeOf(step), 0);
    if (savesMs === 0 && savesBytes < WORTH_BYTES) return [];
    const { url } = first.request;
    return [{ code: 'duplicate-request', urls: [url], savesMs, facts: { url, times: steps.length, savesBytes } }];
  });
};
