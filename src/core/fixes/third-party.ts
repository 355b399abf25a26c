import type { FixFact } from '../../model/fix.ts';
import type { ResourceType } from '../../model/network.ts';
import { siteOf } from '../changes/site.ts';
import { type Fix, isWorthIt, urlsOf } from './fix.ts';
import type { Load, Step } from './load.ts';
import { savingOf } from './replay.ts';

/** What a page can host itself or load later. Data that its own scripts ask for are its own, wherever they are. */
const FILES: ReadonlySet<ResourceType> = new Set(['document', 'script', 'stylesheet', 'font', 'image', 'media']);

/** Other sites that the critical path waits for. */
export const thirdParty: Fix = (load) => {
  const own = siteOf(load.document.request.url);
  const foreign = load.critical.filter((step) => isForeign(step, own, load));
  return [...Map.groupBy(foreign, ({ request }) => siteOf(request.url))].flatMap(
    ([site, steps]): readonly FixFact[] => {
      const savesMs = savingOf(load, {
        without: new Set(load.steps.filter((step) => isForeign(step, own, load) && siteOf(step.request.url) === site)),
      });
      return isWorthIt(load, savesMs)
        ? [{ code: 'third-party', urls: urlsOf(steps), savesMs, facts: { site, requests: steps.length } }]
        : [];
    },
  );
};

function isForeign({ request }: Step, own: string, { initiators }: Load): boolean {
  const site = siteOf(request.url);
  if (site === '' || own === '' || site === own || request.mainDocument) return false;
  const askedBy = initiators(request)?.request;
  return FILES.has(request.type) || (askedBy !== undefined && siteOf(askedBy.url) === site);
}
