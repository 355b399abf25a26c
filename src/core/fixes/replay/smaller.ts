import type { FixFact } from '../../../model/fixes.ts';
import type { Bytes, Ms } from '../../../model/units.ts';
import { isWorthIt, sizeOf, urlsOf } from '../fix.ts';
import type { Load, Step } from './load.ts';
import { savingOf } from './replay.ts';

/** A file that could be smaller: `share` of its bytes could be saved, 0 to 1. */
export interface Shrinkable {
  readonly step: Step;
  readonly share: number;
}

/** What the facts of smaller files have in common. */
export interface Smaller extends Pick<FixFact, 'urls' | 'savesMs'> {
  readonly requests: number;
  readonly bytes: Bytes;
  readonly savesBytes: Bytes;
}

/** How many bytes a file could do without. */
export const savedOf = ({ step, share }: Shrinkable): Bytes => Math.round(sizeOf(step) * share);

/** What is saved when all these files are smaller; undefined where there are none. The one that saves most is named first. */
export function smaller(load: Load, files: readonly Shrinkable[]): Smaller | undefined {
  if (files.length === 0) return undefined;
  const largestFirst = files.toSorted((a, b) => savedOf(b) - savedOf(a));
  const saving: Ms = savingOf(load, {
    shorter: new Map(files.map(({ step, share }) => [step, { head: 0, receive: downloadOf(step) * share }])),
  });
  return {
    urls: urlsOf(largestFirst.map(({ step }) => step)),
    savesMs: isWorthIt(load, saving) ? saving : 0,
    requests: files.length,
    bytes: files.reduce((sum, { step }) => sum + sizeOf(step), 0),
    savesBytes: files.reduce((sum, file) => sum + savedOf(file), 0),
  };
}

/** How long the body took, ms. An emulated network gives out the head late: that time is the way's, not the body's. */
export function downloadOf({ request, arrivedAt, broughtAt }: Step): Ms {
  return Math.max(0, broughtAt - Math.max(arrivedAt, request.timing?.headersEnd ?? arrivedAt));
}
