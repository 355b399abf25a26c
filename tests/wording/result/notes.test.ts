import { it } from 'vitest';
import type { DropReason } from '../../../src/model/result/failure.ts';
import type { Note, RetryReason } from '../../../src/model/result/note.ts';
import { retryReasonInWords } from '../../../src/wording/result/loads.ts';
import { dropReasonInWords, noteInWords } from '../../../src/wording/result/notes.ts';
import { expectApproved, outlined, type Samples, wordsOf } from '../../support/approved.ts';

const failure = { code: 'connection-refused', message: 'Nothing listens there.' };

const NOTES: Samples<Note> = {
  'unknown-arguments': [{}],
  'missing-arguments': [{ missing: ['--disable-quic', '--disable-features=A'] }],
  'far-browser': [{ roundTrip: 20 }],
  'sitemap-cut': [
    { source: 'https://x/s.xml', measured: 2, pages: 3 },
    { source: 's.xml', measured: 1, pages: 1, atLeast: true },
  ],
  'other-origins': [{ pages: 2, origin: 'https://y' }],
  'unusable-entries': [
    { source: 's.xml', entries: 1 },
    { source: 's.xml', entries: 2 },
  ],
  'duplicate-pages': [{ times: 3, names: ['https://x/', 'https://x/a'] }],
  'empty-shard': [{ index: 3, of: 3, pages: 2 }],
  'loopback-elsewhere': [{ urls: ['http://localhost:3000/'] }],
  resumed: [{ blocks: 3 }],
  'leads-elsewhere': [{ path: '/account', to: '/login' }],
  'left-out': [{ sentence: '/cart is not compared, because only the base has it: the candidate has no such file.' }],
  'gates-not-measured': [{ metrics: ['largestContentfulPaint', 'ofAnotherVersion'] }],
  'page-difference': [{ difference: { code: 'blank', facts: { build: 'base', loads: 1 } } }],
  'block-dropped': [{ block: 4, reason: { code: 'load-failed', load: 2, build: 'base', attempts: 1, failure } }],
  profiling: [{ loads: 8 }],
  'unchanged-tree': [{ base: 'HEAD (0123456)' }],
  parted: [{ base: 'main (0123456)', point: '89abcdef0123456789abcdef' }],
  'nothing-built': [{ file: 'dist/index.html', candidate: 'work tree (0123456)' }],
  'build-not-kept': [{ folder: '/cache', detail: 'the disk is full' }],
  'servers-in-turns': [{ url: 'http://localhost:3000/' }],
  'server-restarted': [
    { build: 'base', times: 1 },
    { build: 'candidate', times: 2 },
  ],
  'server-errors': [{ build: 'base', lines: 2, first: 'Error: no beans' }],
  'server-grew': [{ build: 'candidate', from: 60_000_000, to: 260_000_000 }],
  'server-restless': [{ build: 'base', share: 0.31 }],
  'server-answers': [
    { url: 'http://x/', took: 12, isHere: false },
    { url: 'http://x/', took: 12, isHere: true },
    { url: 'http://x/', took: 12, isHere: true, pids: [1, 2, 3, 4] },
  ],
  'level-measured': [
    { concurrency: 1, pass: 1, throughput: 900, mean: 10, p90: 20, errors: 0 },
    { server: 'base', concurrency: 32, rate: 100, pass: 2, throughput: 90, mean: 10, p90: 20, errors: 2 },
  ],
  'page-not-loaded': [{ failure }],
  'lighthouse-run': [{ index: 1, of: 3, name: 'Shop' }],
  'watching-machine': [{}],
  'fetching-package': [{ name: 'lighthouse', version: '13.5.0' }],
  'starting-browser': [{}],
};

const DROPS: Samples<DropReason> = {
  'load-failed': [{ load: 1, build: 'candidate', attempts: 2, failure }],
  'step-missing': [{ build: 'base' }],
  interrupted: [{}],
  recorded: [{ text: 'load 1 failed.' }],
};

const RETRIES: Samples<RetryReason> = {
  'browser-died': [{}],
  'browser-lost': [{}],
  'load-failed': [{ failure }],
  'ending-doubted': [{ doubt: 'ending-missed' }, { doubt: 'ending-unconfirmed' }],
  'host-unfit': [
    {
      reasons: [
        { code: 'steal', share: 0.2 },
        { code: 'disk-pressure', share: 0.5 },
      ],
    },
  ],
};

it('notes, what is dropped and what is tried again have their words', () =>
  expectApproved(
    'wording/notes',
    outlined({
      notes: wordsOf(NOTES, noteInWords),
      'a block does not count': wordsOf(DROPS, dropReasonInWords),
      'a load is tried again': wordsOf(RETRIES, retryReasonInWords),
    }),
  ));
