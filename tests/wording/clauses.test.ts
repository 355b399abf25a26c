import { describe, expect, it } from 'vitest';
import { DESKTOP } from '../../src/core/conditions/devices.ts';
import { NETWORKS } from '../../src/core/conditions/networks.ts';
import type { Conditions } from '../../src/model/host/conditions.ts';
import { failingInWords } from '../../src/wording/capacity.ts';
import { harsGone, noHars, picturesGone } from '../../src/wording/compare/missing-files.ts';
import { momentInWords } from '../../src/wording/completion/evidence.ts';
import { blocksFailed } from '../../src/wording/completion/stopping.ts';
import { unconfirmedInWords } from '../../src/wording/completion/waiting-for.ts';
import { fetchAdvice } from '../../src/wording/fixes/fetch-advice.ts';
import { adviseOnBrowser } from '../../src/wording/host/advice.ts';
import { conditionsSentence, stated } from '../../src/wording/host/conditions.ts';
import { lighthouseWaitSentence } from '../../src/wording/lighthouse/wait.ts';
import { shardOrigin } from '../../src/wording/shards/numbers.ts';
import { expectApproved, outlined } from '../support/approved.ts';

const MOMENTS = ['first-contentful-paint', 'largest-contentful-paint', 'page-complete', 'end'] as const;
const blocked = ['GET http://a.test/events'];
const PLAIN: Conditions = { device: DESKTOP, cpu: 1, view: 'cold' };
const network = NETWORKS.find(({ name }) => name === 'slow-4g') ?? { name: 'no slow-4g', latency: 0 };
const answer = { at: 1_200, waitingFor: ['GET https://x/a'] };
const started = { product: 'Chrome/1', path: '/usr/bin/chrome', sandbox: true };
const elsewhere = { product: 'Chrome/1', notes: [{ code: 'unknown-arguments' }] } as const;

const HASH = '0123456789abcdef0123456789abcdef01234567';
const advised = (ref: string, remotes: readonly string[], isShallow: boolean) =>
  fetchAdvice(ref, { remotes, isShallow });

it('clauses of jobs are approved', () =>
  expectApproved(
    'wording/clauses',
    outlined({
      'a picture of': [
        ...MOMENTS.map((moment) => momentInWords({ moment }, 'https://x/')),
        momentInWords({ moment: 'data-arrived', endpoint: 'GET https://x/poll' }, 'https://x/page'),
      ],
      'a browser that was started, or connected to': [
        ...adviseOnBrowser(started, false),
        ...adviseOnBrowser(elsewhere, true),
      ].map(({ level, what }) => `${level}: ${what}`),
      'blocks failed': blocksFailed(5, 7),
      'requests fail': [failingInWords([]), failingInWords(['a', 'b', 'c', 'd'])],
      'not confirmed': [
        unconfirmedInWords(answer, undefined, 'https://x/'),
        unconfirmedInWords(undefined, { message: 'The file ends.' }, 'https://x/'),
      ],
      'files are gone': [
        noHars('./dist'),
        harsGone(['a.har'], './dist'),
        harsGone(['a.har', 'b.har'], './dist'),
        picturesGone(['a.png']),
        picturesGone(['a.png', 'b.png']),
      ],
      'a share that nobody named': shardOrigin({ index: 2, of: 4 }, 'CI_NODE_INDEX'),
      'Lighthouse waited': [
        lighthouseWaitSentence({ strategy: 'blocked', blocked }),
        lighthouseWaitSentence({ strategy: 'blocked', blocked: [...blocked, 'GET http://a.test/poll'] }),
        lighthouseWaitSentence({ strategy: 'capped', cap: 14_500, blocked: [] }),
        lighthouseWaitSentence({ strategy: 'own', blocked: [] }),
      ],
      conditions: [
        conditionsSentence(PLAIN),
        conditionsSentence({ ...PLAIN, network, cpu: 4, view: 'warm', locale: 'de-DE', timezone: 'Asia/Tokyo' }),
        conditionsSentence({ ...PLAIN, network: { name: '20,0,500', latency: 20, upload: 500 } }),
      ],
      'how to get': {
        'main, no remotes': advised('main', [], false),
        'origin/main': advised('origin/main', ['origin'], false),
        'up/a/b, shallow': advised('up/a/b', ['origin', 'up'], true),
        'main, shallow': advised('main', ['origin'], true),
        'a commit, shallow': advised(HASH, ['origin'], true),
        'HEAD~1, shallow': advised('HEAD~1', ['origin'], true),
        'a short commit, shallow': advised(HASH.slice(0, 7), ['origin'], true),
        'HEAD~99': advised('HEAD~99', ['origin'], false),
        'main, where origin/main is known': fetchAdvice('main', {
          remotes: ['origin'],
          isShallow: true,
          known: 'origin/main',
        }),
      },
    }),
  ));

it('conditions are stated with their sentence', () => {
  expect(stated(PLAIN)).toEqual({ ...PLAIN, sentence: conditionsSentence(PLAIN) });
});

describe('how to get a commit', () => {
  it('is no line for a shell that would do something there', () => {
    for (const ref of ['$(reboot)', 'a;b', 'origin/`id`', 'ä"b', '-x', "o'clock"]) {
      expect(advised(ref, ['origin'], false)).toBe(advised('HEAD~99', ['origin'], false));
    }
    expect(advised('$(x)/main', ['$(x)'], false)).not.toContain('$');
  });
});
