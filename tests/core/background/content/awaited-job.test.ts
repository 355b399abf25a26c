import { describe, expect, it } from 'vitest';
import { mayBeAnswer, mayBeJob } from '../../../../src/core/background/content/awaited-job.ts';
import type { Request } from '../../../../src/model/network/timeline.ts';
import { request } from '../../../support/factories.ts';
import { timelineOf } from '../../../support/scripted.ts';

const AT_REST = { moves: false, saysBusy: false } as const;

/** Two answers of a poll, the second with more. */
function polled(more: Partial<NonNullable<Request['response']>> = {}): readonly Request[] {
  const { requests } = timelineOf({
    requests: [
      { path: '/status', from: 100, to: 150 },
      { path: '/status', from: 1_100, to: 1_150 },
    ],
    until: 5_000,
  });
  return requests.map((each, i) =>
    i === 1 && each.response ? { ...each, response: { ...each.response, ...more } } : each,
  );
}

describe('what is asked again and again', () => {
  it('is no job where neither the page nor the server says so', () => {
    expect(mayBeJob(polled(), AT_REST)).toBe(false);
  });

  it('may be a job where something moves, or the document says that it is busy, or cannot be asked', () => {
    expect(mayBeJob(polled(), { ...AT_REST, moves: true })).toBe(true);
    expect(mayBeJob(polled(), { ...AT_REST, saysBusy: true })).toBe(true);
    expect(mayBeJob(polled(), { ...AT_REST, saysBusy: undefined })).toBe(true);
  });

  it('may be a job where the server says that it is not done, or when to ask again', () => {
    expect(mayBeJob(polled({ status: 202 }), AT_REST)).toBe(true);
    expect(mayBeJob(polled({ headers: [{ name: 'Retry-After', value: '2' }] }), AT_REST)).toBe(true);
  });
});

describe('an answer that is still being written', () => {
  const { endedAt: _endedAt, ...open } = request({ method: 'POST', type: 'fetch' });
  const read = (more: Partial<Request>) => mayBeAnswer([{ ...open, ...more }]);

  it('was asked for by a POST and has not ended', () => {
    expect(read({})).toBe(true);
    expect(read({ endedAt: 900 })).toBe(false);
    expect(read({ method: 'GET' })).toBe(false);
    expect(read({ method: 'GET', type: 'eventsource' })).toBe(false);
  });
});
