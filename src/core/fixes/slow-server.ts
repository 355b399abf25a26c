import type { Ms } from '../../model/units.ts';
import { originOf } from '../requests/origin.ts';
import { type Fix, isWorthIt } from './fix.ts';
import type { Step } from './replay/load.ts';
import { savingOf } from './replay/replay.ts';

/** How long a fast server takes until the first byte, ms. Source: Lighthouse, `core/audits/server-response-time.js`, TARGET_MS. */
const TARGET_MS = 100;

/** Requests of the critical path whose first byte came late: the server, or the way to it. */
export const slowServer: Fix = (load) => {
  const asked = load.steps.filter(({ request }) => request.response?.fromCache === undefined);
  const byOrigin = Map.groupBy(asked, ({ request }) => originOf(request.url));
  return load.critical.flatMap((step) => {
    const wait = waitOf(step);
    // No server is faster than the network.
    const target = Math.max(TARGET_MS + load.latency, fastestOf(byOrigin.get(originOf(step.request.url)) ?? []));
    // An answer that is an error is to be mended, not to come sooner.
    const isError = (step.request.response?.status ?? 0) >= 400;
    if (step.request.outcome !== 'finished' || isError || wait <= target) return [];
    const savesMs = savingOf(load, { shorter: new Map([[step, { head: wait - target, receive: 0 }]]) });
    const { url } = step.request;
    return isWorthIt(load, savesMs)
      ? [{ code: 'slow-server', urls: [url], savesMs, facts: { url, wait, target } }]
      : [];
  });
};

/** From the request on the wire to the first byte, ms. */
function waitOf({ request: { timing }, startedAt, arrivedAt }: Step): Ms {
  return Math.max(0, arrivedAt - Math.max(startedAt, timing?.sendEnd ?? timing?.sendStart ?? startedAt));
}

/** The shortest wait for one server, ms: so far away it is. Nothing where only one thing was asked of it. */
function fastestOf(asked: readonly Step[]): Ms {
  return asked.length < 2 ? 0 : asked.reduce((least, each) => Math.min(least, waitOf(each)), Number.POSITIVE_INFINITY);
}
