import type { Interaction, InteractionPart, InteractionScript, LongFrame } from '../../model/metrics/metrics.ts';
import { defined } from '../text/defined.ts';
import { overlapOf, type Stretch, stretchOf } from '../time/overlap.ts';
import { toMicroseconds } from '../time/time.ts';

/** Scripts of an interaction that are kept: hundreds of observers may run in one frame. */
const KEPT = 20;

/**
 * The scripts that an interaction waited for: what ran in long frames between the input and its paint, each with the part
 * in which most of it ran, in order of time. So a timer that held the input up is told from a handler, and a handler from
 * what it ordered for the frame. Frames of 50 ms or less are not reported, and neither are their scripts.
 */
export function scriptsOf(interaction: Interaction, frames: readonly LongFrame[]): readonly InteractionScript[] {
  const parts = partsOf(interaction);
  const whole = stretchOf(interaction);
  return frames
    .flatMap(({ scripts }) => scripts)
    .map((script) => {
      const ran = stretchOf(script);
      const [longest] = parts
        .map((each) => ({ part: each.part, ms: overlapOf(ran, each) }))
        .toSorted((a, b) => b.ms - a.ms);
      return { script, part: longest?.part ?? 'processing', ms: overlapOf(ran, whole) };
    })
    .filter(({ ms }) => ms > 0)
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, KEPT)
    .toSorted((a, b) => a.script.at - b.script.at)
    .map(({ script: { url, name, invoker, place, forced }, part, ms }) =>
      defined({
        part,
        url,
        name,
        invoker,
        place,
        ms: toMicroseconds(ms),
        forced: toMicroseconds(Math.min(forced, ms)),
      }),
    );
}

function partsOf({
  at,
  inputDelay,
  processing,
  presentation,
}: Interaction): readonly (Stretch & { readonly part: InteractionPart })[] {
  const [started, ended] = [at + inputDelay, at + inputDelay + processing];
  return [
    { part: 'inputDelay', from: at, to: started },
    { part: 'processing', from: started, to: ended },
    { part: 'presentation', from: ended, to: ended + presentation },
  ];
}
