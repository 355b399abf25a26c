import { describe, expect, it } from 'vitest';
import { rounds } from '../../../src/core/background/rounds.ts';
import type { Request } from '../../../src/model/timeline.ts';
import { request } from '../../support/factories.ts';
import { POLICY } from '../../support/scripted.ts';

const NAMES = ['dawn', 'harbour', 'ladder', 'meadow', 'night', 'orchard'];

/** Pictures that one place in a script asks for, at these times, each answered after 100 ms. */
const asked = (times: readonly number[], parts: Partial<Request> = {}): readonly Request[] =>
  times.map((startedAt, i) =>
    request({
      id: NAMES[i % NAMES.length] ?? '',
      url: `https://example.com/cards/${NAMES[i % NAMES.length]}.jpg`,
      type: 'image',
      startedAt,
      endedAt: startedAt + 100,
      initiator: {
        type: 'script',
        stack: [{ functionName: 'next', url: 'https://example.com/app.js', line: 4, column: 9 }],
      },
      ...parts,
    }),
  );
const flagged = (requests: readonly Request[], observedUntil: number): readonly string[] =>
  rounds.detect({ requests, marks: [], observedUntil }, POLICY.observation).map(({ requestId }) => requestId);

describe('another address each time', () => {
  it('is background from the second on, when it comes in the rhythm of a timer', () => {
    expect(flagged(asked([500, 2_500, 4_520, 6_490]), 7_000)).toEqual(['harbour', 'ladder', 'meadow']);
    const [verdict] = rounds.detect(
      { requests: asked([500, 2_500, 4_500]), marks: [], observedUntil: 5_000 },
      POLICY.observation,
    );
    expect(verdict).toMatchObject({
      kind: 'poll',
      reason: { code: 'another-each-time', times: 3, period: 2_000, from: { file: 'app.js', line: 4 } },
      decidedAt: 500 + POLICY.observation.suspectMs,
    });
  });

  it('may be several at a time', () => {
    const pairs = asked([500, 510, 2_500, 2_510, 4_500, 4_510]);
    expect(flagged(pairs, 5_000)).toEqual(['ladder', 'meadow', 'night', 'orchard']);
  });

  it('is content, when it is a list that was loaded, a chain, or asked for at once', () => {
    expect(flagged(asked([500, 2_500, 4_500, 6_500]), 12_000)).toEqual([]);
    expect(flagged(asked([500, 601, 702, 803, 904]), 950)).toEqual([]);
    expect(flagged(asked([500, 501, 502, 503]), 550)).toEqual([]);
    // A client that shakes hands, subscribes and connects, on a busy machine.
    expect(flagged(asked([500, 690, 870, 1_065]), 1_100)).toEqual([]);
  });

  it('is told by the place in the script, where the browser says it', () => {
    expect(flagged(asked([500, 2_500, 4_500], { initiator: { type: 'parser' } }), 5_000)).toEqual([]);
    expect(flagged(asked([500, 2_500, 4_500], { initiator: { type: 'other' } }), 5_000)).toEqual(['harbour', 'ladder']);
    const [first, ...others] = asked([500, 2_500, 4_500]);
    const at = (line: number) =>
      ({ type: 'script', stack: [{ functionName: 'f', url: 'x.js', line, column: 1 }] }) as const;
    const apart = others.map((each, i) => ({ ...each, initiator: at(i) }));
    expect(first && flagged([first, ...apart], 5_000)).toEqual([]);
  });

  it('begins with what was asked for one period before, from wherever', () => {
    const markup = asked([500], { initiator: { type: 'parser' } });
    const rest = asked([500, 2_500, 4_500, 6_500]).slice(1);
    expect(flagged([...markup, ...rest], 7_000)).toEqual(['harbour', 'ladder', 'meadow']);
  });

  it('is another matter, when the same is asked again', () => {
    const same = asked([500, 2_500, 4_500], { url: 'https://example.com/webcam.jpg' });
    expect(flagged(same, 5_000)).toEqual([]);
  });
});
