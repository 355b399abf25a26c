import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hostHealth } from '../../../src/core/host/health.ts';
import { readHost } from '../../../src/shell/host/probe.ts';
import { treeOf } from './tree.ts';

const STAT = `cpu  100 20 30 800 40 5 6 7 50 60
cpu0 50 10 15 400 20 3 3 4 25 30
cpu1 50 10 15 400 20 2 3 3 25 30
intr 12345 0 9
ctxt 100
`;
const pressure = (total: number) =>
  `some avg10=1.50 avg60=0.10 avg300=0.02 total=${total}\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n`;

describe('readHost', () => {
  it('reads what the kernel counts, in milliseconds', () => {
    const proc = treeOf({
      stat: STAT,
      'pressure/cpu': pressure(1_500_000),
      'pressure/memory': pressure(2_500),
      'pressure/io': pressure(0),
    });
    expect(readHost(12, 345, proc)).toEqual({
      at: 12,
      cores: 2,
      // Guests' time is in the users' already; waiting for a disk is not work.
      busy: 1_610,
      steal: 70,
      total: 10_080,
      browser: 345,
      own: expect.any(Number),
      stalled: { cpu: 1_500, memory: 2.5, io: 0 },
    });
  });

  it('leaves out what is not there', () => {
    const sample = readHost(
      0,
      undefined,
      treeOf({ stat: STAT, 'pressure/io': pressure(9_000), 'pressure/cpu': 'off' }),
    );
    expect(sample.stalled).toEqual({ io: 9 });
    expect(sample?.browser).toBeUndefined();
    expect(readHost(0, undefined, treeOf({ stat: 'cpu 1 2 3 4 5 6 7\ncpu0 1 2 3 4 5 6 7' }))).not.toHaveProperty(
      'steal',
    );
    expect(readHost(0, undefined, treeOf({ stat: STAT }))?.stalled).toBeUndefined();
  });

  it('asks Node where there is no such file, as on macOS and Windows', () => {
    const sample = readHost(0, 1, treeOf({}));
    expect(sample.cores).toBeGreaterThan(0);
    expect(sample.total).toBeGreaterThan(sample.busy);
    expect(sample?.steal).toBeUndefined();
    expect(sample?.stalled).toBeUndefined();
  });

  it("counts this program's own time", () => {
    const before = readHost(0);
    let spins = 0;
    while ((readHost(0).own ?? 0) < (before.own ?? 0) + 20) spins += 1;
    expect(spins).toBeGreaterThan(0);
    expect(readHost(0).busy).toBeGreaterThanOrEqual(before.busy);
  });

  it.skipIf(!existsSync('/proc/stat'))('gives readings of this machine that can be judged', () => {
    const before = readHost(0, 0);
    let after = readHost(1, 0);
    // The clocks go in steps of 10 ms; this is over after a few.
    while (after.total - before.total < 100) after = readHost(1, 0);
    // What this program does itself is not counted as others': here it stands for them.
    const asOthers = ({ own: _own, ...sample }: typeof before) => sample;
    const { busyByOthers, steal, verdict } = hostHealth([asOthers(before), asOthers(after)]);
    expect(verdict).not.toBe('unknown');
    // The loop above kept a processor busy, and no browser did.
    expect(busyByOthers).toBeGreaterThan(0);
    expect(steal).toBeGreaterThanOrEqual(0);
  });
});
