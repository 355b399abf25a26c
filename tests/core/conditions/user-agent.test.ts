import { expect, it } from 'vitest';
import { userAgentFor } from '../../../src/core/conditions/user-agent.ts';

const PRODUCT = 'Chrome/156.0.8078.79';
const PIXEL =
  'Mozilla/5.0 (Linux; Android 11; Pixel 5) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0.4812.0 Mobile Safari/537.36';

it("takes the running browser's version, and agrees with itself in client hints", () => {
  expect(userAgentFor(PIXEL, PRODUCT, false)).toEqual({
    userAgent: PIXEL.replace('99.0.4812.0', '156.0.0.0'),
    platform: 'Linux armv81',
    userAgentMetadata: {
      brands: [
        { brand: 'Not)A;Brand', version: '99' },
        { brand: 'Chromium', version: '156' },
        { brand: 'Google Chrome', version: '156' },
      ],
      fullVersionList: [
        { brand: 'Not)A;Brand', version: '99.0.0.0' },
        { brand: 'Chromium', version: '156.0.8078.79' },
        { brand: 'Google Chrome', version: '156.0.8078.79' },
      ],
      platform: 'Android',
      platformVersion: '11',
      architecture: '',
      model: 'Pixel 5',
      mobile: true,
    },
  });
});

it.each([
  [
    'Mozilla/5.0 (Linux; Android 11; moto g power (2022)) AppleWebKit/537.36 Chrome/136.0.0.0 Mobile',
    'moto g power (2022)',
    true,
  ],
  ['Mozilla/5.0 (Linux; Android 8.0.0; Nexus 5X Build/OPR4.170623.006) Chrome/75.0.3765.0 Mobile', 'Nexus 5X', true],
  ['Mozilla/5.0 (Linux; Android 8.1.0; SM-T837A) Chrome/70.0.3538.80 Safari/537.36', 'SM-T837A', false],
  ['Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/156.0.0.0', '', false],
])('reads %s', (text, model, mobile) => {
  expect(userAgentFor(text, PRODUCT, false).userAgentMetadata).toMatchObject({ model, mobile });
});

it('gives a Safari no client hints, and changes nothing in what was typed', () => {
  const safari = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Mobile/15E148 Safari/604.1';
  expect(userAgentFor(safari, PRODUCT, false)).toEqual({ userAgent: safari, platform: 'iPhone' });
  expect(userAgentFor(PIXEL, PRODUCT, true)).toMatchObject({ userAgent: PIXEL, userAgentMetadata: { mobile: true } });
  expect(userAgentFor('bot', 'strange', false)).toEqual({ userAgent: 'bot' });
});
