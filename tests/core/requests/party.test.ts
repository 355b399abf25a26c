import thirdPartyWeb from 'third-party-web/nostats-subset.js';
import { parse } from 'tldts';
import { describe, expect, it } from 'vitest';
import { entityOf, partyOf, partyOnPage } from '../../../src/core/requests/party.ts';

describe('entityOf', () => {
  it('names who runs a known host', () => {
    expect(entityOf('https://www.googletagmanager.com/gtm.js?id=1')).toBe('Google Tag Manager');
    expect(entityOf('https://fonts.googleapis.com/css2')).toBe('Google Fonts');
    expect(entityOf('https://FONTS.gstatic.com:443/a.woff2')).toBe('Google Fonts');
  });

  it('does not take who rents a name from a host for the host', () => {
    expect(entityOf('https://somebody.github.io/')).toBeUndefined();
    expect(entityOf('https://bucket.s3.amazonaws.com/app.js')).toBeUndefined();
    expect(entityOf('https://d000000000.cloudfront.net/app.js')).toBeUndefined();
  });

  it('falls back on the site of what it does not know, whatever the address looks like', () => {
    expect(partyOf('https://intranet/www.google-analytics.com/x.js')).toBe('intranet');
    expect(partyOf('https://www.googletagmanager.com.evil.example/')).toBe('evil.example');
    expect(partyOf('https://www.googletagmanager.com@shop.example/')).toBe('shop.example');
    expect(partyOf('http://127.0.0.1:3000/')).toBe('127.0.0.1');
    expect(partyOf('http://[::1]/google.com')).toBe('[::1]');
    expect(partyOf('https://co.uk/')).toBe('co.uk');
    expect(partyOf('data:text/plain,google.com')).toBe('');
    expect(partyOf('google.com')).toBe('');
    expect(partyOf('https://__proto__.constructor/')).toBe('__proto__.constructor');
  });

  it('finds all that the list names, but for addresses without a name and whole suffixes', () => {
    const named = thirdPartyWeb.entities.flatMap(({ name, domains }) => domains.map((pattern) => ({ name, pattern })));
    const missed = named.filter(({ name, pattern }) => {
      const { domain, isPrivate } = parse(pattern.replace('*.', ''), { allowPrivateDomains: true });
      return domain !== null && !isPrivate && entityOf(`https://${pattern.replace('*', 'www')}/`) !== name;
    });
    expect(named.length).toBeGreaterThan(1_000);
    expect(missed).toEqual([]);
  });
});

describe('partyOnPage', () => {
  it('leaves to the page what is of its site, or of the same company', () => {
    const page = 'https://www.google.com/';
    expect(entityOf('https://adservice.google.com/')).toBe('Google/Doubleclick Ads');
    expect(partyOnPage(page, 'https://adservice.google.com/x.js')).toBe(partyOf(page));
    expect(partyOnPage('https://www.facebook.com/', 'https://static.fbcdn.net/x.js')).toBe('Facebook');
    expect(partyOnPage('https://shop.example/', 'https://cdn.shop.example/x.js')).toBe('shop.example');
    expect(partyOnPage('https://shop.example/', 'data:text/css,a')).toBe('shop.example');
    expect(partyOnPage('https://shop.example/', 'https://static.fbcdn.net/x.js')).toBe('Facebook');
  });
});
