import { describe, expect, it } from 'vitest';
import {
  isStillDrawn,
  lastChange,
  lastChangeOfStep,
  learnDrawing,
  withLastChange,
} from '../../../src/core/completion/last-change.ts';
import { measure, visitOf } from '../../../src/core/measure.ts';
import { cellsIn, cellsToText, maskFromText } from '../../../src/core/visual/grid.ts';
import type { Visit } from '../../../src/model/network/visit.ts';
import type { VisualChange } from '../../../src/model/recording/picture.ts';
import type { Animation, DomChange } from '../../../src/model/recording/recording.ts';
import { ORIGIN, POLICY, page, recordingOf, type Scripted } from '../../support/scripted.ts';

/** The network is quiet at 400. */
const content: Scripted = { path: '/api', from: 100, to: 400 };
const ticks: Scripted = { path: '/live', from: 90, type: 'eventsource', messages: [200, 440, 1_400, 2_600, 5_000] };
const recording = recordingOf({ requests: page(content), paints: [420], until: 4_000 });
const visit = visitOf(recording, POLICY);
const seen = (...times: readonly number[]): readonly VisualChange[] => times.map((at) => ({ at, share: 0.1 }));
const changed = (at: number, more: Partial<DomChange> = {}): DomChange => ({
  at,
  rendering: 5,
  paintedAt: at + 15,
  attributes: false,
  ...more,
});
const noted = (...times: readonly number[]): readonly DomChange[] => times.map((at) => changed(at));
const visitWith = (domChanges: readonly DomChange[], ...others: readonly Scripted[]) =>
  visitOf({ ...recordingOf({ requests: page(content, ...others), paints: [90], until: 4_000 }), domChanges }, POLICY);

describe('the last change in the film', () => {
  const last = (changes: readonly VisualChange[], of: Visit = visit) =>
    lastChange(of, { changes }, { filmed: 800 }, POLICY);

  it('is the last one within the quiet window, where that is later than network and paints', () => {
    expect(last(seen(300, 450, 1_200, 3_900))).toBe(1_200);
    expect(last(seen(300, 410))).toBeUndefined();
    expect(last([])).toBeUndefined();
  });

  it('is not asked for where an untimed load drew nothing so late', () => {
    expect(lastChange(visit, { changes: seen(1_200) }, {}, POLICY)).toBeUndefined();
  });

  it('is the end of the fade in which it is seen', () => {
    const fades = (...animations: Animation[]) => {
      const fading = { ...visit, recording: { ...recording, animations } };
      return last(seen(450, 900, 1_200), fading);
    };
    expect(fades({ from: 440, to: 1_500 })).toBe(1_500);
    expect(fades({ from: 440, to: 1_300 }, { from: 600, to: 1_450 })).toBe(1_450);
    // It began later, had ended before, or goes on for long unseen.
    expect(fades({ from: 1_250, to: 1_400 }, { from: 440, to: 1_100 }, { from: 440, to: 1_700 })).toBe(1_200);
  });

  it('is not an update by background traffic', () => {
    const live = visitOf(recordingOf({ requests: page(content, ticks), until: 25_000 }), POLICY);
    expect(last(seen(450, 1_500, 2_700), live)).toBeUndefined();
    expect(last(seen(450, 2_200), live)).toBe(2_200);
  });

  it('is not a notice that comes and goes, whoever brought it', () => {
    const notice = { at: 600, share: 0.02, covered: 0 };
    const gone = { at: 2_300, share: 0.02, covered: 1, undoneFrom: 600 };
    expect(last([...seen(300), notice, gone])).toBeUndefined();
    // What was drawn beside it stays, and so does what the page covered for a while.
    expect(last([...seen(300, 900), { ...notice, at: 1_000 }, { ...gone, undoneFrom: 1_000 }])).toBe(900);
    expect(last([...seen(300), { ...notice, share: 0.5 }, { ...gone, share: 0.5 }])).toBe(2_300);
    // The page was covered before its network was quiet: it is there when that goes.
    const covered = [
      { ...notice, at: 300 },
      { ...gone, undoneFrom: 300 },
    ];
    expect(last(covered)).toBe(2_300);
  });

  describe('that begins too late to show it', () => {
    const late = (of: Visit, from: number, filmed = 500) => lastChange(of, { from, changes: [] }, { filmed }, POLICY);

    it('is the end of the long task that what came last had started', () => {
      const busy = (since: number, at: number) => {
        const mark = { name: 'main-thread-busy' as const, at, since };
        return { ...visit, timeline: { ...visit.timeline, marks: [...visit.timeline.marks, mark] } };
      };
      expect(late(busy(410, 1_800), 1_850)).toBe(1_800);
      // The film would have shown it; what began later is not what had come; nothing was busy.
      expect(late(busy(410, 1_800), 500)).toBeUndefined();
      expect(late(busy(900, 1_800), 1_850)).toBeUndefined();
      expect(late(visit, 1_850)).toBeUndefined();
    });

    it('is the end of the long frame, too, where the page is known to draw late', () => {
      const drawing = (at: number, duration: number) => {
        const longFrames = [{ at, duration, blocking: 0, scripts: [] }];
        return { ...visit, recording: { ...recording, page: { finalUrl: ORIGIN, title: '', longFrames } } };
      };
      expect(late(drawing(410, 70), 520)).toBe(480);
      expect(late(drawing(600, 70), 700)).toBeUndefined();
      expect(late(drawing(410, 70), 520, 0)).toBeUndefined();
    });
  });
});

