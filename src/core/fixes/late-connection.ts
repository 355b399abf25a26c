import type { FixFact } from '../../model/fixes.ts';
import { originOf } from '../requests/origin.ts';
import { connectionTimeOf } from './connection.ts';
import { type Fix, isWorthIt, urlsOf } from './fix.ts';
import { savingOf } from './replay/replay.ts';

/** Connections to other origins that the critical path waits for, though they could have been opened before. */
export const lateConnection: Fix = (load) => {
  const own = originOf(load.document.request.url);
  const late = load.critical.filter((step) => {
    const origin = originOf(step.request.url);
    return origin !== '' && origin !== own && !step.request.mainDocument && connectionTimeOf(step) > 0;
  });
  return [...Map.groupBy(late, ({ request }) => originOf(request.url))].flatMap(
    ([origin, steps]): readonly FixFact[] => {
      const shorter = new Map(
        steps.map((step) => {
          // Nobody can connect before the document says to where.
          const room = Math.max(0, step.startedAt - load.document.arrivedAt);
          return [step, { head: Math.min(connectionTimeOf(step), room), receive: 0 }] as const;
        }),
      );
      const savesMs = savingOf(load, { shorter });
      const took = steps.reduce((most, step) => Math.max(most, connectionTimeOf(step)), 0);
      return isWorthIt(load, savesMs)
        ? [{ code: 'late-connection', urls: urlsOf(steps), savesMs, facts: { origin, took } }]
        : [];
    },
  );
};
