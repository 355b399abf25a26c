import type { ResourceType } from '../../model/network/network.ts';
import { isSameContext } from '../path/critical-path.ts';
import { timerOf } from '../requests/initiators.ts';
import { ownConnectionOf } from './connection.ts';
import { contributors, type Fix, isFetched, urlsOf } from './fix.ts';
import type { Load, Step } from './replay/load.ts';
import { pictureOf } from './replay/picture.ts';

/**
 * Files that one document preloads at most. Source: Chrome requests preloads before everything else, so each takes bandwidth
 * from the others (https://web.dev/articles/preload-critical-assets).
 */
const TRIED = 12;

/** What `<link rel="preload">` or `modulepreload` can request. */
const PRELOADABLE: ReadonlySet<ResourceType> = new Set(['script', 'stylesheet', 'font', 'image', 'fetch', 'xhr']);
/** A query with a moment of this load, as seconds or milliseconds since 1970: another load has another address. */
const DATED = /=1\d{9}(?:\d{3})?(?:[.&]|$)/;
const DATA: ReadonlySet<ResourceType> = new Set(['fetch', 'xhr']);

/** Requests that a file asks for although the document could: it would have to name them (preload). */
export const lateDiscovery: Fix = (load) => {
  const late = load.steps.filter((step) => isLate(step, load)).slice(-TRIED);
  const { steps, savesMs } = contributors(load, late, (all) => ({
    preloaded: new Map(all.map((step) => [step, { costs: ownConnectionOf(load, step) }])),
  }));
  if (steps.length === 0) return [];
  const inOrder = steps.toSorted((a, b) => a.startedAt - b.startedAt);
  return [{ code: 'late-discovery', urls: urlsOf(inOrder), savesMs, facts: { requests: steps.length } }];
};

function isLate(step: Step, load: Load): boolean {
  const { request } = step;
  if (!PRELOADABLE.has(request.type) || !isFetched(request) || request.hop > 0 || isDated(request.url)) return false;
  if (!isSameContext(request, load.document.request) || step === pictureOf(load)) return false;
  const { initiator } = request;
  const askedBy = load.initiators(request);
  if (askedBy?.origin !== 'named' || initiator?.type === 'preload' || timerOf(initiator) !== undefined) return false;
  // The document names it already.
  if (initiator?.type === 'parser' && askedBy.request.mainDocument) return false;
  // What is asked for after data may be known from them only.
  return !(DATA.has(request.type) && isAfterData(step, load));
}

/** Data led to it, or may have: where nothing shows what did. */
function isAfterData({ request, startedAt, after }: Step, { steps, causeOf }: Load): boolean {
  const isKnown = causeOf(request)?.by !== undefined;
  const before = isKnown ? after.map(({ step }) => step) : steps.filter(({ arrivedAt }) => arrivedAt <= startedAt);
  return before.some((other) => DATA.has(other.request.type) && other.request !== request);
}

const isDated = (url: string): boolean => DATED.test(url.replace(/^[^?]*|#.*$/gs, ''));
