import { describe, expect, it } from 'vitest';
import { parseMinEffect } from '../../src/settings/min-effect.ts';
import { expectApproved, outlined } from '../support/approved.ts';

describe('parseMinEffect', () => {
  it.each([
    ['5%', { relative: 0.05, absolute: 10, paint: 17 }],
    ['50ms', { relative: 0, absolute: 50 }],
    ['5%,10ms', { relative: 0.05, absolute: 10 }],
    [' 20 ms , 2.5 % ', { relative: 0.025, absolute: 20 }],
    ['.5%,0ms', { relative: 0.005, absolute: 0 }],
  ])('reads "%s"', (text, effect) => {
    expect(parseMinEffect(text)).toEqual(effect);
  });

  const WRONG = ['', '5', '5%,', '-5%', '5s', '1e3ms', '5%,6%', '100%', '0%,0ms'];

  it('says what is wrong', () =>
    expectApproved(
      'settings/min-effect',
      outlined(Object.fromEntries(WRONG.map((text) => [`"${text}"`, JSON.stringify(parseMinEffect(text))]))),
    ));
});
