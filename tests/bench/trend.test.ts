import { describe, expect, it } from 'vitest';
import { simulateHistories, worlds } from '../../bench/trend/simulate.ts';
import { FEWEST } from '../../src/core/trend/changes.ts';

describe('changes of a trend, simulated: how often they are wrong, and how soon they are right', () => {
  const simulate = (name: string, step: number, histories: number) => {
    const world = worlds.find((each) => each.name === name);
    if (!world) throw new Error(`no world ${name}`);
    return simulateHistories({ world, step, nights: 60, histories, seed: 2 });
  };

  it.each([
    ['nights 3 %', 0.04],
    ['calm nights', 0.03],
    ['two machines', 0.06],
    ['bad nights', 0.1],
  ] as const)('%s: marks calm histories rarely', (name, most) => {
    expect(simulate(name, 0, 100).marked).toBeLessThan(most);
  });

  it('finds 10 % within a few results, and 20 % with the third', () => {
    const ten = simulate('nights 3 %', 0.1, 50);
    expect(ten.found).toBeGreaterThan(0.88);
    expect(ten.delay).toBeLessThanOrEqual(6);
    const twenty = simulate('nights 3 %', 0.2, 30);
    expect(twenty.found).toBeGreaterThan(0.95);
    expect(twenty.delay).toBe(FEWEST);
  });
});
