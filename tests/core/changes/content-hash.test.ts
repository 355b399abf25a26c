import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasContentHash, sameButForHash, withoutHashes } from '../../../src/core/changes/content-hash.ts';

describe('what changes from build to build', () => {
  it.each([
    ['/app.3f2a1b9c.js', '/app.*.js', 'webpack'],
    ['/static/js/2.f9a37d2c.chunk.js', '/static/js/2.*.chunk.js', 'create-react-app'],
    ['/runtime~main.a1b2c3d4.js', '/runtime~main.*.js', 'Docusaurus'],
    ['/chunk-2XK7PQ.js', '/chunk-*.js', 'esbuild, shortened'],
    ['/main-5INURTSO.js', '/main-*.js', 'esbuild, Angular'],
    ['/nunito-sans-RGUTNHJJ.woff2', '/nunito-sans-*.woff2', 'esbuild, without a digit'],
    ['/styles.8c1f3b2a4d5e6f70.css', '/styles.*.css', 'Angular'],
    ['/index-DiwrgTda.css', '/index-*.css', 'Vite'],
    ['/index-D-3_abCd.js', '/index-*.js', 'Vite, with the separators in the hash'],
    ['/_nuxt/DiwrgTda.js', '/_nuxt/*.js', 'Nuxt'],
    ['/application-0123456789abcdef0123456789abcdef.js', '/application-*.js', 'Rails'],
    ['/style.55e7cbb9ba48.css', '/style.*.css', 'Django'],
    ['/component---src-pages-index-js-0a1b2c3d4e5f6a7b8c9d.js', '/component---src-pages-index-js-*.js', 'Gatsby'],
    ['/_next/static/media/e4af272ccee01ff0-s.p.woff2', '/_next/static/media/*-s.p.woff2', 'a Next.js font'],
    ['/_next/static/q3Xv0kLr9Zt2mN8sP1a_B/_buildManifest.js', '/_next/static/*/_buildManifest.js', 'Next.js'],
    ['/_next/data/build-12/index.json', '/_next/data/*/index.json', 'Next.js with a build id of its own'],
    ['/main.8c1f3b2a4d5e6f70.js.map', '/main.*.js.map', 'a source map'],
    ['/bundle.1699999999.js', '/bundle.*.js', 'a timestamp'],
    ['/app.12345678.js', '/app.*.js', 'a hash without letters'],
    ['/img/7c9e6679-7425-40de-944b-e07fc1f90ae7.webp', '/img/*.webp', 'a UUID'],
    ['/builds/3f2a1b9c/app.js', '/builds/*/app.js', 'a folder of a build'],
  ])('%s is %s (%s)', (path, name) => {
    expect(withoutHashes(path)).toBe(name);
  });

  it('masks the last hash alone: the one before it tells chunks apart', () => {
    expect(withoutHashes('/chunks/4bd1b696-0b5c2c5d5f5e5d5c.js')).toBe('/chunks/4bd1b696-*.js');
    expect(withoutHashes('/chunks/fd9d1056-1b6c2c5d5f5e5d5d.js')).toBe('/chunks/fd9d1056-*.js');
  });
});

describe('what only looks like it', () => {
  it.each(
    `jquery-3.7.1.min.js page-complete.js picture-1.png HomePage.js icon-CheckBox.svg nunito-sans.woff2 iphone14.png
     iPhone15.png photo-20240131.jpg hero-1280x800.webp icon-192x192.png apple-touch-icon-180x180.png icon-Arrow-2x.png
     IMG_20240131.jpg IMG23456.JPG DSC_0042.jpg fontawesome5Free.css bootstrap-5.3.3.bundle.min.js DOWNLOAD.png
     vue.runtime.global.prod.js react-dom.production.min.js OpenSans-SemiBold.woff2 KaTeX_AMS-Regular.woff2 en-US.json
     fa-solid-900.woff2 three.module.js d3.v7.min.js es2022.js i18next.js web3modal.js socket.io.esm.min.js logo@2x.png
     vendors-node_modules_react_index_js.js swagger-ui-standalone-preset.js facade.js 4006381333931.jpg YouTubeEmbed.js
     404.html 0.js picture-DOWNLOAD.png htmx-1.9.10.min.js`.split(/\s+/),
  )('%s stays', (name) => {
    expect(withoutHashes(`/assets/${name}`)).toBe(`/assets/${name}`);
    expect(hasContentHash(`/assets/${name}`)).toBe(false);
  });

  it.each(['/', '/v1.2.3/app.js', '/api/orders/4711', '/releases/2024/notes.html', '/blog/a-long-title-with-words'])(
    '%s stays',
    (path) => expect(withoutHashes(path)).toBe(path),
  );
});

/** Of the hashes that tools write, nearly all are recognised by themselves: what is missed looks like a word. */
describe.each([
  { tool: 'webpack', alphabet: '0123456789abcdef', length: 8, atLeast: 0.99 },
  { tool: 'esbuild', alphabet: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', length: 8, atLeast: 0.99 },
  {
    tool: 'Vite',
    alphabet: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
    length: 8,
    atLeast: 0.9,
  },
])('hashes of $tool', ({ alphabet, length, atLeast }) => {
  const hash = fc.string({ unit: fc.constantFrom(...alphabet), minLength: length, maxLength: length });
  const hashes = fc.sample(hash, { numRuns: 4_000, seed: 1 });

  it(`are recognised in ${atLeast * 100} %, and the rest beside a file of that name`, () => {
    const known = hashes.filter((each) => withoutHashes(`/assets/app-${each}.js`) === '/assets/app-*.js');
    expect(known.length / hashes.length).toBeGreaterThanOrEqual(atLeast);
    expect(hashes.filter((each) => !sameButForHash(`/assets/app-${each}.js`, '/assets/app-*.js'))).toEqual([]);
  });
});

it('says that a name alone is no hash where nothing was masked, or where more than the hash differs', () => {
  expect(sameButForHash('/app-settings.js', '/app.js')).toBe(false);
  expect(sameButForHash('/app-settings.css', '/app-*.js')).toBe(false);
  expect(sameButForHash('/app-one.js', '/app-*.js')).toBe(false);
  expect(sameButForHash('/app-settings.js', '/*/app-settings.js')).toBe(false);
});
