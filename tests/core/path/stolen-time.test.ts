import { describe, expect, it } from 'vitest';
import { mainThreadSpans, mainThreadTimesAt, stolenOnPath, taskTimeAt } from '../../../src/core/path/stolen-time.ts';
import type { ResourceType } from '../../../src/model/network/network.ts';
import type { MainThreadSample } from '../../../src/model/recording/recording.ts';
import { request } from '../../support/factories.ts';

/** Clocks as `at:taskTime/cpuTime`. */
function clocks(text: string): readonly MainThreadSample[] {
  return text.split(' ').map((each) => {
    const [at = 0, taskTime = 0, cpuTime] = each.split(/[:/]/).map(Number);
    return { at, taskTime, ...(cpuTime !== undefined && { cpuTime }) };
  });
}

describe('the clocks of the main thread', () => {
  it('lie on the line between two readings', () => {
    expect(mainThreadTimesAt(clocks('100:80/60 200:120/70'), 150)).toEqual({ wall: 100, cpu: 65 });
  });

  it('count no more than the time that has passed, nor more on the processor than in tasks', () => {
    expect(mainThreadTimesAt(clocks('100:120/130'), 100)).toEqual({ wall: 100, cpu: 100 });
  });

  it('are not known without a reading later on, and the processor’s not without a reading of its own', () => {
    expect(taskTimeAt(clocks('100:80/60'), 101)).toBeUndefined();
    expect(mainThreadTimesAt(clocks('100:80 200:90'), 100)).toBeUndefined();
    expect(taskTimeAt(clocks('100:80 200:90'), 100)).toBe(80);
  });

  it('need not both have been read each time', () => {
    expect(mainThreadTimesAt(clocks('50:50 100:80/60'), 100)).toEqual({ wall: 80, cpu: 60 });
  });
});

describe('stolen time of a worker', () => {
  const path = [{ from: 0, to: 400 }];
  // Script until 100, then nothing: the worker computes from 100 to 300, and half of it is stolen.
  const mainThread = clocks('100:100/100 300:100/100 400:200/200');
  const stolenBy = (...workers: readonly string[]) =>
    stolenOnPath(path, { mainThread, workerThreads: workers.map((text) => ({ samples: clocks(text) })) }, 400);

  it('counts where the main thread was idle on the path and the worker was not', () => {
    expect(stolenBy('100:0/0 200:100/50 300:200/100 400:200/100')).toBe(100);
  });

  it('does not where the page waited for the network, or computed itself', () => {
    const workerThreads = [{ samples: clocks('100:0/0 300:200/100 400:200/100') }];
    expect(stolenOnPath([{ from: 300, to: 400 }], { mainThread, workerThreads }, 400)).toBe(0);
    expect(stolenOnPath(path, { mainThread: clocks('400:400/400'), workerThreads }, 400)).toBe(0);
    // Of 300 ms on the path 200 are the main thread's own: it can have waited for no more than half of the worker's.
    expect(stolenOnPath([{ from: 0, to: 300 }], { mainThread: clocks('300:200/200'), workerThreads }, 300)).toBe(50);
  });

  it('does not where the worker goes on when the page does, or was mostly idle', () => {
    expect(stolenBy('100:0/0 200:100/50 300:200/100 400:300/150 500:400/200')).toBe(0);
    expect(stolenBy('100:0/0 200:50/10 300:100/20 400:100/20')).toBe(0);
  });

  it('is that of the slowest, where several compute side by side', () => {
    expect(stolenBy('100:0/0 300:200/100 400:200/100', '100:0/0 300:200/120 400:200/120')).toBe(100);
  });

  it('makes nothing of two readings at one moment, as a file may have them', () => {
    expect(stolenBy('100:0/0 100:50/10 200:150/60 300:250/110 400:250/110')).toBe(100);
  });

  it('ends with the moment that is asked about', () => {
    const workerThreads = [{ samples: clocks('100:0/0 300:200/100 400:200/100') }];
    expect(stolenOnPath(path, { mainThread, workerThreads }, 200)).toBe(50);
  });
});

