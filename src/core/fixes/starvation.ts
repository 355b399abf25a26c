import { starvationFact, starvationOf } from '../requests/starvation.ts';
import { type Fix, isWorthIt } from './fix.ts';
import { savingOf } from './replay/replay.ts';

/** Content that background traffic kept from being requested: that is slow, and nothing of it is left out. */
export const starvation: Fix = (load) => {
  const starved = starvationOf(load.visit.timeline, load.visit.verdicts);
  const fact = starvationFact(starved);
  if (fact === undefined) return [];
  const held = new Map(starved.map(({ request, from, to }) => [request, to - from]));
  const saving = savingOf(load, {
    shorter: new Map(
      load.steps.flatMap((step) => {
        const head = held.get(step.request);
        return head === undefined ? [] : [[step, { head, receive: 0 }] as const];
      }),
    ),
  });
  return [{ ...fact, savesMs: isWorthIt(load, saving) ? saving : 0 }];
};
