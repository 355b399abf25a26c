import { expect, it } from 'vitest';
import { DEFAULT_POLICY } from '../../src/core/completion/default-policy.ts';
import { POLICY, VERDICT } from '../../src/core/har/own-policy.ts';
import { createRedactor } from '../../src/core/har/redact.ts';
import * as keep from '../../src/core/har-codec.ts';
import type { Policy, Verdict } from '../../src/model/background/verdict.ts';

const writing: keep.Writing = { redact: createRedactor(), inWords: ({ code }) => `because of ${code}` };

it('an object is read as far as its fields are of their kinds', () => {
  const codec = keep.object<{ at: number; url?: string; done?: true; kind?: 'a' | 'b' }, 'kind'>({
    at: keep.moment,
    'url?': keep.url,
    'done?': keep.flag,
    'kind!': keep.oneOf(['a', 'b']),
  });
  expect(codec.read({ at: 1, url: 'x', done: true, kind: 'a', more: 1 })).toEqual({
    at: 1,
    url: 'x',
    done: true,
    kind: 'a',
  });
  expect(codec.read({ at: '1', url: 2, done: 'yes' })).toEqual({ at: 1 });
  for (const value of [undefined, null, 'text', [], {}, { at: 1e12 }, { at: null }, { at: 1, kind: 'c' }]) {
    expect(codec.read(value)).toBeUndefined();
  }
});

it('what is written has no secrets, no half characters, no impossible numbers and no unknown fields', () => {
  const codec = keep.listOf(
    keep.object<{ at: number; url?: string; name?: string; ms?: number }>({
      at: keep.moment,
      'url?': keep.url,
      'name?': keep.plain,
      'ms?': keep.or(keep.duration, 0),
    }),
  );
  const values = [
    { at: 1, url: 'https://e.com/?token=abc', name: '\ud800', ms: Number.NaN, more: 'password' },
    { at: Number.NaN },
    { at: 2, url: undefined },
  ];
  expect(codec.write(values, writing)).toStrictEqual([
    { at: 1, url: 'https://e.com/?token=%5Bredacted%5D', name: '\ufffd', ms: 0 },
    { at: 2 },
  ]);
});

it('a reason is read from its words', () => {
  const verdict: Verdict = { requestId: 'a', kind: 'poll', reason: { code: 'nothing-came' }, confidence: 'likely' };
  const written = VERDICT.write({ ...verdict, parts: 2 }, writing);
  expect(written).toEqual({ ...verdict, parts: 2, because: 'because of nothing-came' });
  expect(VERDICT.read(written)).toEqual({
    ...verdict,
    reason: { code: 'recorded', text: 'because of nothing-came' },
  });
});

it('a rule of a kind that is not known is none', () => {
  const rule = { endpoint: 'GET https://e.com/', because: '', confidence: 'likely' };
  const read = (learnt: unknown): Policy | undefined => POLICY.read({ ...DEFAULT_POLICY, learnt: [learnt] });
  expect(read(rule)?.learnt).toHaveLength(1);
  expect(read({ ...rule, kind: 'poll' })?.learnt).toHaveLength(1);
  expect(read({ ...rule, kind: 'new' })?.learnt).toEqual([]);
});
