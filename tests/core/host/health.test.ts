import { describe, expect, it } from 'vitest';
import { hostHealth } from '../../../src/core/host/health.ts';
import type { HostSample } from '../../../src/model/recording/recording.ts';

/** What a machine of two processors did in one stretch of time, in shares of all of it; 5% busy, all the browser's, by default. */
interface Stretch {
  readonly ms?: number;
  readonly busy?: number;
  readonly browser?: number;
  readonly own?: number;
  readonly steal?: number;
  readonly memory?: number;
  readonly io?: number;
  readonly cpu?: number;
}

/** Readings at the ends of the stretches, as the kernel would count. */
function samplesOf(...stretches: readonly Stretch[]): readonly HostSample[] {
  const cores = 2;
  let last = { at: 0, cores, busy: 5e6, steal: 100, total: 9e6, browser: 300, own: 700 };
  let stalled = { cpu: 10, memory: 20, io: 30 };
  const samples: HostSample[] = [{ ...last, stalled }];
  for (const { ms = 200, busy = 0.05, browser = busy, own = 0, steal = 0, memory = 0, io = 0, cpu = 0 } of stretches) {
    const total = ms * cores;
    last = {
      at: last.at + ms,
      cores,
      busy: last.busy + busy * total,
      steal: last.steal + steal * total,
      total: last.total + total,
      browser: last.browser + browser * total,
      own: last.own + own * total,
    };
    stalled = { cpu: stalled.cpu + cpu * ms, memory: stalled.memory + memory * ms, io: stalled.io + io * ms };
    samples.push({ ...last, stalled });
  }
  return samples;
}

const without = (key: keyof HostSample, samples: readonly HostSample[]): readonly HostSample[] =>
  samples.map((sample) => Object.fromEntries(Object.entries(sample).filter(([name]) => name !== key))) as never;

