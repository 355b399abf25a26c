import { originOf } from '../requests/origin.ts';
import { queuesOf, starvationOf } from '../requests/starvation.ts';
import { type Fix, isWorthIt, urlsOf } from './fix.ts';
import { savingOf } from './replay/replay.ts';

/** Requests of the page that wait for each other: over HTTP/1.1 a browser sends six at a time to one server. */
export const connectionLimit: Fix = (load) => {
  const { timeline, verdicts } = load.visit;
  // Where background traffic holds the connections, that is what to change.
  const starved = new Set(starvationOf(timeline, verdicts).map(({ request }) => request));
  const queueOf = queuesOf(timeline);
  const queued = load.steps.flatMap((step) => {
    const held = starved.has(step.request) ? undefined : queueOf(step.request);
    return held === undefined ? [] : [{ step, head: held.to - held.from }];
  });
  const byOrigin = Map.groupBy(queued, ({ step }) => originOf(step.request.url));
  return [...byOrigin].flatMap(([origin, waiting]) => {
    const shorter = new Map(waiting.map(({ step, head }) => [step, { head, receive: 0 }] as const));
    const savesMs = savingOf(load, { shorter });
    if (!isWorthIt(load, savesMs)) return [];
    const longest = Math.max(...waiting.map(({ head }) => head));
    const urls = urlsOf(waiting.map(({ step }) => step));
    return [{ code: 'connection-limit', urls, savesMs, facts: { origin, requests: waiting.length, longest } }];
  });
};
