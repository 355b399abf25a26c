import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSitemap } from '../../../src/core/requests/sitemap.ts';

const NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

describe('a sitemap', () => {
  test('gives its addresses in order', () => {
    const text = `<?xml version="1.0"?>\n<!-- made by hand -->\n<urlset ${NS}>
      <url><loc> https://x.test/ </loc><lastmod>2026-01-01</lastmod></url>
      <url><loc>https://x.test/a?b=1&amp;c=2&#x26;d=&#51;</loc></url><url><loc><![CDATA[https://x.test/<&>]]></loc></url>
      <url><loc></loc></url><url/></urlset>`;
    expect(readSitemap(text)).toEqual({
      kind: 'pages',
      locations: ['https://x.test/', 'https://x.test/a?b=1&c=2&d=3', 'https://x.test/<&>'],
    });
  });

  test('of an index gives those of sitemaps', () => {
    const text = `<sitemapindex ${NS}><sitemap><loc>https://x.test/1.xml</loc></sitemap></sitemapindex>`;
    expect(readSitemap(text)).toEqual({ kind: 'index', locations: ['https://x.test/1.xml'] });
  });

  test('may write its namespace as a prefix; addresses of extensions are not pages', () => {
    const text = `<sm:urlset xmlns:sm="x"><sm:url><sm:loc>https://x.test/</sm:loc>
      <image:image><image:loc>https://x.test/a.png</image:loc></image:image></sm:url></sm:urlset>`;
    expect(readSitemap(text)).toEqual({ kind: 'pages', locations: ['https://x.test/'] });
  });

  test.each([
    ['a page', '<!doctype html><html><body>404</body></html>', 'it is a web page'],
    ['a page without a doctype', '<html lang="en"></html>', 'it is a web page'],
    [
      'a bomb',
      '<!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>',
      'it declares a document type',
    ],
    ['a long name', `<${'r'.repeat(50)}/>`, `its root is <${'r'.repeat(40)}>, not <urlset> or <sitemapindex>`],
    ['a feed', '<rss></rss>', 'its root is <rss>, not <urlset> or <sitemapindex>'],
    ['a text', 'https://x.test/', 'it is not XML'],
    ['nothing', '', 'it is not XML'],
    ['a tower', '<a>'.repeat(100), 'its elements are nested too deeply'],
    [
      'names of JavaScript',
      '<constructor><__proto__></__proto__></constructor>',
      'its root is <constructor>, not <urlset> or <sitemapindex>',
    ],
  ])('%s is none', (_, text, problem) => {
    expect(readSitemap(text)).toEqual({ problem });
  });

  test('that breaks off gives what it had', () => {
    for (const end of ['<url><loc>https://x.test/b', '<!-- ', '<![CDATA[', '<?', '<url', '&#xffffffff;']) {
      expect(readSitemap(`<urlset><url><loc>https://x.test/</loc></url>${end}`)).toEqual({
        kind: 'pages',
        locations: ['https://x.test/'],
      });
    }
  });

  test('unknown entities stay as they are', () => {
    expect(readSitemap('<urlset><url><loc>&constructor;&nbsp;&#9999999;</loc></url></urlset>')).toEqual({
      kind: 'pages',
      locations: ['&constructor;&nbsp;&#9999999;'],
    });
  });

  test('of any content is read without an error', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '/',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '&',
      ';',
      '<urlset>',
      '<url>',
      '<loc>',
      '</loc>',
      'x',
      '<?',
      '<!',
    );
    fc.assert(fc.property(fc.array(piece), (pieces) => void readSitemap(pieces.join(''))));
  });
});
