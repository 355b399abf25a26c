import { describe, expect, it } from 'vitest';
import {
  drawnLateAt,
  drawnUnseenAt,
  isAnimated,
  isStillFilling,
  withDrawing,
} from '../../../src/core/completion/late-drawing.ts';
import { measure, visitOf } from '../../../src/core/measure.ts';
import { cellsIn, cellsToText, maskFromText } from '../../../src/core/visual/grid.ts';
import type { LongFrame } from '../../../src/model/metrics/metrics.ts';
import { ORIGIN, POLICY, page, recordingOf, type Scripted } from '../../support/scripted.ts';

const content: Scripted = { path: '/api', from: 100, to: 400 };
const ticks: Scripted = { path: '/live', from: 90, type: 'eventsource', messages: [200, 1_400, 2_600, 5_000] };
const recording = recordingOf({ requests: page(content), paints: [420], until: 4_000 });
const visit = visitOf(recording, POLICY);
const changes = (...times: readonly number[]) => times.map((at) => ({ at, share: 0.1 }));

describe('what is drawn when all has come', () => {
  it('is the last change within the quiet window', () => {
    expect(drawnLateAt(visit, changes(300, 450, 1_200, 3_900), POLICY)).toBe(1_200);
  });

  it('is not worth telling where the network or a paint tells as much', () => {
    expect(drawnLateAt(visit, changes(300, 500), POLICY)).toBeUndefined();
    expect(drawnLateAt(visit, [], POLICY)).toBeUndefined();
  });

  it('is the end of the task that it was drawn in, where the film began later', () => {
    const busy = (since: number, at: number) => ({
      ...visit,
      timeline: {
        ...visit.timeline,
        marks: [...visit.timeline.marks, { name: 'main-thread-busy' as const, at, since }],
      },
    });
    expect(drawnUnseenAt(busy(410, 1_800), 1_850, { after: 500 })).toBe(1_800);
    // The film would have shown it; what began later is not what had come; nothing was busy.
    expect(drawnUnseenAt(busy(410, 1_800), 500, { after: 500 })).toBeUndefined();
    expect(drawnUnseenAt(busy(900, 1_800), 1_850, { after: 500 })).toBeUndefined();
    expect(drawnUnseenAt(visit, 1_850, { after: 500 })).toBeUndefined();
  });

  it('is the end of the long frame that it was drawn in, too', () => {
    const frame = (at: number, duration: number) => ({ at, duration, blocking: 0, scripts: [] });
    const drawing = (...longFrames: LongFrame[]) => ({
      ...visit,
      recording: { ...visit.recording, page: { finalUrl: ORIGIN, title: '', longFrames } },
    });
    expect(drawnUnseenAt(drawing(frame(200, 60), frame(410, 70)), 520, { after: 500 })).toBe(480);
    expect(drawnUnseenAt(drawing(frame(200, 60), frame(600, 70)), 700, { after: 500 })).toBeUndefined();
    // An untimed run saw this build draw nothing so late.
    expect(drawnUnseenAt(drawing(frame(410, 70)), 520, {})).toBeUndefined();
  });

  it('may come as soon as a film of a timed run shows it', () => {
    expect(drawnLateAt(visit, changes(300, 450), POLICY, {}, 0)).toBe(450);
    expect(drawnLateAt(visit, changes(300), POLICY, {}, 0)).toBeUndefined();
  });

  it('is the end of the fade in which the last change is seen', () => {
    const fades = (...animations: { from: number; to: number }[]) =>
      drawnLateAt(visit, changes(450, 900, 1_200), POLICY, { animations });
    expect(fades({ from: 440, to: 1_500 })).toBe(1_500);
    expect(fades({ from: 440, to: 1_300 }, { from: 600, to: 1_450 })).toBe(1_450);
    // It began later, had ended before, or goes on for long unseen.
    expect(fades({ from: 1_250, to: 1_400 }, { from: 440, to: 1_100 }, { from: 440, to: 1_700 })).toBe(1_200);
  });

  describe('for longer than the quiet window', () => {
    const watched = visitOf(recordingOf({ requests: page(content), paints: [420], until: 9_000 }), POLICY);
    const every = (from: number, to: number, covered: number) =>
      Array.from({ length: Math.floor((to - from) / 90) + 1 }, (_, i) => ({
        at: from + i * 90,
        share: 0.001,
        cells: new Set([i, i + 1]),
        covered,
      }));
    const last = 900 + 90 * 40;

    it('is the last letter of a text that is typed, where an untimed run saw it take so long', () => {
      expect(drawnLateAt(watched, every(900, last, 0.2), POLICY, { after: 2_500 })).toBe(last);
      expect(drawnLateAt(watched, every(900, 3_150, 0.2), POLICY)).toBe(3_150);
      // What repaints its place so late moves.
      expect(drawnLateAt(watched, every(900, last, 0.5), POLICY, { after: 2_500 })).toBe(3_330);
    });

    it('may begin later where an untimed run saw that the page draws, though not so late', () => {
      const plot = [{ at: 3_600, share: 0.1, covered: 0 }];
      expect(drawnLateAt(watched, plot, POLICY, { after: 1_900 })).toBe(3_600);
      expect(drawnLateAt(watched, plot, POLICY, { after: 1_200 })).toBeUndefined();
      // A clock that ticks paints over what it had shown.
      const tick = { at: 3_900, share: 0.001, covered: 0.5 };
      expect(drawnLateAt(watched, [...plot, tick], POLICY, { after: 1_900 })).toBe(3_600);
    });

    it('is not what begins later', () => {
      const news = every(5_000, 5_500, 0);
      expect(drawnLateAt(watched, [...every(900, 1_800, 0.2), ...news], POLICY)).toBe(1_800);
    });

    it('is known while it goes on', () => {
      const typed = every(900, last, 0.2);
      expect(isStillFilling(typed, 3_400)).toBe(true);
      expect(isStillFilling(typed, last + 1_100)).toBe(false);
      expect(isStillFilling(every(900, last, 0.5), 3_400)).toBe(false);
      expect(isStillFilling([], 3_400)).toBe(false);
    });

    it('makes the page complete then', () => {
      const { complete } = visitOf(withDrawing(watched.recording, last, watched.complete), POLICY);
      expect(complete).toMatchObject({ state: 'complete', at: last, networkAt: 400, decidedAt: last });
    });
  });

  it('is not an update by background traffic', () => {
    const live = visitOf(recordingOf({ requests: page(content, ticks), until: 25_000 }), POLICY);
    expect(drawnLateAt(live, changes(450, 1_500, 2_700), POLICY)).toBeUndefined();
    expect(drawnLateAt(live, changes(450, 2_200), POLICY)).toBe(2_200);
  });

  it('is not a notice that comes and goes, whoever brought it', () => {
    const notice = { at: 600, share: 0.02, covered: 0 };
    const gone = { at: 2_300, share: 0.02, covered: 1, undoneFrom: 600 };
    expect(drawnLateAt(visit, [...changes(300), notice, gone], POLICY)).toBeUndefined();
    // What was drawn beside it stays, and so does what the page covered for a while.
    expect(
      drawnLateAt(visit, [...changes(300, 900), { ...notice, at: 1_000 }, { ...gone, undoneFrom: 1_000 }], POLICY),
    ).toBe(900);
    expect(drawnLateAt(visit, [...changes(300), { ...notice, share: 0.5 }, { ...gone, share: 0.5 }], POLICY)).toBe(
      2_300,
    );
    // The page was covered before its network was quiet: it is there when that goes.
    expect(
      drawnLateAt(
        visit,
        [
          { ...notice, at: 300 },
          { ...gone, undoneFrom: 300 },
        ],
        POLICY,
      ),
    ).toBe(2_300);
  });

  it('is when the page was complete, and the same answer comes from what was recorded', () => {
    const marked = withDrawing(recording, 1_200, visit.complete);
    expect(visitOf(marked, POLICY).complete).toMatchObject({ state: 'complete', at: 1_200, networkAt: 400 });
    expect(withDrawing(recording, undefined, visit.complete)).toBe(recording);
  });

  it('is an animation where it is the end of one', () => {
    expect(isAnimated(920, {})).toBe(false);
    expect(isAnimated(920, { animations: [{ from: 420, to: 920 }] })).toBe(true);
    expect(isAnimated(920, { animations: [{ from: 420, to: 800 }] })).toBe(false);
  });

  it('was made no later by what was stolen while an animation ran, which keeps to the clock', () => {
    const mainThread = [400, 1_200, 4_000].map((at) => ({ at, taskTime: at - 300, cpuTime: (at - 300) / 2 }));
    const undisturbed = (animated: boolean) => {
      const marked = withDrawing({ ...recording, mainThread }, 1_200, visit.complete, animated);
      return measure(visitOf(marked, POLICY), POLICY).pageComplete.undisturbed;
    };
    // Half of the 800 ms after the last response was stolen.
    expect((undisturbed(true) ?? 0) - (undisturbed(false) ?? 0)).toBe(400);
  });

  it('is nothing any more when the response that it draws turns out to be background', () => {
    const last: Scripted = { path: '/stats', from: 500, to: 900 };
    const recorded = recordingOf({ requests: page(content, last), paints: [420], until: 4_500 });
    const marked = withDrawing(recorded, 950, visitOf(recorded, POLICY).complete);
    expect(visitOf(marked, POLICY).complete).toMatchObject({ at: 950, networkAt: 900 });
    expect(visitOf(marked, { ...POLICY, background: ['*/stats'] }).complete).toMatchObject({ at: 420, networkAt: 400 });
  });
});

it('a mask is kept as cells of a grid', () => {
  const bits = new Uint8Array(640 * 360);
  bits[100 * 640 + 320] = 1;
  const text = cellsToText(cellsIn({ width: 640, height: 360, bits }));
  expect(text.split('1')).toHaveLength(2);
  expect(maskFromText(text)).toMatchObject({ width: 64, height: 36 });
  expect(maskFromText(text)?.bits[10 * 64 + 32]).toBe(1);
  expect(maskFromText('1')).toBeUndefined();
});
