import type { FixFact } from '../../model/fixes.ts';
import type { ResourceType } from '../../model/network/network.ts';
import { entityOf, ownershipOf, partyOf } from '../requests/party.ts';
import { siteOf } from '../requests/site.ts';
import { type Fix, isWorthIt, urlsOf } from './fix.ts';
import type { Load, Step } from './replay/load.ts';
import { savingOf } from './replay/replay.ts';

/** What a page can host itself or load later. Data that its own scripts ask for are its own, wherever they are. */
const FILES: ReadonlySet<ResourceType> = new Set(['document', 'script', 'stylesheet', 'font', 'image', 'media']);

/** Other sites that the critical path waits for. */
export const thirdParty: Fix = (load) => {
  const foreign = load.critical.filter((step) => isForeign(step, load));
  return [...Map.groupBy(foreign, ({ request }) => partyOf(request.url))].flatMap(
    ([party, steps]): readonly FixFact[] => {
      const savesMs = savingOf(load, {
        without: new Set(load.steps.filter((step) => isForeign(step, load) && partyOf(step.request.url) === party)),
      });
      return isWorthIt(load, savesMs)
        ? [{ code: 'third-party', urls: urlsOf(steps), savesMs, facts: { ...whoseOf(steps), requests: steps.length } }]
        : [];
    },
  );
};

/** The site that they are from, and who runs it. */
function whoseOf(steps: readonly Step[]): { readonly site: string; readonly entity?: string } {
  const url = steps[0]?.request.url ?? '';
  return { site: siteOf(url), entity: entityOf(url) };
}

function isForeign({ request }: Step, { document, initiators }: Load): boolean {
  const pageUrl = document.request.url;
  const { party, thirdParty: isOther } = ownershipOf(pageUrl, request.url);
  if (siteOf(pageUrl) === '' || !isOther || request.mainDocument) return false;
  const askedBy = initiators(request)?.request;
  return FILES.has(request.type) || (askedBy !== undefined && partyOf(askedBy.url) === party);
}
