import { describe, expect, it } from 'vitest';
import type { DrawnFrame, FrameOwners } from '../../../src/core/visual/frame-owners.ts';
import { readFilm } from '../../../src/core/visual/impact.ts';
import { stepsIn } from './at-once.ts';
import { film, later, type Part, times } from './drawing.ts';

/** Two polls are answered at the same moments; the page repaints one place each time. */
const ARRIVALS = times(1_500, 1_000, 8);
const page: Part = { place: 0, changesAt: [120] };
const place: Part = { place: 1, changesAt: later(40, ARRIVALS) };

/** What is said of both polls, where the browser tells this of each frame that the page drew, 30 ms after the answers. */
function ask(frame: Partial<DrawnFrame>, more: Partial<FrameOwners> & { readonly canvas?: boolean } = {}) {
  const { silent = [], canvas = false } = more;
  const frames = ARRIVALS.map((arrival) => ({
    at: arrival + 30,
    by: [{ suspect: 0, arrival }],
    others: false,
    unclear: false,
    ...frame,
  }));
  const { impacts } = readFilm({
    ...stepsIn(film(page, place)),
    suspects: [
      { endpoint: 'price', arrivals: ARRIVALS },
      { endpoint: 'watchers', arrivals: ARRIVALS },
    ],
    foregroundArrivals: [50],
    completeAt: 1_000,
    until: 12_000,
    frameOwners: { frames, silent },
    ...(canvas && { canvases: [{ left: 0, top: 0, width: 1, height: 1 }] }),
  });
  return impacts.map(({ impact, effects }) => [impact, [...new Set(effects.map(({ kind }) => kind))].join()]);
}

const UNKNOWN = [
  ['unknown', 'unclear'],
  ['unknown', 'unclear'],
];

describe('what the browser tells of a change', () => {
  it('decides whose it is of two that come at one moment', () => {
    expect(ask({})).toEqual([
      ['continuous', 'fills,repaints'],
      ['none', 'nothing'],
    ]);
  });

  it('leaves to nobody what the page itself, or something else, changed', () => {
    expect(ask({ by: [], others: true })).toEqual([
      ['none', 'nothing'],
      ['none', 'nothing'],
    ]);
  });

  it('does not tell which of several that changed something is seen', () => {
    expect(ask({ others: true })).toEqual([
      ['unknown', 'unclear'],
      ['none', 'nothing'],
    ]);
  });
});

describe('the film decides', () => {
  it('where something changed of which nothing is known', () => {
    expect(ask({ unclear: true })).toEqual(UNKNOWN);
  });

  it('where the page drew nothing that changed in its document', () => {
    expect(ask({ at: 0 })).toEqual(UNKNOWN);
  });

  it('where something came that is drawn without code', () => {
    expect(ask({}, { silent: later(-50, ARRIVALS) })).toEqual(UNKNOWN);
  });

  it('of what is drawn on a canvas', () => {
    expect(ask({}, { canvas: true })).toEqual(UNKNOWN);
  });
});
