import { describe, expect, it } from 'vitest';
import { createEraser, secretsOf } from '../../../src/core/access/secrets.ts';
import { eraseFromHar } from '../../../src/core/har/erase.ts';
import type { QuiesceHar } from '../../../src/core/har/format.ts';
import { createRedactor, KEEP_SECRETS, keepSecretsBut } from '../../../src/core/har/redact.ts';

const SECRET = 'p&ss/wörd "1"';

describe('secrets that were given', () => {
  it('are the values, the tokens in them, and the password, but no common words', () => {
    expect(
      secretsOf({
        headers: [
          { name: 'Authorization', value: 'Bearer abcdefgh' },
          { name: 'X-Debug', value: '1' },
        ],
        cookies: [{ name: 'a', value: 'cookie-value' }],
        basicAuth: { user: 'someuser', password: 'hunter22' },
      }),
    ).toEqual([
      'Bearer abcdefgh',
      'cookie-value',
      'hunter22',
      'Basic c29tZXVzZXI6aHVudGVyMjI=',
      'abcdefgh',
      'c29tZXVzZXI6aHVudGVyMjI=',
    ]);
  });

  it.each([
    ['as it is', SECRET],
    ['in an address', encodeURIComponent(SECRET)],
    ['in a form', encodeURIComponent(SECRET).replaceAll('%20', '+')],
    ['in lower-case escapes', encodeURIComponent(SECRET).replace(/%../g, (byte) => byte.toLowerCase())],
    ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['in HTML', SECRET.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
    ['in base64', Buffer.from(SECRET).toString('base64')],
  ])('are found %s', (_, form) => {
    expect(createEraser([SECRET])?.(`a ${form} b`, '#')).toBe('a # b');
  });

  it.each([
    ['after its beginning', 'at /x/hunter-22…/y', 'at /x/#…/y'],
    ['before its end', '/x…2-hunter/y', '/x…#/y'],
    ['on both sides', '/x…ter-222-h…/y', '/x…#…/y'],
    ['after the beginning of its form in an address', '/hunter-222-hunter%2Fp…', '/#…'],
    ['in two', 'hunter-222…-hunter', '#…#'],
    ['where no more than five letters are left', '/x/hunte…/y', '/x/hunte…/y'],
    ['somewhere else', '/x/hunter-and-more…/y…', '/x/hunter-and-more…/y…'],
  ])('are found where a text was cut %s', (_, text, erased) => {
    expect(createEraser(['hunter-222-hunter', 'hunter-222-hunter/päss'])?.(text, '#')).toBe(erased);
  });

  it('are found in the base64 of any text around them, in both alphabets', () => {
    const secret = 'hunter-22~ÿ?ÿ>';
    for (const before of ['', 'a', 'ab', 'abc', 'session=', 'someone:']) {
      for (const after of ['', 'a', 'ab', 'abc']) {
        for (const encoding of ['base64', 'base64url'] as const) {
          const text = Buffer.from(before + secret + after).toString(encoding);
          for (const form of [text, encodeURIComponent(text)]) {
            const erased = createEraser([secret])?.(form, '#') ?? '';
            expect(erased).toContain('#');
            // A letter at each end may tell of what is beside it.
            const kept = Math.ceil((before.length * 8) / 6) + Math.ceil((after.length * 8) / 6) + 2;
            expect(decodeURIComponent(erased).replace(/[#=]/g, '').length).toBeLessThanOrEqual(kept);
          }
        }
      }
    }
  });

  it('are found wherever a text was cut', () => {
    const secret = 'CANARY-header/=&"1';
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')]) {
      const text = `/some/path/${form}/and/more`;
      for (let from = 1; from < text.length; from += 1) {
        for (let to = from; to < text.length; to += 1) {
          const erased = createEraser([secret])?.(`${text.slice(0, from)}…${text.slice(to)}`, '[]') ?? '';
          const left = erased.split('…').flatMap((piece, i) => {
            const known = i === 0 ? form.slice(0, 6) : form.slice(-6);
            return piece.includes(known) ? [erased] : [];
          });
          expect(left).toEqual([]);
        }
      }
    }
  });

  it('are none when none is long enough', () => {
    expect(createEraser(['1', 'true'])).toBeUndefined();
    expect(keepSecretsBut(['1'])).toBe(KEEP_SECRETS);
  });

  it('do not stand for patterns', () => {
    expect(createEraser(['$&.*(+)[a]'])?.('x $&.*(+)[a] $&', '$&')).toBe('x $& $&');
  });

  it('are redacted with everything else, and alone where all else is kept', () => {
    const redact = createRedactor(['hunter2222']);
    expect(redact.url('https://a.test/hunter2222/x?token=1&q=hunter2222')).toBe(
      'https://a.test/%5Bredacted%5D/x?token=%5Bredacted%5D&q=%5Bredacted%5D',
    );
    expect(redact.text('wants hunter2222')).toBe('wants [redacted]');
    const keep = keepSecretsBut(['hunter2222']);
    expect(keep.url('https://a.test/hunter2222?token=1')).toBe('https://a.test/%5Bredacted%5D?token=1');
    expect(keep.header({ name: 'x', value: 'hunter2222' })).toEqual({ name: 'x', value: '[redacted]' });
  });
});

describe('a HAR', () => {
  const har = {
    log: {
      entries: [
        {
          request: {
            url: 'https://a.test/hunter2222',
            headers: [
              { name: 'X-Short', value: '7' },
              { name: 'Other', value: '7' },
            ],
          },
          response: {
            content: { text: 'say hunter2222', mimeType: 'text/plain' },
          },
        },
        { response: { content: { text: btoa('\u0000\u00ff hunter2222'), encoding: 'base64', size: 3 } } },
        { response: { content: { text: btoa('harmless'), encoding: 'base64' } } },
      ],
    },
  } as unknown as QuiesceHar;

  it('loses them in every text, by the name of their header, and in binary bodies', () => {
    expect(eraseFromHar(har, { texts: ['hunter2222'], headers: ['x-short'] })).toEqual({
      log: {
        entries: [
          {
            request: {
              url: 'https://a.test/%5Bredacted%5D',
              headers: [
                { name: 'X-Short', value: '[redacted]' },
                { name: 'Other', value: '7' },
              ],
            },
            response: { content: { text: 'say [redacted]', mimeType: 'text/plain' } },
          },
          { response: { content: { text: '[redacted]', size: 3 } } },
          { response: { content: { text: btoa('harmless'), encoding: 'base64' } } },
        ],
      },
    });
  });

  it('is the same one when nothing was given', () => {
    expect(eraseFromHar(har, { texts: [], headers: [] })).toBe(har);
  });
});
