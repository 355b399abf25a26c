import { describe, expect, it } from 'vitest';
import { estimateShift } from '../../../src/core/experiment/hodges-lehmann.ts';
import { type DisturbedBlock, type DisturbedLoad, undisturbedShift } from '../../../src/core/experiment/undisturbed.ts';

/** Numbers between −1 and 1 that follow no pattern, the same each time. */
function noise(n: number): number {
  const at = Math.sin(n * 12.9898 + 4.1414) * 43_758.5453;
  return 2 * (at - Math.floor(at)) - 1;
}

/** Five blocks or more, of loads as `load` makes them of their number. */
function blocks(
  load: (n: number, candidate: boolean) => Partial<DisturbedLoad>,
  count = 10,
): readonly DisturbedBlock[] {
  return Array.from({ length: count }, (_, i) => {
    const of = (n: number, candidate: boolean): DisturbedLoad => ({
      undisturbed: 1000,
      stolenShare: 0,
      host: [],
      ...load(4 * i + n, candidate),
    });
    return { base: [of(0, false), of(1, false)], candidate: [of(2, true), of(3, true)] };
  });
}

const share = (n: number): number => 0.4 + 0.3 * noise(n + 0.5);

describe('the shift that remains without what the machine took', () => {
  it('is the shift of the undisturbed times where these do not depend on what was stolen', () => {
    const shift = undisturbedShift(
      blocks((n, candidate) => ({
        undisturbed: (candidate ? 1050 : 1000) * (1 + 0.01 * noise(n)),
        stolenShare: share(n),
      })),
    );
    expect(Math.expm1(shift?.estimate ?? 0)).toBeCloseTo(0.05, 2);
    expect(Math.expm1(shift?.interval(1.96).low ?? 0)).toBeGreaterThan(0.03);
  });

  it('takes off what the timeline did not tell, by what loads of one build differ in', () => {
    const robbed = blocks((n, candidate) => {
      const stolenShare = share(n) + (candidate ? 0.2 : 0);
      return { undisturbed: 1000 * Math.exp(0.3 * stolenShare + 0.005 * noise(n)), stolenShare };
    });
    const shift = undisturbedShift(robbed);
    expect(shift?.estimate).toBeCloseTo(0, 2);
    // 0.3 × 0.2 were taken off: a quarter of that is the error that is allowed for, and little else is uncertain here.
    const { low = 1, high = -1 } = shift?.interval(1.96) ?? {};
    const allowed = 1.96 * 2 * 0.25 * 0.3 * 0.2;
    expect(high - low).toBeGreaterThan(allowed);
    expect(high - low).toBeLessThan(allowed + 0.01);
  });

  it('never learns a slope from the difference between builds', () => {
    // Within a build nothing differs: all of the difference is the builds', though the candidate was robbed of more.
    const robbed = blocks((n, candidate) => ({
      undisturbed: (candidate ? 1100 : 1000) * (1 + 0.01 * noise(n)),
      stolenShare: candidate ? 0.6 : 0.3,
    }));
    expect(Math.expm1(undisturbedShift(robbed)?.estimate ?? 0)).toBeCloseTo(0.1, 2);
  });

  it('is less certain where more was stolen from one build than from the other', () => {
    const width = (more: number): number => {
      const { low = 0, high = 0 } =
        undisturbedShift(
          blocks((n, candidate) => ({
            undisturbed: 1000 * (1 + 0.02 * noise(n)),
            stolenShare: share(n) + (candidate ? more : 0),
          })),
        )?.interval(1.96) ?? {};
      return high - low;
    };
    expect(width(0.3)).toBeGreaterThan(1.2 * width(0));
  });

  it('makes use of what else was seen of the machine where that helps, and only there', () => {
    const width = (host: (n: number) => readonly (number | undefined)[]): number => {
      const { low = 0, high = 0 } =
        undisturbedShift(
          blocks((n) => ({
            undisturbed: 1000 * Math.exp(0.05 * noise(n)),
            stolenShare: share(n),
            host: host(n),
          })),
        )?.interval(1.96) ?? {};
      return high - low;
    };
    const without = width(() => []);
    expect(width((n) => [noise(n) + 0.1 * noise(n + 0.25)])).toBeLessThan(0.4 * without);
    expect(width((n) => [noise(n + 0.25)])).toBe(without);
    expect(width((n) => [n === 3 ? undefined : noise(n)])).toBe(without);
  });

  it('compares within machines', () => {
    const robbed = blocks((n) => ({ undisturbed: 1000 * (1 + 0.01 * noise(n)), stolenShare: share(n) }));
    const machines = robbed.map((block, i) => {
      const factor = i % 2 === 0 ? 1 : 1.5;
      const slower = (loads: readonly DisturbedLoad[]) =>
        loads.map((load) => ({ ...load, undisturbed: factor * load.undisturbed }));
      return { base: slower(block.base), candidate: slower(block.candidate), stratum: i % 2 };
    });
    const { low = 0, high = 1 } = undisturbedShift(machines)?.interval(1.96) ?? {};
    expect(high - low).toBeLessThan(0.02);
  });

  it('is that of the times themselves to the last bit where nothing was stolen', () => {
    const calm = blocks((n) => ({ undisturbed: 1000 * (1 + 0.03 * noise(n)) }));
    const log = ({ undisturbed }: DisturbedLoad): number => Math.log(undisturbed);
    const plain = estimateShift(
      calm.map(({ base, candidate }) => ({ base: base.map(log), candidate: candidate.map(log) })),
    );
    expect(undisturbedShift(calm)?.interval(1.96)).toEqual(plain?.interval(1.96));
  });

  it('is not known from a few loads', () => {
    expect(undisturbedShift(blocks(() => ({}), 3))).toBeUndefined();
    expect(undisturbedShift([])).toBeUndefined();
  });
});
