import { describe, expect, it } from 'vitest';
import { KNOWN_DEVICES } from '../../../src/browser/context/known-devices.ts';
import { DESKTOP, findDevice } from '../../../src/core/conditions/devices.ts';

const nameOf = (text: string) => {
  const found = findDevice(text, KNOWN_DEVICES);
  return 'value' in found ? found.value.name : found.problem;
};

describe('a device', () => {
  it.each([
    ['desktop', 'desktop'],
    ['Desktop', 'desktop'],
    ['phone', 'Moto G Power'],
    ['tablet', 'Galaxy Tab S4'],
    ['moto-g-power', 'Moto G Power'],
    ['iPhone 15', 'iPhone 15'],
    ['iphone-15-pro-max', 'iPhone 15 Pro Max'],
    ['IPHONE15', 'iPhone 15'],
    ['iphone 15 landscape', 'iPhone 15 landscape'],
    ['Galaxy S9+', 'Galaxy S9+'],
    ['pixel 4a 5g', 'Pixel 4a (5G)'],
  ])('%j is %s', (text, name) => {
    expect(nameOf(text)).toBe(name);
  });

  it('is the desktop of before when nothing is said', () => {
    expect(findDevice('desktop', [])).toEqual({ value: DESKTOP });
    expect(DESKTOP).toMatchObject({ width: 1350, height: 940, deviceScaleFactor: 1, mobile: false, touch: false });
  });

  it('that nobody knows is refused with the nearest names', () => {
    expect(nameOf('iPhone 99')).toMatch(/^must be a device that Quiesce knows, such as iPhone/);
    expect(nameOf('iphone')).toMatch(/such as iPhone \d+, iPhone \d+/);
    expect(nameOf('galaxy')).toMatch(/Galaxy S5/);
    expect(nameOf('toaster')).toBe(
      'must be a device that Quiesce knows, such as desktop, phone, tablet, iPhone 15, Pixel 5 …',
    );
    expect(nameOf('')).toMatch(/^must be a device/);
  });

  it('has a size and a user agent, each of them', () => {
    for (const { name, width, height, deviceScaleFactor, userAgent } of KNOWN_DEVICES) {
      expect(nameOf(name)).toBe(name);
      for (const figure of [width, height, deviceScaleFactor]) expect(figure).toBeGreaterThan(0);
      expect(userAgent).toMatch(/^Mozilla/);
    }
  });
});