describe('stolen time on the path', () => {
  it('is all of it where the page waited for its main thread from the beginning to the end', () => {
    expect(stolenOnPath([{ from: 0, to: 400 }], { mainThread: clocks('400:390/150') }, 400)).toBe(240);
  });

  it('is none where the page waited for the network meanwhile', () => {
    expect(stolenOnPath([], { mainThread: clocks('400:390/150') }, 400)).toBe(0);
  });

  it('is taken to be spread over the tasks evenly, which fill the path first', () => {
    expect(stolenOnPath([{ from: 300, to: 400 }], { mainThread: clocks('400:200/100') }, 400)).toBe(50);
    expect(stolenOnPath([{ from: 100, to: 400 }], { mainThread: clocks('400:200/100') }, 400)).toBe(100);
  });

  it('is told from the readings around each span', () => {
    expect(stolenOnPath([{ from: 100, to: 200 }], { mainThread: clocks('100:90/10 200:180/90') }, 200)).toBe(10);
  });

  it('ends with the moment that is asked about', () => {
    expect(stolenOnPath([{ from: 0, to: 400 }], { mainThread: clocks('400:400/200') }, 100)).toBe(50);
    expect(stolenOnPath([{ from: 0, to: 50 }], { mainThread: clocks('400:400/200') }, 100)).toBe(25);
  });

  it('is not known without both clocks', () => {
    expect(stolenOnPath([{ from: 0, to: 400 }], { mainThread: clocks('400:390') }, 400)).toBeUndefined();
    expect(stolenOnPath([{ from: 0, to: 400 }], { mainThread: clocks('300:290/100') }, 400)).toBeUndefined();
  });

  it('is never negative: the clocks are not read at the same moment', () => {
    expect(stolenOnPath([{ from: 0, to: 400 }], { mainThread: clocks('100:50/50 200:60/65') }, 200)).toBe(0);
  });
});

describe('spans of the main threads', () => {
  const step = { method: 'GET', url: 'https://a.test/', type: 'document', startedAt: 0, endsAt: 0 } as const;
  const reason = { code: 'navigation' } as const;
  const path = {
    steps: [
      { ...step, reason, delay: 5, wait: 20, receive: 10 },
      { ...step, reason, delay: 40, wait: 100, receive: 0 },
    ],
    rest: 30,
  };

  it('lie before each request of the critical path, and at the end', () => {
    expect(mainThreadSpans(path, [])).toEqual([
      { from: 0, to: 5 },
      { from: 35, to: 75 },
      { from: 175, to: 205 },
    ]);
  });

  it('belong to the frame that asked, where its clocks were read, but for its document', () => {
    const chain = (type: ResourceType, frameId: string) => [
      { request: request({ type: 'document', mainDocument: true }) },
      { request: request({ type, frameId }) },
    ];
    const threads = [{ frameId: 'other-site', samples: [] }];
    expect(mainThreadSpans(path, chain('fetch', 'other-site'), threads)).toEqual([
      { from: 0, to: 5 },
      { from: 35, to: 75, frameId: 'other-site' },
      { from: 175, to: 205, frameId: 'other-site' },
    ]);
    expect(mainThreadSpans(path, chain('document', 'other-site'), threads)).toEqual([
      { from: 0, to: 5 },
      { from: 35, to: 75 },
      { from: 175, to: 205, frameId: 'other-site' },
    ]);
    expect(mainThreadSpans(path, chain('fetch', 'of-the-page'), threads)).toEqual(mainThreadSpans(path, []));
  });

  it('each count what was stolen from their own thread', () => {
    const spans = [
      { from: 0, to: 100 },
      { from: 200, to: 300, frameId: 'other-site' },
    ];
    const mainThread = clocks('100:100/80 300:200/100');
    const frameThreads = [{ frameId: 'other-site', samples: clocks('200:0/0 300:100/70') }];
    expect(stolenOnPath(spans, { mainThread, frameThreads }, 300)).toBe(50);
    expect(stolenOnPath(spans, { mainThread }, 300)).toBe(20);
    // Not read again in time: what was taken from it is not known, and nothing is taken off.
    expect(
      stolenOnPath(spans, { mainThread, frameThreads: [{ frameId: 'other-site', samples: clocks('200:0/0') }] }, 300),
    ).toBe(20);
  });
});
