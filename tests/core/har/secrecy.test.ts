import { expect, test } from 'vitest';
import { secrecyOf, withLoginsIn } from '../../../src/core/har/secrecy.ts';

const NOTHING = secrecyOf({ texts: [], headers: [] });
const said = 'ann:p%40ssw0rd hunter p@ssw0rd YW5uOnBAc3N3MHJk %70';

test('a login in an address is removed like one that was given as an option', () => {
  const { secrets, redact, erase } = withLoginsIn(
    ['./dist', undefined, 'https://ann:p%40ssw0rd@shop.example/'],
    NOTHING,
  );
  expect(secrets.headers).toEqual(['authorization']);
  for (const { text, header } of [redact, erase]) {
    expect(text(said)).toBe('[redacted] hunter [redacted] [redacted] %70');
    expect(header({ name: 'x-echo', value: 'Basic YW5uOnBAc3N3MHJk' }).value).not.toContain('YW5u');
  }
});

test('a user without a password is a token', () => {
  const { erase } = withLoginsIn(['https://t0ken-of-mine@shop.example/'], NOTHING);
  expect(erase.text('t0ken-of-mine')).toBe('[redacted]');
});

test('addresses without a login change nothing', () => {
  expect(withLoginsIn(['https://shop.example/?a=b', 'ann:x@y', '@'], NOTHING)).toBe(NOTHING);
});

test('a header that was given is redacted by its name, however short its value is', () => {
  const { redact } = secrecyOf({ texts: [], headers: ['x-short'] });
  expect(redact.header({ name: 'X-Short', value: '7' })).toEqual({ name: 'X-Short', value: '[redacted]' });
  expect(redact.header({ name: 'X-Other', value: '7' })).toEqual({ name: 'X-Other', value: '7' });
});
