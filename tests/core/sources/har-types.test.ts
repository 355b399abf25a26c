import { describe, expect, it } from 'vitest';
import { healthOf } from '../../../src/core/health/index.ts';
import { backgroundIn, DOCUMENT, SITE, typesIn, visitOfHar, type Written } from '../../support/har-entries.ts';

const FIREFOX_43 = 'image/png,image/*;q=0.8,*/*;q=0.5';
const CHROME = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
const SAFARI = 'image/webp,image/avif,video/*;q=0.8,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5';
const EXPLORER_8 = 'image/gif, image/jpeg, application/x-ms-application, application/xaml+xml, */*';

/** The type of one request of a page. */
const typeOf = (written: Omit<Written, 'at'>): string | undefined => Object.values(typesIn({ ...written, at: 150 }))[0];

describe('the type of a request', () => {
  it('is what the producer says, whatever came', () => {
    const html = { url: '/x.js', mimeType: 'text/html' };
    expect(typeOf({ ...html, more: { _resourceType: 'fetch' } })).toBe('fetch');
    expect(typeOf({ ...html, more: { _request_type: 'Image' } })).toBe('image');
    expect(typeOf({ ...html, more: { _cause: { type: 'img' } } })).toBe('image');
    expect(typeOf({ ...html, more: { _cause: 'beacon' } })).toBe('ping');
  });

  it.each([
    ['Firefox 43', FIREFOX_43],
    ['Chrome', CHROME],
    ['Safari', SAFARI],
  ])('is that of a picture where %s would take pictures, even if an error page came', (_, Accept) => {
    for (const [status, mimeType] of [
      [404, 'text/html'],
      [204, 'text/html'],
      [500, ''],
      [200, 'text/html'],
      [302, 'text/html'],
    ] as const) {
      expect(typeOf({ url: '/photo', status, mimeType, sent: { Accept } })).toBe('image');
    }
  });

  it('is not that of a picture where Internet Explorer 8 asks for anything', () => {
    expect(typeOf({ url: '/frame', sent: { Accept: EXPLORER_8 } })).toBe('document');
    expect(typeOf({ url: '/app.js', sent: { Accept: EXPLORER_8 }, mimeType: 'text/javascript' })).toBe('script');
  });

  it('is what else browsers say that they would take', () => {
    const missing = { url: '/x', status: 404 };
    expect(typeOf({ ...missing, sent: { Accept: 'text/css,*/*;q=0.1' } })).toBe('stylesheet');
    expect(typeOf({ ...missing, sent: { Accept: 'application/font-woff2;q=1.0,*/*;q=0.8' } })).toBe('font');
    expect(typeOf({ ...missing, sent: { Accept: 'video/webm,video/ogg,video/*;q=0.9,*/*;q=0.5' } })).toBe('media');
    expect(typeOf({ ...missing, sent: { Accept: 'application/javascript, */*;q=0.8' } })).toBe('script');
    expect(typeOf({ ...missing, sent: { Accept: 'application/json, text/plain, */*' } })).toBe('fetch');
    expect(typeOf({ ...missing, sent: { 'Sec-Fetch-Dest': 'worker' } })).toBe('script');
    expect(typeOf({ ...missing, method: 'POST', sent: { 'Sec-Fetch-Dest': 'report' } })).toBe('csp-violation-report');
  });

  it('is that of its name, where a page came in its place', () => {
    for (const status of [404, 410, 503, 200]) {
      expect(typeOf({ url: '/fonts/a.woff2?v=3', status })).toBe('font');
      expect(typeOf({ url: '/vendor.3f2a.js', status })).toBe('script');
      expect(typeOf({ url: '/theme.css', status })).toBe('stylesheet');
      expect(typeOf({ url: '/poster.jpg', status })).toBe('image');
      expect(typeOf({ url: '/api/menu.json', status })).toBe('fetch');
    }
    // A file says more than its name, where it is one that is known.
    expect(typeOf({ url: '/clip.gif', mimeType: 'video/mp4' })).toBe('media');
    expect(typeOf({ url: '/theme.css', mimeType: 'text/javascript' })).toBe('script');
    expect(typeOf({ url: '/a.woff', mimeType: 'application/octet-stream' })).toBe('font');
  });

  it('is no document for an error, a POST, a part of a page, or an answer without a body', () => {
    expect(typeOf({ url: '/user', status: 404 })).toBe('other');
    expect(typeOf({ url: '/gone', status: 204 })).toBe('other');
    expect(typeOf({ url: '/gone', status: 204, sent: DOCUMENT.sent ?? {} })).toBe('other');
    expect(typeOf({ url: '/log', method: 'POST' })).toBe('fetch');
    expect(typeOf({ url: '/graphql', method: 'POST', mimeType: 'application/json' })).toBe('fetch');
    expect(typeOf({ url: '/part', sent: { Accept: '*/*', Referer: `${SITE}/` } })).toBe('fetch');
    expect(typeOf({ url: '/part', sent: { Accept: 'text/html, */*', 'X-Requested-With': 'XMLHttpRequest' } })).toBe(
      'xhr',
    );
    // A frame, a page that is sent a form, and one of a cache.
    expect(typeOf({ url: '/frame' })).toBe('document');
    expect(typeOf({ url: '/frame', status: 404, sent: DOCUMENT.sent ?? {} })).toBe('document');
    expect(typeOf({ url: '/frame', status: 304 })).toBe('document');
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect(typeOf({ url: '/search', method: 'POST', sent: form })).toBe('document');
    expect(typeOf({ url: '/search', method: 'POST', sent: { ...form, Accept: 'application/json' } })).toBe('fetch');
  });
});