describe('hostHealth', () => {
  it('does not hold against a machine what the browser under test does', () => {
    expect(hostHealth(samplesOf({ ms: 2_000, busy: 0.95, browser: 0.9, cpu: 0.9 }))).toEqual({
      verdict: 'fit',
      busyByOthers: expect.closeTo(0.05, 6),
      steal: 0,
      pressure: { cpu: expect.closeTo(0.9, 6), memory: 0, io: 0 },
      reasonFacts: [],
    });
  });

  it('condemns a machine on which others are at work, and says so', () => {
    const result = hostHealth(samplesOf({ ms: 2_000, busy: 0.9, browser: 0.4 }));
    expect(result).toMatchObject({
      verdict: 'unfit',
      reasonFacts: [{ code: 'busy-by-others', share: expect.closeTo(0.5, 6) }],
    });
    expect(result.busyByOthers).toBeCloseTo(0.5, 6);
  });

  it('does not count what this program did: it serves folders itself', () => {
    const result = hostHealth(samplesOf({ ms: 2_000, busy: 0.9, browser: 0.3, own: 0.5 }));
    expect(result).toMatchObject({ verdict: 'fit', busyByOthers: expect.closeTo(0.1, 6) });
  });

  it.each([
    [{ steal: 0.2 }, { code: 'steal', share: 0.2 }],
    [{ memory: 0.5 }, { code: 'memory-pressure', share: 0.5 }],
    [{ io: 0.5 }, { code: 'disk-pressure', share: 0.5 }],
  ])('condemns %o', (stretch, reason) => {
    const { verdict, reasonFacts } = hostHealth(samplesOf({ ms: 2_000, ...stretch }));
    expect(verdict).toBe('unfit');
    expect(reasonFacts).toEqual([{ ...reason, share: expect.closeTo(reason.share, 6) }]);
  });

  it('leaves out what the machine did after the page was complete', () => {
    const samples = samplesOf({}, {}, {}, { busy: 1, browser: 0, io: 1 }, { busy: 1, browser: 0, io: 1 });
    expect(hostHealth(samples).verdict).toBe('unfit');
    expect(hostHealth(samples, 550)).toMatchObject({ verdict: 'fit', busyByOthers: 0, pressure: { io: 0 } });
  });

  it('is not talked out of a busy load by a long quiet window behind it', () => {
    const samples = samplesOf({ busy: 0.9, browser: 0.1 }, { busy: 0.9, browser: 0.1 }, { ms: 3_000 });
    expect(hostHealth(samples).verdict).toBe('fit');
    expect(hostHealth(samples.slice(0, 3), 400).verdict).toBe('unfit');
  });

  it('looks at half a second at least: the clocks go in steps', () => {
    const samples = samplesOf({ busy: 0.9, browser: 0.1 }, {}, {}, {}, {});
    expect(hostHealth(samples, 20).busyByOthers).toBeCloseTo(0.8 / 3, 6);
  });

  it('takes all there is when the page was complete after the last reading, or never', () => {
    const samples = samplesOf({ ms: 1_000 }, { ms: 1_000, busy: 1, browser: 0.2 });
    expect(hostHealth(samples, 9_000)).toEqual(hostHealth(samples));
  });

  it('says when it was busy, if that was not all the time', () => {
    const quiet = { ms: 500 };
    const busy = { ms: 500, busy: 1, browser: 0 };
    expect(hostHealth(samplesOf(quiet, busy, busy, quiet)).reasonFacts).toEqual([
      { code: 'busy-by-others', share: 0.5, mostly: { from: 500, to: 1_500 } },
    ]);
    expect(hostHealth(samplesOf(busy, busy, busy)).reasonFacts).toEqual([{ code: 'busy-by-others', share: 1 }]);
  });

  it('does not take for others what a process of the browser had used when it ended', () => {
    const [a, b, c] = samplesOf({ ms: 1_000, busy: 0.5 }, { ms: 1_000, busy: 0.5 });
    if (!a || !b || !c) throw new Error('three readings');
    // 1,000 ms of CPU time were read, then the process that had used them was gone.
    const ended = { ...c, browser: 300 };
    expect(hostHealth([a, b, ended]).busyByOthers).toBeCloseTo(0.25, 6);
  });

  it('is unknown where the browser does not tell its part, unless there is nothing to share', () => {
    const told = hostHealth(without('browser', samplesOf({ ms: 2_000, busy: 0.9 })));
    expect(told).toMatchObject({
      verdict: 'unknown',
      reasonFacts: [{ code: 'browser-share-unknown' }],
    });
    expect(told?.busyByOthers).toBeUndefined();
    expect(hostHealth(without('browser', samplesOf({ ms: 2_000, busy: 0.1 }))).verdict).toBe('fit');
    expect(hostHealth(without('browser', samplesOf({ ms: 2_000, busy: 0.9, steal: 0.5 }))).verdict).toBe('unfit');
  });

  it('leaves out what the system does not tell', () => {
    const samples = without('own', without('steal', without('stalled', samplesOf({ ms: 2_000 }))));
    expect(hostHealth(samples)).toEqual({ verdict: 'fit', busyByOthers: 0, reasonFacts: [] });
  });

  it.each([
    ['no reading', []],
    ['one reading', samplesOf()],
    ['clocks that stand still', [...samplesOf(), ...samplesOf()]],
  ])('is unknown with %s', (_, samples) => {
    expect(hostHealth(samples)).toEqual({
      verdict: 'unknown',
      reasonFacts: [{ code: 'no-clocks' }],
    });
  });

  it('says nothing of a machine that it cannot see, whatever the one that drives the browser does', () => {
    const driver = (stretch: Stretch) =>
      samplesOf({ ms: 2_000, ...stretch }).map((sample): HostSample => ({ ...sample, driver: true }));
    const elsewhere = { code: 'elsewhere' };
    expect(hostHealth(driver({ busy: 0.5, steal: 0.3 }))).toEqual({
      verdict: 'unknown',
      driver: 'free',
      reasonFacts: [elsewhere],
    });
    const busy = hostHealth(driver({ busy: 0.9, io: 0.9 }));
    expect(busy).toMatchObject({ verdict: 'unknown', driver: 'busy' });
    expect(busy.reasonFacts).toEqual([elsewhere, { code: 'driver-busy', share: expect.closeTo(0.9, 6) }]);
    expect(hostHealth(driver({}).slice(0, 1))).toEqual({
      verdict: 'unknown',
      driver: 'unknown',
      reasonFacts: [elsewhere],
    });
  });

  it('leaves its readings as they are', () => {
    const samples = samplesOf({ busy: 0.9, browser: 0.1 }, {}, {});
    const before = structuredClone(samples);
    hostHealth(samples, 300);
    expect(samples).toEqual(before);
  });
});
