import { describe, expect, it } from 'vitest';
import { whyInWords } from '../../../src/wording/compare/why.ts';
import { codeOf, type MadeRequest, named, slowerFunction, whyOfPair } from './pair.ts';

const page: MadeRequest = { at: 0, type: 'document', length: 2_000 };
const shop = {
  '/': page,
  '/app.js': { at: 40, by: '/', hash: 'a1' },
  '/data.json': { at: 120, type: 'fetch', by: '/app.js', line: 4, wait: 80 },
  '/hero.webp': { at: 130, type: 'image', by: '/', wait: 60, receive: 40, length: 20_000 },
} satisfies Record<string, MadeRequest>;
const base = { requests: shop, complete: 400 };

/** The shop with some of its requests changed, and the rest asked for later. */
const changed = (requests: Record<string, MadeRequest>, complete: number) => ({
  requests: { ...shop, ...requests },
  complete,
});

describe('why a build is slower', () => {
  it('names a function and its place, and no request that only follows', () => {
    const candidate = changed(
      {
        '/app.js': { ...shop['/app.js'], hash: 'a2' },
        '/data.json': { ...shop['/data.json'], at: 210 },
        '/hero.webp': { ...shop['/hero.webp'], at: 220 },
      },
      490,
    );
    const facts = whyOfPair(base, candidate, { code: codeOf(slowerFunction('/app.js', 'renderBadges', 89)) });
    expect(named(facts)).toEqual(['function /app.js']);
    expect(facts.why?.[0]).toMatchObject({ ms: 89, low: 83, place: { name: 'renderBadges', line: 3 } });
    expect(facts.unexplained).toBe(1);
    expect(whyInWords(facts)).toBe('renderBadges (app.js:3) +89 ms (83–90 ms), not explained: 1.0 ms');
  });

  it('never explains more than the change', () => {
    const facts = whyOfPair(base, changed({ '/app.js': { ...shop['/app.js'], hash: 'a2' } }, 457), {
      code: codeOf(slowerFunction('/app.js', 'renderBadges', 89)),
    });
    expect(facts.why).toEqual([expect.objectContaining({ ms: 57, takes: 89, high: 57 })]);
    expect(facts.unexplained).toBe(0);
    expect(whyInWords(facts)).toContain('it takes +89 ms in all; the page waited for 57 ms of that');
  });

  it('names a server that answers later, and nothing that is asked for after it', () => {
    const candidate = changed(
      { '/data.json': { ...shop['/data.json'], wait: 280 }, '/hero.webp': { ...shop['/hero.webp'], at: 330 } },
      600,
    );
    const facts = whyOfPair(base, candidate);
    expect(named(facts)).toEqual(['server /data.json']);
    expect(Math.abs((facts.why?.[0]?.ms ?? 0) - 200)).toBeLessThan(10);
  });

  it('blames no code that is the same in both builds for what a larger answer makes of it', () => {
    const larger = { ...shop['/data.json'], receive: 90, length: 500_000 };
    const facts = whyOfPair(base, changed({ '/data.json': larger }, 520), {
      code: codeOf(slowerFunction('/app.js', 'draw', 35)),
    });
    expect(named(facts)).toEqual(['size /data.json']);
  });

  it('names a new request that page complete waits for', () => {
    const ad = { at: 45, by: '/', wait: 150 };
    const facts = whyOfPair(base, changed({ 'https://ads.test/ad.js': ad }, 550));
    expect(named(facts)).toEqual(['new-request https://ads.test/ad.js']);
  });

  it('names a new script that the document waits for, by how much later that is parsed', () => {
    const vendor = { at: 45, by: '/', wait: 190, blocking: true, beside: true };
    const facts = whyOfPair({ ...base, parsed: 100 }, { ...changed({ '/vendor.js': vendor }, 580), parsed: 260 });
    expect(named(facts)).toEqual(['new-request /vendor.js']);
    expect(facts.why?.[0]?.ms).toBeLessThan(190);
  });

  it('names who asks for an image now, where the trace knows it', () => {
    const candidate = changed(
      {
        '/': { ...page, length: 2_050 },
        '/carousel.js': { at: 50, by: '/', beside: true },
        '/hero.webp': { ...shop['/hero.webp'], at: 350, traced: '/carousel.js' },
      },
      620,
    );
    const facts = whyOfPair(base, candidate);
    expect(facts.why?.[0]).toMatchObject({
      code: 'requester',
      url: 'https://shop.test/hero.webp',
      by: 'https://shop.test/carousel.js',
      newBy: true,
      place: { line: 3, column: 12 },
    });
    expect(whyInWords(facts)).toContain('hero.webp +2');
    expect(whyInWords(facts)).toContain('requested later, by carousel.js:3, which is new, instead of the page');
  });

  it('names what has changed and asks later, and nothing behind it', () => {
    const candidate = changed(
      {
        '/app.js': { ...shop['/app.js'], hash: 'a2' },
        '/data.json': { ...shop['/data.json'], at: 320 },
        '/more.json': { at: 640, by: '/app.js', type: 'fetch' },
      },
      600,
    );
    const before = {
      requests: { ...shop, '/more.json': { at: 440, by: '/app.js', type: 'fetch' } as const },
      complete: 400,
    };
    const facts = whyOfPair(before, candidate);
    expect(named(facts)).toEqual(['start /data.json']);
    expect(facts.why?.[0]?.by).toBe('https://shop.test/app.js');
  });

  it('blames no file for asking later where other code has changed, too', () => {
    const worker = { at: 60, by: '/app.js', beside: true };
    const before = { requests: { ...shop, '/worker.js': { ...worker, hash: 'w1' } }, complete: 400 };
    const candidate = changed(
      {
        '/app.js': { ...shop['/app.js'], hash: 'a2' },
        '/worker.js': { ...worker, hash: 'w2' },
        '/data.json': { ...shop['/data.json'], at: 320 },
      },
      600,
    );
    expect(named(whyOfPair(before, candidate))[0]).toMatch(/^unproven/);
    // What comes only behind the request did not make it late.
    const lazily = (hash: string) => ({ at: 700, by: '/app.js', beside: true, hash });
    const lazy = whyOfPair(
      { requests: { ...shop, '/lazy.js': lazily('l1') }, complete: 400 },
      { ...candidate, requests: { ...candidate.requests, '/worker.js': lazily('w2'), '/lazy.js': lazily('l2') } },
    );
    expect(named(lazy)).toEqual(['start /data.json']);
  });

  it('names the only changed code that led to a later request, where both builds show all that led there', () => {
    const worker = { at: 60, by: '/app.js', beside: true };
    const lazy = { at: 700, by: '/app.js', beside: true };
    const reason = (causes: readonly string[], before: readonly string[] = causes, late = lazy) =>
      whyOfPair(
        {
          requests: {
            ...shop,
            '/worker.js': { ...worker, hash: 'w1' },
            '/lazy.js': { ...late, hash: 'l1' },
            '/data.json': { ...shop['/data.json'], causes: before },
          },
          complete: 400,
        },
        changed(
          {
            '/worker.js': { ...worker, hash: 'w2' },
            '/lazy.js': { ...late, hash: 'l2' },
            '/data.json': { ...shop['/data.json'], at: 270, causes },
          },
          550,
        ),
      );
    const facts = reason(['/worker.js', '/app.js', '/']);
    expect(named(facts)).toEqual(['only-change /worker.js']);
    expect(whyInWords(facts)).toMatch(/the only changed file that led to data\.json, which is requested later/);
    for (const other of [
      // It is not what led there, in one build or in both.
      reason(['/app.js', '/']),
      reason(['/worker.js', '/app.js', '/'], ['/app.js', '/']),
      // Another changed file had come, and code may call any other.
      reason(['/worker.js', '/app.js', '/'], undefined, { ...lazy, at: 60 }),
    ]) {
      expect(named(other)[0]).toMatch(/^unproven/);
    }
  });

  it('proves that by the time since the last answer, however much loads vary before it', () => {
    const candidate = changed(
      { '/app.js': { ...shop['/app.js'], hash: 'a2' }, '/data.json': { ...shop['/data.json'], at: 320 } },
      600,
    );
    expect(named(whyOfPair(base, candidate, { reach: 150, together: true }))).toEqual(['start /data.json']);
    // An answer that comes earlier makes the time since then longer, and nothing later.
    const sooner = changed(
      { '/app.js': { ...shop['/app.js'], hash: 'a2', wait: 5, receive: 1 }, '/data.json': { ...shop['/data.json'] } },
      420,
    );
    const before = { requests: { ...shop, '/app.js': { ...shop['/app.js'], wait: 60 } }, complete: 400 };
    expect(named(whyOfPair(before, sooner))).toEqual(['unproven /app.js']);
  });

  it('names the only file that has changed, a worker, where something is asked for later', () => {
    const worker = { at: 60, by: '/app.js', beside: true };
    const before = { requests: { ...shop, '/worker.js': { ...worker, hash: 'w1' } }, complete: 400 };
    const candidate = changed(
      { '/worker.js': { ...worker, hash: 'w2' }, '/data.json': { ...shop['/data.json'], at: 270 } },
      550,
    );
    const facts = whyOfPair(before, candidate);
    expect(named(facts)).toEqual(['only-change /worker.js']);
    expect(facts.why?.[0]?.request).toBe('https://shop.test/data.json');
    expect(whyInWords(facts)).toMatch(
      /^worker\.js \+\d+ ms .*the only file that has changed; data\.json is requested later/,
    );
  });

  it('says that nothing is proven where nothing of its own changed, with a file that differs', () => {
    const worker = { at: 60, by: '/app.js', beside: true };
    const before = {
      requests: {
        ...shop,
        '/worker.js': { ...worker, hash: 'w1' },
        '/theme.css': { ...worker, type: 'stylesheet', hash: 's1' } as const,
      },
      complete: 400,
    };
    const candidate = {
      requests: {
        ...before.requests,
        '/worker.js': { ...worker, hash: 'w2' },
        '/theme.css': { ...worker, type: 'stylesheet', hash: 's2' } as const,
        '/data.json': { ...shop['/data.json'], at: 270 },
      },
      complete: 550,
    };
    const facts = whyOfPair(before, candidate);
    expect(named(facts)[0]).toMatch(/^unproven/);
    expect(facts.unexplained).toBe(150);
    expect(whyInWords(facts)).toMatch(/^no cause proven; the largest difference is /);
  });

  it('has no file to name where all of them are the same', () => {
    const facts = whyOfPair(base, changed({ '/data.json': { ...shop['/data.json'], at: 200 } }, 480));
    expect(facts.why).toEqual([]);
    expect(whyInWords(facts)).toBe('no cause proven');
  });

  it('proves nothing of what single loads vary by', () => {
    const facts = whyOfPair(base, changed({ '/data.json': { ...shop['/data.json'], wait: 95 } }, 430), { reach: 400 });
    expect(named(facts)).toEqual([]);
  });

  it('says the mirrored thing of the swapped builds', () => {
    const slower = changed({ '/data.json': { ...shop['/data.json'], wait: 280 } }, 600);
    const facts = whyOfPair(slower, base);
    expect(named(facts)).toEqual(['server /data.json']);
    const [first] = facts.why ?? [];
    expect(first?.ms).toBeLessThan(-190);
    expect(first?.low).toBeLessThan(first?.high ?? Number.NaN);
    expect(whyInWords(facts)).toContain('its server answers earlier');
    const gone = whyOfPair(changed({ 'https://ads.test/ad.js': { at: 45, by: '/', wait: 150 } }, 550), base);
    expect(named(gone)).toEqual(['gone-request https://ads.test/ad.js']);
  });

  it('takes style and layout for what no script explains, where a style sheet has changed', () => {
    const style = { at: 30, by: '/', type: 'stylesheet', hash: 's1', beside: true } as const;
    const before = { requests: { ...shop, '/theme.css': style }, complete: 400 };
    const candidate = changed({ '/theme.css': { ...style, hash: 's2' } }, 490);
    const code = {
      ...codeOf(),
      timed: { base: 50, candidate: 140, difference: 90, low: 80, high: 100, level: 0.95 },
      byCategory: [{ category: 'styleLayout', base: 10, candidate: 95 } as const],
    };
    expect(named(whyOfPair(before, candidate, { code }))).toEqual(['style-layout /theme.css']);
    // Longer because the page took longer, not because of its style.
    expect(named(whyOfPair(base, changed({}, 490), { code }))).toEqual([]);
  });
});