describe('a page', () => {
  const page = (...entries: readonly Written[]) => {
    const visit = visitOfHar([DOCUMENT, ...entries]);
    const broken = healthOf(visit).filter(({ facts }) => facts.isBroken);
    return { at: visit.complete.state === 'complete' && visit.complete.at, broken: broken.length };
  };

  it('is not broken where a picture or a font is missing, and is where a script is', () => {
    expect(page({ url: '/spacer.gif', at: 150, status: 404, size: 300 })).toEqual({ at: 400, broken: 0 });
    expect(page({ url: '/a.woff2', at: 150, status: 404 })).toEqual({ at: 400, broken: 0 });
    expect(page({ url: '/api/user', at: 150, status: 404 })).toEqual({ at: 400, broken: 0 });
    expect(page({ url: '/app.js', at: 150, status: 404 })).toEqual({ at: 400, broken: 1 });
  });

  it('does not wait for an answer without a body', () => {
    const report = { url: '/gen_204?t=1', at: 700, took: 160, status: 204, size: 0 };
    expect(page(report)).toEqual({ at: 400, broken: 0 });
    expect(page({ ...report, mimeType: 'image/gif' })).toEqual({ at: 400, broken: 0 });
    expect(page({ ...report, method: 'POST' })).toEqual({ at: 400, broken: 0 });
    expect(page({ ...report, sent: { 'Sec-Fetch-Dest': 'iframe' } })).toEqual({ at: 400, broken: 0 });
    expect(page({ ...report, more: { _resourceType: 'document' } })).toEqual({ at: 400, broken: 0 });
  });

  it('waits for what is posted and answered with content', () => {
    const query = { url: '/graphql', at: 700, method: 'POST', mimeType: 'application/json', size: 9_000 };
    expect(page(query)).toEqual({ at: 740, broken: 0 });
    expect(page({ ...query, mimeType: 'text/html' })).toEqual({ at: 740, broken: 0 });
  });
});

describe('a small picture', () => {
  const gif = { url: '/p.gif?e=view', at: 500, mimeType: 'image/gif', size: 43 } as const;
  const flagged = (written: Partial<Written>) =>
    Object.values(backgroundIn(visitOfHar([DOCUMENT, { ...gif, ...written }])))[0];

  it('is a report, and certainly only where it is known who asked', () => {
    expect(flagged({})).toBe('beacon likely');
    expect(flagged({ more: { _initiator: `${SITE}/` } })).toBe('beacon likely');
    expect(
      flagged({ more: { _initiator: { type: 'script', stack: { callFrames: [{ url: `${SITE}/t.js` }] } } } }),
    ).toBe('beacon certain');
    expect(flagged({ more: { _initiator: { type: 'parser', url: `${SITE}/` } } })).toBeUndefined();
  });

  it('is none where its sizes contradict each other', () => {
    expect(flagged({ received: { 'Content-Length': '717' } })).toBeUndefined();
    expect(flagged({ received: { 'Content-Length': '717' }, response: { bodySize: 717 } })).toBeUndefined();
    expect(flagged({ response: { bodySize: 717 } })).toBeUndefined();
    expect(flagged({ received: { 'Content-Length': '43' }, response: { bodySize: 280 } })).toBe('beacon likely');
    // Firefox adds the headers to the size of the body.
    expect(flagged({ response: { bodySize: 443, headersSize: 400 } })).toBe('beacon likely');
  });

  it('is none because the tool kept no content: then it writes 0 for all', () => {
    const kept = { content: { size: 0 }, size: 9_000 };
    expect(flagged(kept)).toBeUndefined();
    expect(flagged({ ...kept, size: 43 })).toBe('beacon likely');
  });

  it('is none where it may be in the document: a file that browsers keep', () => {
    const spacer = { url: '/img/spacer.gif' };
    expect(flagged({ ...spacer, received: { ETag: '"2b"' } })).toBeUndefined();
    expect(flagged({ ...spacer, received: { 'Cache-Control': 'public, max-age=31536000' } })).toBeUndefined();
    expect(flagged({ ...spacer, received: { ETag: '"2b"', 'Cache-Control': 'no-cache, no-store' } })).toBe(
      'beacon likely',
    );
    expect(flagged({ ...spacer, received: { 'Last-Modified': 'x', Pragma: 'no-cache' } })).toBe('beacon likely');
    expect(flagged({ received: { ETag: '"2b"' } })).toBe('beacon likely');
  });
});