describe('the last change of the document', () => {
  const last = (domChanges: readonly DomChange[], within?: number, ...others: readonly Scripted[]) =>
    lastChange(visitWith(domChanges, ...others), { changes: [] }, within === undefined ? {} : { within }, POLICY);

  it('is when the last one in that time was rendered', () => {
    expect(last(noted(300, 430, 480, 900), 200)).toBe(485);
  });

  it('comes after a task that kept the frame back', () => {
    expect(last([changed(430, { paintedAt: 530 })], 200)).toBe(513);
  });

  it('is not known where an untimed load did not see it, nothing changed, or others may have changed it', () => {
    expect(last(noted(430))).toBeUndefined();
    expect(last(noted(300, 900), 200)).toBeUndefined();
    expect(last(noted(450), 200, ticks)).toBeUndefined();
  });

  it('dates what the film shows, too', () => {
    const both = (filmedAt: number) =>
      lastChange(visitWith(noted(500)), { changes: seen(filmedAt) }, { filmed: 500, within: 200 }, POLICY);
    expect(both(530)).toBe(505);
    expect(both(800)).toBe(800);
  });
});

describe('what an untimed load teaches', () => {
  const learnt = (times: readonly number[], film: readonly number[], ...others: readonly Scripted[]) =>
    learnDrawing(visitWith(noted(...times), ...others), seen(...film), POLICY);

  it('is to film what is noticeably later', () => {
    expect(learnDrawing(visit, seen(300, 900), POLICY)).toEqual({ filmed: 500 });
    expect(learnDrawing(visit, seen(300, 510), POLICY)).toEqual({});
  });

  it('is to read the document where the film shows a change of it', () => {
    // Another load may be slower.
    expect(learnt([300, 430], [330, 460]).within).toBe(460);
    expect(learnt([430, 450, 1_400], [460]).within).toBe(500);
    // Half-way to the next change that is not seen.
    expect(learnt([430, 600, 1_400], [460, 620]).within).toBe(600);
    expect(learnt([430, 600, 1_400], [440]).within).toBe(115);
  });

  it('goes on after a long frame', () => {
    const inParts = visitWith(noted(430, 560));
    const longFrames = [{ at: 440, duration: 115, blocking: 65, scripts: [] }];
    const busy = { ...inParts, recording: { ...inParts.recording, page: { finalUrl: ORIGIN, title: '', longFrames } } };
    expect(learnDrawing(inParts, seen(440), POLICY).within).toBe(95);
    expect(learnDrawing(busy, seen(440), POLICY).within).toBe(720);
  });

  it('is nothing of changes that nobody sees, that came too late to be of the answer, or that go on', () => {
    expect(learnt([430], [330]).within).toBeUndefined();
    expect(learnt([430], [700]).within).toBeUndefined();
    expect(learnt([950], [980]).within).toBeUndefined();
    expect(learnt([300], [430]).within).toBeUndefined();
    expect(learnt([430, 930, 1_430, 1_930, 2_430], [460]).within).toBeUndefined();
    const always = Array.from({ length: 80 }, (_, i) => 430 + i * 16);
    expect(learnt(always, [460]).within).toBeUndefined();
  });

  it('is nothing of changes that background traffic may have made', () => {
    expect(learnt([450], [470]).within).toBeDefined();
    expect(learnt([450], [470], ticks).within).toBeUndefined();
  });
});

