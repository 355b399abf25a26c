import { originOf } from '../origin.ts';
import { starvationOf } from '../starvation.ts';
import { type Fix, isWorthIt } from './fix.ts';
import { savingOf } from './replay.ts';

/** Content that background traffic kept from being requested: that is slow, and nothing of it is left out. */
export const starvation: Fix = (load) => {
  const starved = starvationOf(load.visit.timeline, load.visit.verdicts);
  const [longest] = starved.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  if (longest === undefined) return [];
  const held = new Map(starved.map(({ request, from, to }) => [request, to - from]));
  const saving = savingOf(load, {
    shorter: new Map(
      load.steps.flatMap((step) => {
        const head = held.get(step.request);
        return head === undefined ? [] : [[step, { head, receive: 0 }] as const];
      }),
    ),
  });
  const { request, from, to } = longest;
  const culprits = [...new Set(longest.culprits.map(({ url }) => url))];
  return [
    {
      code: 'stream-starvation',
      urls: [request.url, ...culprits],
      savesMs: isWorthIt(load, saving) ? saving : 0,
      facts: {
        connections: longest.culprits.length,
        origin: originOf(request.url),
        url: request.url,
        from,
        to,
        others: starved.length - 1,
        culprits,
      },
    },
  ];
};
