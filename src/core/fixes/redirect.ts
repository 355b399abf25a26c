import { originOf } from '../requests/origin.ts';
import { connectionTimeOf } from './connection.ts';
import { type Fix, isWorthIt, urlsOf } from './fix.ts';
import { savingOf } from './replay/replay.ts';

/** Redirects of the critical path. */
export const redirect: Fix = (load) => {
  const hops = load.critical.filter(({ request }) => request.outcome === 'redirected');
  if (hops.length === 0) return [];
  const shorter = new Map(
    hops.map((hop) => {
      const next = load.critical[load.critical.indexOf(hop) + 1];
      const isOnItsConnection =
        next !== undefined && connectionTimeOf(next) === 0 && originOf(next.request.url) === originOf(hop.request.url);
      // The next one would have to open the connection itself.
      const kept = isOnItsConnection ? connectionTimeOf(hop) : 0;
      return [hop, { head: hop.arrivedAt - hop.startedAt - kept, receive: hop.broughtAt - hop.arrivedAt }] as const;
    }),
  );
  const savesMs = savingOf(load, { shorter });
  if (!isWorthIt(load, savesMs)) return [];
  const to = load.critical[load.critical.indexOf(hops.at(-1) ?? load.document) + 1]?.request.url;
  return [
    {
      code: 'redirect',
      urls: urlsOf(hops),
      savesMs,
      facts: { redirects: hops.length, to },
    },
  ];
};
