import { describe, expect, it } from 'vitest';
import { visitOf } from '../../../src/core/measure.ts';
import { scriptsOf } from '../../../src/core/rendering/interaction-scripts.ts';
import { longestFrame } from '../../../src/core/rendering/long-frames.ts';
import type { Interaction, LongFrame, LongFrameScript } from '../../../src/model/metrics/metrics.ts';
import { POLICY, page, recordingOf } from '../../support/scripted.ts';

/** A click at 100 ms that waits for 60 ms, is handled for 30 ms, and painted 62 ms later. */
const CLICK: Interaction = {
  at: 100,
  duration: 152,
  id: 7,
  type: 'click',
  inputDelay: 60,
  processing: 30,
  presentation: 62,
};

const script = (name: string, at: number, duration: number, forced = 0): LongFrameScript => ({
  at,
  duration,
  url: 'https://shop.test/app.js',
  name,
  forced,
});

const frame = (at: number, duration: number, ...scripts: readonly LongFrameScript[]): LongFrame => ({
  at,
  duration,
  blocking: Math.max(0, duration - 50),
  scripts,
});

describe('the scripts of an interaction', () => {
  it('are those of all frames that it waited for, each in the part in which most of it ran', () => {
    const frames = [
      frame(0, 165, script('before', 0, 20), script('poll', 80, 78)),
      frame(160, 90, script('buyNow', 160, 30, 12), script('drawBasket', 191, 50)),
      frame(300, 70, script('later', 300, 60)),
    ];
    expect(scriptsOf(CLICK, frames).map(({ part, name, ms, forced }) => [part, name, ms, forced])).toEqual([
      ['inputDelay', 'poll', 58, 0],
      ['processing', 'buyNow', 30, 12],
      ['presentation', 'drawBasket', 50, 0],
    ]);
  });

  it('are none where no frame was long', () => {
    expect(scriptsOf(CLICK, [])).toEqual([]);
  });

  it('have no more forced layout than the time that they ran in it', () => {
    expect(scriptsOf(CLICK, [frame(0, 120, script('poll', 0, 110, 90))])).toMatchObject([{ ms: 10, forced: 10 }]);
  });

  it('are the longest of very many, in order of time', () => {
    const many = Array.from({ length: 100 }, (_, i) => script(`observer ${i}`, 191 + i / 2, i % 2 === 0 ? 0.4 : 0.2));
    const found = scriptsOf(CLICK, [frame(160, 90, ...many)]);
    expect(found).toHaveLength(20);
    expect(found.every(({ ms }) => ms === 0.4)).toBe(true);
  });
});

describe('the longest frame', () => {
  const complete = recordingOf({ requests: page({ path: '/api', from: 10, to: 400 }), until: 5_000 });
  const of = (longFrames: readonly LongFrame[] | undefined, interactions: readonly Interaction[] = []) =>
    longestFrame(
      visitOf(
        { ...complete, page: { finalUrl: '', title: '', interactions, ...(longFrames && { longFrames }) } },
        POLICY,
      ),
    );

  it('is the longest until page complete, with its longest scripts first', () => {
    const found = of([
      frame(0, 80),
      frame(100, 120, script('short', 100, 20), script('long', 120, 90)),
      frame(2_000, 900),
    ]);
    expect(found).toMatchObject({ at: 100, duration: 120, blocking: 70 });
    expect(found?.scripts.map(({ name }) => name)).toEqual(['long', 'short']);
  });

  it('may come after page complete where the interaction is painted later', () => {
    const late: Interaction = { ...CLICK, at: 390, duration: 1_000 };
    expect(of([frame(0, 80), frame(1_300, 90)], [late])?.at).toBe(1_300);
    expect(of([frame(0, 80), frame(1_400, 90)], [late])?.at).toBe(0);
  });

  it('is absent where there was none, and where the browser does not tell', () => {
    expect(of([])).toBeUndefined();
    expect(of(undefined)).toBeUndefined();
  });
});
