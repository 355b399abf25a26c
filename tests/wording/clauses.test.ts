import { describe, expect, it } from 'vitest';
import { failingInWords } from '../../src/wording/capacity.ts';
import { momentInWords } from '../../src/wording/evidence.ts';
import { adviseOnBrowser } from '../../src/wording/host-advice.ts';
import { harsGone, noHars, picturesGone } from '../../src/wording/missing-files.ts';
import { shardOrigin } from '../../src/wording/shard-numbers.ts';
import { blocksFailed } from '../../src/wording/stopping.ts';
import { unconfirmedInWords } from '../../src/wording/waiting-for.ts';

describe('clauses of jobs', () => {
  it.each([
    ['first-contentful-paint', 'first contentful paint'],
    ['largest-contentful-paint', 'largest contentful paint'],
    ['page-complete', 'page complete'],
    ['end', 'the end of watching'],
  ] as const)('a picture of %s', (moment, text) => expect(momentInWords({ moment }, 'https://x/')).toBe(text));

  it('a picture of what data changed', () => {
    const seen = { moment: 'data-arrived', endpoint: 'GET https://x/poll' } as const;
    expect(momentInWords(seen, 'https://x/page')).toBe('after data from GET /poll arrived');
  });

  it('a browser that was started, or connected to', () => {
    const started = { product: 'Chrome/1', path: '/usr/bin/chrome', sandbox: true };
    expect(adviseOnBrowser(started, false)).toEqual([
      { code: 'browser', level: 'ok', what: 'Chrome/1 (/usr/bin/chrome) starts, with its sandbox on.' },
    ]);
    expect(adviseOnBrowser({ product: 'Chrome/1', notes: [{ code: 'unknown-arguments' }] }, true)).toEqual([
      { code: 'browser', level: 'ok', what: 'Chrome/1 answers.' },
      { code: 'browser', level: 'warning', what: expect.stringContaining('started by somebody else') },
    ]);
  });

  it('what keeps a job from an answer', () => {
    expect(blocksFailed(5, 7)).toBe('5 of 7 blocks failed');
    expect(failingInWords([])).toBe('no request was answered in time');
    expect(failingInWords(['a', 'b', 'c', 'd'])).toBe('requests fail (a, b, c)');
    const answer = { at: 1_200, waitingFor: ['GET https://x/a'] };
    expect(unconfirmedInWords(answer, undefined, 'https://x/')).toBe(
      'The best estimate is 1.20 s. It still waited for GET /a.',
    );
    expect(unconfirmedInWords(undefined, { message: 'The file ends.' }, 'https://x/')).toBe('The file ends.');
  });

  it('files that are gone', () => {
    expect(noHars('./dist')).toBe('./dist: no HAR was kept, so there is no waterfall.');
    expect(harsGone(['a.har'], './dist')).toMatch(/^a\.har .*its waterfall is/);
    expect(harsGone(['a.har', 'b.har'], './dist')).toMatch(/^a\.har and 1 more of \.\/dist .*their waterfalls are/);
    expect(picturesGone(['a.png'])).toBe('a.png cannot be read: it is left out.');
    expect(picturesGone(['a.png', 'b.png'])).toBe('a.png and 1 more cannot be read: they are left out.');
  });

  it('the share of a machine that nobody named', () => {
    expect(shardOrigin({ index: 2, of: 4 }, 'CI_NODE_INDEX')).toBe(
      'Shard 2 of 4, as CI_NODE_INDEX says; --shard 1/1 does all the work.',
    );
  });
});
