import { describe, expect, it } from 'vitest';
import type { DoctorFinding, HostFacts, SelfComparison } from '../../../src/model/host/doctor.ts';
import { adviseOn, adviseOnSelfComparison } from '../../../src/wording/host/advice.ts';
import { factsOf } from '../../support/facts.ts';

const found = (code: DoctorFinding['code'], over: Partial<HostFacts>): DoctorFinding => {
  const finding = adviseOn(factsOf(over)).find((each) => each.code === code);
  if (!finding) throw new Error(`nothing is said of ${code}`);
  return finding;
};
const processors = (over: Partial<HostFacts['processors']>) => ({
  processors: { ...factsOf().processors, ...over },
});
const idle = (over: Partial<HostFacts['idle']>) => ({ idle: { ...factsOf().idle, ...over } });

describe('adviseOn', () => {
  it('condemns no machine that only drives a browser elsewhere', () => {
    const [first, ...others] = adviseOn(factsOf(idle({ busy: 0.9 })), true);
    expect(first).toMatchObject({ code: 'browser-machine', level: 'unknown', advice: expect.stringContaining('--aa') });
    expect(others.find(({ code }) => code === 'busy')).toMatchObject({ level: 'warning', advice: expect.anything() });
    expect(others.map(({ code }) => code)).toEqual(adviseOn(factsOf()).map(({ code }) => code));
  });

  it('finds nothing wrong with a machine at which nothing is wrong', () => {
    expect(adviseOn(factsOf()).filter(({ level }) => level !== 'ok')).toEqual([]);
  });

  it.each([
    ['one processor', 'processors', processors({ count: 1, available: 1 }), 'warning'],
    ['one of many processors', 'processors', processors({ available: 1 }), 'warning'],
    ['a container with 1.5 processors', 'processor-limit', processors({ limit: 1.5 }), 'warning'],
    ['a container with half a processor', 'processor-limit', processors({ limit: 0.5 }), 'problem'],
    ['a container with enough', 'processor-limit', processors({ limit: 4 }), 'ok'],
    ['a governor that saves power', 'governor', processors({ governors: ['performance', 'powersave'] }), 'warning'],
    ['a battery', 'power', { power: 'battery' as const }, 'warning'],
    ['mains', 'power', { power: 'mains' as const }, 'ok'],
    ['little memory', 'memory', { memory: { total: 4e9, available: 0.7e9 } }, 'warning'],
    ['hardly any memory', 'memory', { memory: { total: 4e9, available: 0.1e9 } }, 'problem'],
    ['a high load', 'load', { load: [9, 2, 1] as const }, 'warning'],
    ['a load that was high', 'load', { load: [1, 9, 9] as const }, 'ok'],
    ['something at work', 'busy', idle({ busy: 0.2 }), 'warning'],
    ['much at work', 'busy', idle({ busy: 0.5 }), 'problem'],
    ['a little stolen', 'steal', idle({ steal: 0.02 }), 'warning'],
    ['much stolen', 'steal', idle({ steal: 0.2 }), 'problem'],
    ['some waiting for a disk', 'pressure', idle({ pressure: { memory: 0, io: 0.05 } }), 'warning'],
    ['much waiting for memory', 'pressure', idle({ pressure: { memory: 0.5, io: 0 } }), 'problem'],
    ['waiting for processors alone', 'pressure', idle({ pressure: { cpu: 1, memory: 0, io: 0 } }), 'ok'],
    ['a spread of 20%', 'noise', { microBenchmark: [9, 9, 10, 11, 11] }, 'warning'],
    ['a spread of 100%', 'noise', { microBenchmark: [10, 10, 12, 22, 22] }, 'problem'],
    ['one outlier', 'noise', { microBenchmark: [10, 10, 10, 10, 500] }, 'ok'],
  ] as const)('with %s: %s is told', (_, code, over, level) => {
    expect(found(code, over).level).toBe(level);
  });

  it('says that it does not know what the system does not tell', () => {
    const { load: _, ...silent } = factsOf({ processors: { count: 4, available: 4 }, idle: { watchedFor: 1_000 } });
    const findings = adviseOn({ ...silent, microBenchmark: [] });
    expect(findings.filter(({ level }) => level === 'unknown').map(({ code }) => code)).toEqual([
      'governor',
      'turbo',
      'load',
      'busy',
      'steal',
      'pressure',
      'noise',
    ]);
    expect(findings.some(({ level }) => level === 'warning' || level === 'problem')).toBe(false);
  });

  it('says what to do next wherever something is not right', () => {
    const worst = factsOf({
      processors: { count: 1, available: 1, limit: 0.5, governors: ['powersave'], turbo: true },
      load: [9, 9, 9],
      memory: { total: 1e9, available: 1e8 },
      idle: { watchedFor: 1_000, busy: 1, steal: 0.5, pressure: { memory: 1, io: 1 }, greediest: [] },
      microBenchmark: [10, 20, 30, 40, 50],
      power: 'battery',
    });
    const wrong = adviseOn(worst).filter(({ level }) => level === 'warning' || level === 'problem');
    expect(wrong.map(({ code }) => code)).toEqual([
      'processors',
      'processor-limit',
      'governor',
      'power',
      'memory',
      'load',
      'busy',
      'steal',
      'pressure',
      'noise',
    ]);
    expect(wrong.filter(({ advice }) => advice === undefined)).toEqual([]);
  });

  it('leaves its facts as they are', () => {
    const facts = factsOf({ microBenchmark: [30, 10, 20] });
    const before = structuredClone(facts);
    adviseOn(facts);
    expect(facts).toEqual(before);
  });
});

describe('adviseOnSelfComparison', () => {
  const comparison: SelfComparison = {
    url: 'https://example.com/',
    decision: 'same',
    sentence: 'No change larger than 5%.',
    pairs: 16,
    smallestChange: 0.031,
    pairsForFivePercent: 10,
  };

  it.each([
    ['same', 'ok'],
    ['unsure', 'warning'],
    ['slower', 'problem'],
    ['faster', 'problem'],
    ['invalid', 'problem'],
  ] as const)('a page that is %s as itself: %s', (decision, level) => {
    const [self] = adviseOnSelfComparison({ ...comparison, decision });
    expect(self).toMatchObject({ code: 'self-comparison', level });
    expect(self?.what).toContain(comparison.sentence);
    expect(self?.advice === undefined).toBe(level === 'ok');
  });

  it('knows what the machine resolves, or that it does not', () => {
    expect(adviseOnSelfComparison(comparison)[1]?.level).toBe('ok');
    const { smallestChange: _, pairsForFivePercent: __, ...bare } = comparison;
    expect(adviseOnSelfComparison(bare)[1]?.level).toBe('unknown');
  });
});
