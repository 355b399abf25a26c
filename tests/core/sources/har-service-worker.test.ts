import { describe, expect, it } from 'vitest';
import { backgroundIn, byScript, DOCUMENT, SITE, visitOfHar, type Written } from '../../support/har-entries.ts';

const css = { mimeType: 'text/css', took: 3_000 } as const;
const byWorker = { response: { _fetchedViaServiceWorker: true } } as const;
const read = (...entries: readonly Written[]) => {
  const visit = visitOfHar(entries);
  return { at: visit.complete.state === 'complete' && visit.complete.at, background: Object.keys(backgroundIn(visit)) };
};

describe('what a service worker asks for by itself', () => {
  const renewed = (file: string): readonly Written[] => [
    { url: '/', at: 5, took: 700, more: byScript(file) },
    { ...css, url: '/a.css', at: 300, more: byScript(file) },
    { ...css, url: '/b.css', at: 310, more: byScript(file) },
  ];

  it.each([
    '/sw.js',
    '/service-worker.js',
    '/serviceworker-3f2a9c81.min.js',
    '/lamps-sw.js',
    '/ngsw-worker.js',
    '/workbox-9f2c.js',
    '/pwa.js',
  ])('is known by who asked, where the page came out of its cache: %s', (file) => {
    expect(read(...renewed(file))).toEqual({ at: 400, background: ['/', '/a.css', '/b.css'] });
  });

  it('is known by the script that says so, also through others', () => {
    const script: Written = {
      url: '/offline.js',
      at: 450,
      mimeType: 'text/javascript',
      sent: { 'Service-Worker': 'script' },
    };
    const stored = { ...css, url: '/a.css', at: 600, more: byScript('/lib/cache.js', '/offline.js') };
    expect(read(DOCUMENT, script, stored)).toEqual({ at: 400, background: ['/offline.js', '/a.css'] });
  });

  it('is none of what scripts of the page ask for', () => {
    const loaded = (file: string): Written => ({
      url: file,
      at: 110,
      mimeType: 'text/javascript',
      more: byScript('/'),
    });
    for (const file of ['/app.js', '/sw.js', '/workbox-window.prod.js']) {
      expect(read(DOCUMENT, loaded(file), ...renewed(file).slice(1)).background).toEqual([]);
    }
    // A script of which nothing is known asks for data, too, or only once.
    const rows = { url: '/rows', at: 320, mimeType: 'application/json', more: byScript('/pwa.js') };
    expect(read(DOCUMENT, ...renewed('/pwa.js').slice(1), rows).background).toEqual([]);
    expect(read(DOCUMENT, ...renewed('/pwa.js').slice(1, 2)).background).toEqual([]);
    expect(read(DOCUMENT, ...renewed('/register-sw-client.js').slice(1, 2)).background).toEqual([]);
  });

  it('is known, where nobody wrote down who asked, by what the worker had answered, and by its referrer', () => {
    const page = [
      { ...DOCUMENT, ...byWorker },
      { ...css, ...byWorker, url: '/a.css', at: 120, took: 10 },
    ];
    expect(read(...page, { ...css, url: '/a.css', at: 131 })).toEqual({ at: 400, background: ['/a.css'] });
    expect(read(...page, { ...css, url: '/b.css', at: 131, sent: { Referer: `${SITE}/sw.js` } })).toEqual({
      at: 400,
      background: ['/b.css'],
    });
    expect(read(...page, { ...css, url: '/b.css', at: 131 })).toEqual({ at: 3_131, background: [] });
  });

  it('is certain only where it is known who asked', () => {
    const confidence = (more: Partial<Written>) =>
      backgroundIn(
        visitOfHar([
          { ...DOCUMENT, ...byWorker },
          { ...css, url: '/b.css', at: 131, ...more },
        ]),
      )['/b.css'];
    expect(confidence({ more: byScript('/sw.js') })).toBe('service-worker certain');
    expect(confidence({ sent: { Referer: `${SITE}/sw.js` } })).toBe('service-worker likely');
  });

  it('counts while the page waits for it', () => {
    const waiting = { ...css, ...byWorker, url: '/a.css', at: 120, took: 3_100 };
    const fetched = { ...css, url: '/a.css', at: 150 };
    expect(read({ ...DOCUMENT, ...byWorker }, waiting, fetched)).toEqual({ at: 3_220, background: [] });
    expect(read({ ...DOCUMENT, ...byWorker }, waiting, { ...fetched, more: byScript('/sw.js') })).toMatchObject({
      at: 3_220,
      background: [],
    });
  });
});
