import type { Ms } from '../../model/units.ts';
import { toMicroseconds } from '../time/time.ts';
import { connectionTimeOf, ownConnectionOf } from './connection.ts';
import { type Fix, isWorthIt } from './fix.ts';
import type { Step } from './replay/load.ts';
import { pictureOf } from './replay/picture.ts';
import { savingOf } from './replay/replay.ts';

/**
 * A picture that is requested so long after the document began to arrive was found late, ms. Source: the sub-part "resource
 * load delay" of https://web.dev/articles/optimize-lcp should be less than 10% of a good LCP of 2.5 s.
 */
const LATE_MS = 250;

/** The picture that is the largest paint (LCP), when it is requested late, or waits in the browser behind others. */
export const latePicture: Fix = (load) => {
  const step = pictureOf(load);
  if (step === undefined) return [];
  const { url, priority } = step.request;
  const after = toMicroseconds(step.startedAt - load.document.arrivedAt);
  const saving = savingOf(load, {
    preloaded: new Map([[step, { costs: ownConnectionOf(load, step) }]]),
    shorter: new Map([[step, { head: queuedOf(step), receive: 0 }]]),
  });
  const savesMs = isWorthIt(load, saving) ? saving : 0;
  if (savesMs === 0 && after < LATE_MS) return [];
  return [{ code: 'late-picture', urls: [url], savesMs, facts: { url, after, priority } }];
};

/** How long the browser kept it from the network, ms; unlike urgent requests, one of low priority is. */
function queuedOf(step: Step): Ms {
  const sent = step.request.timing?.sendStart;
  return sent === undefined ? 0 : Math.max(0, sent - step.startedAt - connectionTimeOf(step));
}
