import { describe, expect, it } from 'vitest';
import { interactionToNextPaint, slowestInteraction } from '../../../src/core/metrics/interaction-to-next-paint.ts';
import { journeyOf } from '../../../src/core/rendering/journey.ts';
import type { Visit } from '../../../src/model/network/visit.ts';
import type { StepOutcome } from '../../../src/model/recording/lab.ts';
import type { Recording } from '../../../src/model/recording/recording.ts';
import { failure } from '../../../src/wording/result/failure.ts';
import { POLICY, page, recordingOf } from '../../support/scripted.ts';

const LOAD = recordingOf({ requests: page(), until: 5_000 });

/** A step in which there were so many interactions; those of 16 ms and more are reported. */
function step(name: string, durations: readonly number[], count = durations.length): StepOutcome {
  const interactions = durations.flatMap((duration, id) => {
    const event = { at: 1, id: id + 1, inputDelay: 0, processing: 0, presentation: duration };
    return [
      { ...event, type: 'pointerdown', duration: 16 },
      { ...event, type: 'click', duration },
    ];
  });
  const recording = { ...LOAD, page: { finalUrl: '', title: '', interactions, interactionCount: count } };
  return { name, policy: POLICY, outcome: { ok: true, recording } };
}

function after(...steps: readonly StepOutcome[]): Pick<Visit, 'recording'> {
  const journey = journeyOf(steps);
  const recording: Recording = { ...LOAD, ...(journey && { journey }) };
  return { recording };
}

const inp = (visit: Pick<Visit, 'recording'>) => interactionToNextPaint.read(visit as Visit);

describe('interaction to next paint of a page', () => {
  it('is the worst of all steps, with the step', () => {
    const visit = after(step('open', [120, 40]), step('buy', [208]));
    expect(inp(visit)).toBe(208);
    expect(slowestInteraction(visit)).toMatchObject({ step: 'buy', type: 'click' });
  });

  it('leaves out one of fifty, also of those that were too fast to be reported', () => {
    expect(inp(after(step('one', [200, 120], 49)))).toBe(200);
    expect(inp(after(step('one', [200]), step('two', [120], 49)))).toBe(120);
  });

  it('has the handlers of all its events until the paint, and the name of the longest', () => {
    const event = (type: string, at: number, inputDelay: number, processing: number, duration: number) => ({
      ...{ id: 7, at, type, inputDelay, processing, duration },
      presentation: duration - inputDelay - processing,
    });
    // A long press: what was painted before belongs to another frame.
    const interactions = [
      event('pointerdown', 0, 1, 9, 24),
      event('pointerup', 500, 2, 1, 88),
      event('click', 500, 4, 30, 88),
    ];
    const recording = { ...LOAD, page: { finalUrl: '', title: '', interactions } };
    expect(slowestInteraction({ recording })).toMatchObject({
      type: 'click',
      duration: 88,
      inputDelay: 2,
      processing: 32,
      presentation: 54,
    });
  });

  it('is 8 ms where all were faster than the browser reports, and absent where there were none', () => {
    expect(inp(after(step('fast', [], 3)))).toBe(8);
    expect(slowestInteraction(after(step('fast', [], 3)))).toBeUndefined();
    expect(inp(after(step('nothing', [])))).toBeUndefined();
    expect(inp(after())).toBeUndefined();
  });

  it('is absent where a step failed: what it would have been nobody knows', () => {
    const failed = { ok: false, failure: failure('page-crashed', { url: 'https://shop.test/' }) } as const;
    expect(inp(after(step('one', [40]), { name: 'two', policy: POLICY, outcome: failed }))).toBeUndefined();
  });
});