describe('a load that may end before a whole quiet window', () => {
  const still = (times: readonly number[], now: number, filmed: number) =>
    isStillDrawn(visit, seen(...times), { filmed }, POLICY, now);

  it('is watched until it has drawn, for twice as long as an untimed load took, at most for the window', () => {
    expect(still([300], 1_000, 500)).toBe(true);
    expect(still([300], 1_500, 500)).toBe(false);
    expect(still([300, 800], 1_000, 500)).toBe(true);
    expect(still([300, 800], 1_300, 500)).toBe(false);
    expect(still([], 3_300, 2_000)).toBe(true);
    expect(still([], 3_500, 2_000)).toBe(false);
  });
});

describe('when a step was drawn', () => {
  const at = (domChanges: readonly DomChange[]) => lastChangeOfStep(visitWith(domChanges));

  it('is the end of what changes as soon as all has come', () => {
    expect(at(noted(300, 430, 470, 800))).toBe(475);
    // It was made before the last response came, and painted after it.
    expect(at([changed(380, { rendering: 90, paintedAt: 480 })])).toBe(470);
  });

  it('is not known where nothing changes then, or all the time', () => {
    expect(at(noted(300, 600))).toBeUndefined();
    expect(at(Array.from({ length: 80 }, (_, i) => changed(430 + i * 16)))).toBeUndefined();
    // The effect of a click.
    expect(at([changed(430, { attributes: true })])).toBeUndefined();
  });
});

describe('what is recorded of it', () => {
  it('makes the page complete then', () => {
    const marked = withLastChange(visit, 1_200);
    expect(visitOf(marked, POLICY).complete).toMatchObject({ state: 'complete', at: 1_200, networkAt: 400 });
    expect(withLastChange(visit, undefined)).toBe(recording);
  });

  it('was made no later by what was stolen while an animation ran, which keeps to the clock', () => {
    const mainThread = [400, 1_200, 4_000].map((at) => ({ at, taskTime: at - 300, cpuTime: (at - 300) / 2 }));
    const undisturbed = (...animations: Animation[]) => {
      const marked = withLastChange({ ...visit, recording: { ...recording, mainThread, animations } }, 1_200);
      return measure(visitOf(marked, POLICY), POLICY).pageComplete.undisturbed;
    };
    // Half of the 800 ms after the last response was stolen.
    expect((undisturbed({ from: 420, to: 1_200 }) ?? 0) - (undisturbed({ from: 420, to: 1_100 }) ?? 0)).toBe(400);
  });

  it('is nothing any more when the response that it draws turns out to be background', () => {
    const last: Scripted = { path: '/stats', from: 500, to: 900 };
    const recorded = recordingOf({ requests: page(content, last), paints: [420], until: 4_500 });
    const marked = withLastChange(visitOf(recorded, POLICY), 950);
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
