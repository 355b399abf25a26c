import { describe, expect, it } from 'vitest';
import { cameAnotherWay } from '../../../../src/core/background/content/came-another-way.ts';
import { visitOf } from '../../../../src/core/measure.ts';
import { POLICY, page, recordingOf, type Scripted } from '../../../support/scripted.ts';

const visit = (requests: readonly Scripted[], until = 20_000) =>
  visitOf(recordingOf({ requests: page(...requests), until }), { ...POLICY, thorough: true });
const socket: Scripted = { path: '/socket', from: 300, type: 'websocket', messages: [400, 500, 600] };
const held: Scripted = { path: '/socket', from: 300, type: 'websocket', unanswered: true };
const polls = (times: number, from = 200): readonly Scripted[] =>
  Array.from({ length: times }, (_, i) => ({ path: '/poll', from: from + i * 500, to: from + 100 + i * 500 }));

/** Is the page without its socket supplied another way, when its other requests were these? */
const asked = (before: readonly Scripted[], without: readonly Scripted[], until?: number): boolean => {
  const whole = visit([socket, ...before]);
  const suspects = [{ requests: whole.timeline.requests.filter(({ type }) => type === 'websocket') }];
  return cameAnotherWay(whole, visit([held, ...without], until), suspects);
};

describe('what was held back', () => {
  it('came another way when the page asked somewhere else, or much more often', () => {
    expect(asked([], [{ path: '/events', from: 1_300, type: 'eventsource', messages: [1_400] }])).toBe(true);
    expect(asked(polls(1), polls(8))).toBe(true);
  });

  it('did not when the page asked for the same as before', () => {
    const data: Scripted = { path: '/api', from: 100, to: 500 };
    expect(asked([data], [data])).toBe(false);
    // A poll that is a little quicker, or that was watched for longer.
    expect(asked(polls(8), polls(9))).toBe(false);
    expect(asked(polls(30), polls(3), 2_000)).toBe(false);
  });

  it('did not by what brings no data', () => {
    expect(asked([], [{ path: '/log', from: 1_300, to: 1_400, method: 'POST', status: 204 }])).toBe(false);
    expect(asked([], [{ path: '/late', from: 1_300, unanswered: true }])).toBe(false);
    expect(asked([], [{ path: '/picture', from: 1_300, to: 1_400, type: 'image' }])).toBe(false);
  });
});
