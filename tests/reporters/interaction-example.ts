import type { Interaction, LongFrame } from '../../src/model/metrics/metrics.ts';

const ADDRESS = 'https://shop.test/assets/app.js?<b>';

/** A click whose handler takes most of its time. */
export const CLICK: Interaction = {
  at: 3,
  duration: 152,
  id: 7,
  type: 'click',
  inputDelay: 2,
  processing: 132,
  presentation: 18,
  scripts: [
    {
      part: 'processing',
      url: 'https://shop.test/app.js',
      name: 'onClick',
      invoker: 'BUTTON#buy.onclick',
      ms: 128,
      forced: 30,
    },
    { part: 'presentation', url: ADDRESS, ms: 2, forced: 0 },
  ],
};
/** The frame that it waited for. */
export const FRAME: LongFrame = {
  at: 3,
  duration: 160,
  blocking: 110,
  scripts: [{ at: 5, duration: 128, url: 'https://shop.test/app.js', name: 'onClick', forced: 30 }],
};
