import { describe, expect, it } from 'vitest';
import { givenSecrets, labSettingsOf, loadOptionsOf, withoutSecrets } from '../../src/app/load-options.ts';
import { DESKTOP } from '../../src/core/conditions/devices.ts';
import { UsageError } from '../../src/core/messages.ts';

describe('what a load is asked for', () => {
  it('is an ordinary desktop by default', () => {
    expect(loadOptionsOf({})).toEqual({
      conditions: { device: DESKTOP, cpu: 1, view: 'cold' },
      access: { headers: [], cookies: [], block: [], ignoreCertificateErrors: false },
    });
  });

  it('is what the settings say', () => {
    const { conditions, access } = loadOptionsOf({
      device: 'iphone 15',
      network: 'slow-4g',
      cpu: 4,
      view: 'warm',
      locale: 'de-de',
      timezone: 'asia/tokyo',
      geolocation: '1,2',
      userAgent: 'x',
      block: ['*/ads/*'],
      header: ['X-A: b'],
      cookie: ['c=d'],
      basicAuth: 'e:f',
      ignoreCertificateErrors: true,
    });
    expect(conditions).toMatchObject({
      device: { name: 'iPhone 15' },
      network: { name: 'slow-4g', latency: 562.5 },
      cpu: 4,
      view: 'warm',
      locale: 'de-DE',
      timezone: 'Asia/Tokyo',
      geolocation: { latitude: 1, longitude: 2 },
      userAgent: 'x',
    });
    expect(access).toEqual({
      headers: [{ name: 'X-A', value: 'b' }],
      cookies: [{ name: 'c', value: 'd' }],
      basicAuth: { user: 'e', password: 'f' },
      block: ['*/ads/*'],
      ignoreCertificateErrors: true,
    });
  });

  it.each([
    [{ device: 'toaster' }, /^--device: must be/],
    [{ network: '5g' }, /^--network: must be/],
    [{ header: ['X: SECRET\nY: 2'] }, /^--header: must (?!.*SECRET)/],
    [{ cookie: ['SECRET'] }, /^--cookie: must (?!.*SECRET)/],
    [{ basicAuth: 'SECRET' }, /^--basic-auth: must (?!.*SECRET)/],
    [{ locale: '!' }, /^--locale: must/],
    [{ timezone: 'Mars' }, /^--timezone: must/],
    [{ geolocation: 'here' }, /^--geolocation: must/],
    [{ header: ['Authorization: SECRET'], basicAuth: 'a:SECRET' }, /one Authorization/],
  ])('refuses %j in one line', (settings, line) => {
    const refused = (): unknown => loadOptionsOf(settings);
    expect(refused).toThrow(UsageError);
    expect(refused).toThrow(line);
  });
});

describe('secrets', () => {
  const settings = {
    runs: 3,
    device: 'phone',
    header: ['X-A: SECRET-1', 'broken SECRET-2'],
    cookie: ['c=SECRET-3'],
    basicAuth: 'e:SECRET-4',
    pages: [{ url: '/', header: ['X-B: SECRET-5'] }],
  };

  it('are stored by their names alone, of every page', () => {
    expect(withoutSecrets(settings)).toEqual({
      runs: 3,
      device: 'phone',
      header: ['X-A: [redacted]', '[redacted]'],
      cookie: ['c=[redacted]'],
      basicAuth: '[redacted]',
      pages: [{ url: '/', header: ['X-B: [redacted]'] }],
    });
    expect(labSettingsOf(settings)).toEqual({
      device: 'phone',
      header: ['X-A: [redacted]', '[redacted]'],
      cookie: ['c=[redacted]'],
      basicAuth: '[redacted]',
    });
  });

  it('are known of every page', () => {
    const { texts, headers } = givenSecrets({ ...settings, header: ['X-A: SECRET-1'] });
    expect(texts).toEqual(expect.arrayContaining(['SECRET-1', 'SECRET-3', 'SECRET-4', 'SECRET-5']));
    expect(headers).toEqual(['x-a', 'authorization', 'x-b']);
  });
});
