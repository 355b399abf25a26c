import { describe, expect, test } from 'vitest';
import { readOptions } from '../../src/settings/gather.ts';
import type { OptionsOf } from '../../src/settings/options.ts';
import { ownName, parseOwnMetric } from '../../src/settings/parse-own-metric.ts';

const audit = (given: OptionsOf<'audit'>) =>
  readOptions('audit', ['https://a.test/'], given, { env: {}, isRoot: false });
const compare = (given: OptionsOf<'compare'>) =>
  readOptions('compare', ['https://a.test/', 'https://b.test/'], given, { env: {}, isRoot: false });

describe('an own metric', () => {
  test.each([
    ['checkout-ready=measure:checkout', { name: 'checkoutReady', from: 'measure:checkout', unit: 'ms' }],
    ['items=js:a == "x=y" ? 1 : 2', { name: 'items', from: 'js:a == "x=y" ? 1 : 2', unit: 'count' }],
    [' db = server:db ', { name: 'db', from: 'server:db', unit: 'ms' }],
  ])('is read: %s', (given, expected) => {
    expect(parseOwnMetric(given)).toEqual({ value: { ...expected, better: 'lower' } });
  });

  test('may say more in a file', () => {
    const entry = { name: 'fps', from: 'js:fps', unit: 'score', better: 'higher', description: 'Frames.' } as const;
    expect(parseOwnMetric(entry)).toEqual({ value: entry });
  });

  test.each([
    ['checkout', 'must be <name>=<source>, such as checkout=measure:checkout-ready'],
    ['load=mark:x', 'must have another name than load, which is a metric of Quiesce'],
    ['LCP=mark:x', 'must have a name of letters, digits and dashes (at most 40), such as checkout-ready=…'],
    ['constructor=mark:x', 'must have a name of letters, digits and dashes (at most 40), such as checkout-ready=…'],
    ['requests=mark:x', 'must have another name than requests, which is a metric of Quiesce'],
    ['<b>=mark:x', 'must have a name of letters, digits and dashes (at most 40), such as checkout-ready=…'],
    ['x=mesure:y', 'must name its source with measure:, mark:, element:, server:, js: (did you mean measure:?)'],
    ['x=mark:', 'needs a name after mark:'],
    ['x=js:1 +', 'must have a JavaScript expression after js:'],
  ])('is refused: %s', (given, problem) => {
    expect(parseOwnMetric(given)).toEqual({ problem });
  });

  test('has its name in either spelling', () => {
    expect(['checkout-ready', 'checkoutReady', 'a1-b2', 'a_b', 'A', '-a', ''].map(ownName)).toEqual([
      'checkoutReady',
      'checkoutReady',
      'a1B2',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('gates and budgets', () => {
  const metric = ['checkout=measure:checkout-ready', { name: 'fps', from: 'js:fps', better: 'higher' }] as const;

  test('may name it', () => {
    const { values } = compare({ metric, gate: ['checkout'], budget: ['checkout=2s', 'fps=50:warn'] });
    expect(values.gate).toEqual([{ metric: 'checkout' }]);
    expect(values.budget).toMatchObject([
      { metric: 'checkout', unit: 'ms', bound: 'max', limit: 2000 },
      { metric: 'fps', unit: 'count', bound: 'min', limit: 50, severity: 'warn' },
    ]);
  });

  test.each<[OptionsOf<'compare'>, RegExp]>([
    [{ gate: ['chekout'] }, /gate: unknown metric "chekout". Choose one of: checkout, fps, page-complete/],
    [{ budget: ['chekout=2s'] }, /budget: must start with a known metric: did you mean checkout\?, not "chekout=2s"/],
    [{ budget: ['checkout=2kB'] }, /must have a limit for checkout, such as 2000, 2000ms or 2s/],
    [{ budget: ['fps<=3'] }, /must limit fps with min \(or >=\)/],
  ])('are refused: %o', (given, message) => {
    expect(() => compare({ metric, ...given })).toThrow(message);
  });

  test('may not name one that is not defined', () => {
    expect(() => audit({ budget: ['checkout=2s'] })).toThrow(/must start with a known metric/);
  });

  test('are those of each page', () => {
    const { pages } = readOptions(
      'audit',
      [],
      {
        metric: ['a=mark:a'],
        pages: [
          { url: 'https://a.test/', budget: ['a=1s'] },
          { url: 'https://b.test/', metric: ['b=mark:b'], budget: ['b=1s'] },
        ],
      },
      { env: {}, isRoot: false },
    );
    expect(pages.map(({ values }) => values.metric?.map(({ name }) => name))).toEqual([['a'], ['b']]);
  });
});

test('a list has each name once', () => {
  expect(() => audit({ metric: ['a=mark:a', 'a=mark:b'] })).toThrow(/metric must have a name of its own for each/);
});
