import { describe, expect, it } from 'vitest';
import { backgroundIn, DOCUMENT, SITE, visitOfHar, type Written } from '../../support/har-entries.ts';

const STYLE: Written = { url: '/a.css', at: 120, mimeType: 'text/css' };
const ICON = 'browser-internal likely';
const png = { at: 900, took: 300, mimeType: 'image/png' } as const;

/** What is background, and when the page is complete. */
const read = (...entries: readonly Written[]) => {
  const visit = visitOfHar([DOCUMENT, STYLE, ...entries]);
  return { at: visit.complete.state === 'complete' && visit.complete.at, background: backgroundIn(visit) };
};

describe('the icon of the tab', () => {
  it.each([
    '/favicon.ico',
    '/assets/favicon-32x32.png',
    '/shop-favicon.3f2a.svg?v=2',
    '/apple-touch-icon-120x120-precomposed.png',
    '/icons/android-chrome-192x192.png',
    '/img/ico/lamps.ico',
  ])('is known by its name: %s', (url) => {
    expect(read({ ...png, url })).toEqual({ at: 400, background: { [url]: ICON } });
  });

  it('is known by its format, also where it is missing', () => {
    expect(read({ ...png, url: '/brand', mimeType: 'image/x-icon' })).toMatchObject({ background: { '/brand': ICON } });
    expect(read({ ...png, url: '/brand', mimeType: 'image/vnd.microsoft.icon' })).toMatchObject({ at: 400 });
    expect(read({ ...png, url: '/favicon.ico', mimeType: 'text/html', status: 404 })).toMatchObject({ at: 400 });
  });

  it('is known by the document that names it, whatever it is called', () => {
    const named = (link: string) =>
      visitOfHar([
        { ...DOCUMENT, content: { text: `<head>${link}</head>` } },
        STYLE,
        { ...png, url: '/static/s.9a8b.png' },
      ]);
    const icon = { '/static/s.9a8b.png': ICON };
    expect(backgroundIn(named('<link href=/static/s.9a8b.png rel=icon>'))).toEqual(icon);
    expect(backgroundIn(named('<link rel="shortcut icon" href="static/s.9a8b.png">'))).toEqual(icon);
    expect(backgroundIn(named('<LINK REL="apple-touch-icon-precomposed" HREF="static/s.9a8b.png">'))).toEqual(icon);
    expect(backgroundIn(named('<link rel="preload" href="/static/s.9a8b.png">'))).toEqual({});
    expect(backgroundIn(named('<link rel=icon href=/other.png><link rel=icon href="http://[">'))).toEqual({});
  });

  it('is known by who asked, where that is written down: nobody', () => {
    const url = '/static/s.9a8b.png';
    const asked = (more: object) => read({ ...png, url, more }).background;
    expect(asked({ _resourceType: 'other', _initiator: { type: 'other' } })).toEqual({
      [url]: 'browser-internal certain',
    });
    expect(asked({ _resourceType: 'image', _initiator: { type: 'other' } })).toEqual({});
    // Playwright does not record icons.
    expect(asked({ _resourceType: 'other' })).toEqual({});
  });

  it('is not the document when it comes first', () => {
    const visit = visitOfHar([
      { ...png, url: '/favicon.ico', at: 0, took: 5, mimeType: 'x-unknown' },
      { ...DOCUMENT, at: 10 },
      STYLE,
    ]);
    expect(visit.timeline.requests.filter(({ mainDocument }) => mainDocument).map(({ url }) => url)).toEqual([
      `${SITE}/`,
    ]);
  });

  it('is no picture that markup, a style or a script asked for', () => {
    const asked = (more: object) => read({ ...png, url: '/img/favicon-large.png', more }).background;
    expect(asked({ _initiator: { type: 'parser', url: `${SITE}/` } })).toEqual({});
    expect(asked({ _initiator: `${SITE}/a.css` })).toEqual({});
    expect(asked({ _initiator: { type: 'script', stack: { callFrames: [{ url: `${SITE}/a.js` }] } } })).toEqual({});
    expect(asked({ _resourceType: 'image' })).toEqual({});
  });

  it('is no icon of another site in a list, and no script that is called so', () => {
    const feeds = ['https://news.test/favicon.ico', 'https://blog.test/favicon.png'];
    expect(read(...feeds.map((url) => ({ ...png, url })))).toEqual({ at: 1_200, background: {} });
    expect(read({ ...png, url: '/favicon-badge.js', mimeType: 'text/javascript' })).toMatchObject({ background: {} });
    // One of a server that gives the page other things as well.
    const static_ = { url: 'https://static.cdn.test/app.js', at: 130, mimeType: 'text/javascript' };
    const icon = 'https://img.cdn.test/favicon.png';
    expect(read(static_, { ...png, url: icon })).toEqual({ at: 400, background: { [icon]: ICON } });
  });
});
