import { describe, expect, it } from 'vitest';
import { drawingAtOnce, drawnAtOnceAt, drawnLast, stepDrawnAt } from '../../../src/core/completion/drawn-at-once.ts';
import { visitOf } from '../../../src/core/measure.ts';
import type { DomChange } from '../../../src/model/recording/recording.ts';
import { ORIGIN, POLICY, page, recordingOf, type Scripted } from '../../support/scripted.ts';

/** The network is quiet at 400. */
const content: Scripted = { path: '/api', from: 100, to: 400 };
const ticks: Scripted = { path: '/live', from: 90, type: 'eventsource', messages: [200, 440, 2_600, 5_000] };
const seen = (...times: readonly number[]) => times.map((at) => ({ at, share: 0.1 }));
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

describe('a page that draws its last response at once', () => {
  const within = (times: readonly number[], film: readonly number[], ...others: readonly Scripted[]) =>
    drawingAtOnce(visitWith(noted(...times), ...others), seen(...film), POLICY, undefined).within;

  it('is known by a change of the document that the film shows', () => {
    // Another load may be slower.
    expect(within([300, 430], [330, 460])).toBe(460);
    expect(within([430, 450, 1_400], [460])).toBe(500);
    // Half-way to the next change that is not seen.
    expect(within([430, 600, 1_400], [460, 620])).toBe(600);
    expect(within([430, 600, 1_400], [460])).toBe(115);
    // One before it is not seen, or only in the same picture.
    expect(within([420, 500], [530])).toBe(600);
    expect(within([430, 485], [470])).toBe(57.5);
  });

  it('goes on after a long frame', () => {
    const inParts = visitWith(noted(430, 560));
    const frame = { at: 440, duration: 115, blocking: 65, scripts: [] };
    const busy = {
      ...inParts,
      recording: { ...inParts.recording, page: { finalUrl: ORIGIN, title: '', longFrames: [frame] } },
    };
    expect(drawingAtOnce(inParts, seen(460), POLICY, undefined).within).toBe(95);
    expect(drawingAtOnce(busy, seen(460), POLICY, undefined).within).toBe(720);
  });

  it('is none whose change nobody sees, or came too late to be of the answer', () => {
    expect(within([430], [330])).toBeUndefined();
    expect(within([430], [700])).toBeUndefined();
    expect(within([950], [980])).toBeUndefined();
    expect(within([300], [430])).toBeUndefined();
  });

  it('may take longer, and slow down to its end, where the film shows that', () => {
    const figures = visitWith(noted(...Array.from({ length: 90 }, (_, i) => 430 + i * 16)));
    const film = seen(...Array.from({ length: 20 }, (_, i) => 450 + i * 66));
    expect(drawingAtOnce(figures, film, POLICY, 1_850).within).toBe(3_308);
    expect(drawingAtOnce(figures, film, POLICY, 1_200).within).toBeUndefined();
    expect(drawingAtOnce(figures, film.slice(0, 8), POLICY, 1_850)).toEqual({ restless: true });
  });

  it('is none whose document goes on changing', () => {
    const drawing = (changes: readonly DomChange[]) => drawingAtOnce(visitWith(changes), seen(460), POLICY, undefined);
    expect(drawing(noted(430, 930, 1_430, 1_930, 2_430))).toEqual({ restless: true });
    expect(drawing(noted(...Array.from({ length: 80 }, (_, i) => 430 + i * 16)))).toEqual({ restless: true });
  });

  it('is told from a clock that ticks', () => {
    const ticks = [450, 950, 1_450, 1_950, 2_450, 2_950, 3_450].map((at) => changed(at, { targets: ['b.clock'] }));
    const list = changed(430, { targets: ['main'] });
    const visit = visitWith([list, ...ticks]);
    const drawing = drawingAtOnce(visit, seen(460), POLICY, undefined);
    expect(drawing).toEqual({ within: 460, ticking: ['b.clock'] });
    expect(drawnAtOnceAt(visit, drawing)).toBe(435);
    expect(drawingAtOnce(visitWith(ticks), seen(460), POLICY, undefined)).toEqual({ ticking: ['b.clock'] });
  });

  it('is none whose change background traffic may have made', () => {
    expect(within([450], [470])).toBeDefined();
    expect(within([450], [470], ticks)).toBeUndefined();
  });
});

describe('when the last response was drawn', () => {
  const at = (times: readonly number[], within?: number, ...others: readonly Scripted[]) =>
    drawnAtOnceAt(visitWith(noted(...times), ...others), within === undefined ? {} : { within });

  it('is when the last change in that time was rendered', () => {
    expect(at([300, 430, 480, 900], 200)).toBe(485);
  });

  it('comes after a task that kept the frame back', () => {
    expect(drawnAtOnceAt(visitWith([changed(430, { paintedAt: 530 })]), { within: 200 })).toBe(513);
  });

  it('is not known where an untimed run did not see it, nothing changed, or others may have changed it', () => {
    expect(at([430])).toBeUndefined();
    expect(at([300, 900], 200)).toBeUndefined();
    expect(at([450], 200, ticks)).toBeUndefined();
  });

  it('is dated by the document where the film shows the same', () => {
    expect(drawnLast(530, 505)).toBe(505);
    expect(drawnLast(800, 505)).toBe(800);
    expect(drawnLast(undefined, 505)).toBe(505);
    expect(drawnLast(530, undefined)).toBe(530);
    expect(drawnLast(undefined, undefined)).toBeUndefined();
  });
});

describe('when a step was drawn', () => {
  const at = (domChanges: readonly DomChange[], ticking: readonly string[] = []) =>
    stepDrawnAt(visitWith(domChanges), { ticking });

  it('is the end of what changes as soon as all has come', () => {
    expect(at(noted(300, 430, 470, 800))).toBe(475);
    // It was made before the last response came, and painted after it.
    expect(at([changed(380, { rendering: 90, paintedAt: 480 })])).toBe(470);
  });

  it('is not known where nothing changes then, or all the time', () => {
    expect(at(noted(300, 600))).toBeUndefined();
    expect(at(Array.from({ length: 80 }, (_, i) => changed(430 + i * 16)))).toBeUndefined();
    expect(at([changed(430, { targets: ['b.clock'] })], ['b.clock'])).toBeUndefined();
    // The effect of a click.
    expect(at([changed(430, { attributes: true })])).toBeUndefined();
  });
});
