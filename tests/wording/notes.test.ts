import { expect, it } from 'vitest';
import type { DropReason } from '../../src/model/failure.ts';
import type { Note, RetryReason } from '../../src/model/note.ts';
import { retryReasonInWords } from '../../src/wording/loads.ts';
import { dropReasonInWords, noteInWords } from '../../src/wording/notes.ts';

type Table<T extends { readonly code: string }> = {
  readonly [C in T['code']]: readonly (readonly [Extract<T, { readonly code: C }>, string])[];
};

const failure = { code: 'connection-refused', message: 'Nothing listens there.' };

const NOTES: Table<Note> = {
  'unknown-arguments': [
    [
      { code: 'unknown-arguments' },
      'The browser was started by somebody else and does not tell with which arguments: figures may differ from those of one that Quiesce starts (docs/recipes.md, "A browser elsewhere", says what for).',
    ],
  ],
  'missing-arguments': [
    [
      { code: 'missing-arguments', missing: ['--disable-quic', '--disable-features=A'] },
      'The browser was started with its own arguments, without --disable-quic --disable-features=A: figures may differ from those of one that Quiesce starts (docs/recipes.md, "A browser elsewhere", says what for).',
    ],
  ],
  'far-browser': [
    [
      { code: 'far-browser', roundTrip: 20 },
      'The browser is about 20 ms away, there and back: so much later begin workers and frames of other sites, and with --header or --basic-auth all requests to the page\'s own origin (docs/recipes.md, "A browser elsewhere"). Run Quiesce close to the browser.',
    ],
  ],
  'sitemap-cut': [
    [
      { code: 'sitemap-cut', source: 'https://x/s.xml', measured: 2, pages: 3 },
      'The first 2 of 3 pages in https://x/s.xml are measured; --max-pages takes more.',
    ],
    [
      { code: 'sitemap-cut', source: 's.xml', measured: 1, pages: 1, atLeast: true },
      'The first 1 of at least 1 page in s.xml are measured; --max-pages takes more.',
    ],
  ],
  'other-origins': [
    [{ code: 'other-origins', pages: 2, origin: 'https://y' }, '2 pages of other origins left out, such as https://y.'],
  ],
  'unusable-entries': [
    [{ code: 'unusable-entries', source: 's.xml', entries: 1 }, '1 entry of s.xml left out: not http or https.'],
    [{ code: 'unusable-entries', source: 's.xml', entries: 2 }, '2 entries of s.xml left out: not http or https.'],
  ],
  'duplicate-pages': [
    [
      { code: 'duplicate-pages', times: 3, names: ['https://x/', 'https://x/a'] },
      '3 pages named more than once, measured once: https://x/ and https://x/a.',
    ],
  ],
  'empty-shard': [
    [{ code: 'empty-shard', index: 3, of: 3, pages: 2 }, 'Nothing falls to shard 3 of 3: the audit has 2 pages.'],
  ],
  'loopback-elsewhere': [
    [
      { code: 'loopback-elsewhere', urls: ['http://localhost:3000/'] },
      'The browser runs on another machine, so it looks for http://localhost:3000/ there. To measure a server on this machine, use an address that the browser can reach, or a tunnel.',
    ],
  ],
  resumed: [[{ code: 'resumed', blocks: 3 }, 'continuing after 3 blocks']],
  'steps-without-times': [
    [
      { code: 'steps-without-times' },
      "after each load, the script's steps are done; a comparison measures their interactions (INP), not their times",
    ],
  ],
  'gates-not-measured': [
    [
      { code: 'gates-not-measured', metrics: ['largestContentfulPaint', 'ofAnotherVersion'] },
      'not measured on these pages, so it does not decide: Largest contentful paint, ofAnotherVersion',
    ],
  ],
  'page-difference': [
    [
      { code: 'page-difference', difference: { code: 'blank', facts: { build: 'base', loads: 1 } } },
      'The base is blank: nothing was painted in its only load, unlike in the candidate. An empty page is fast, but not better.',
    ],
  ],
  'block-dropped': [
    [
      {
        code: 'block-dropped',
        block: 4,
        reason: { code: 'load-failed', load: 2, build: 'base', attempts: 1, failure },
      },
      'block 4 does not count: load 2, of the base, failed: Nothing listens there.',
    ],
  ],
  profiling: [
    [
      { code: 'profiling', loads: 8 },
      'both builds are loaded up to 8 times more with a CPU profile, to find out which code differs',
    ],
  ],
  'unchanged-tree': [
    [
      { code: 'unchanged-tree', base: 'HEAD (0123456)' },
      'the work tree is HEAD (0123456) without any changes to its files: but for new ones, a build is compared with itself',
    ],
  ],
  parted: [
    [
      { code: 'parted', base: 'main (0123456)', point: '89abcdef0123456789abcdef' },
      'main (0123456) has commits that the work tree does not have: what they change is compared, too. --base-ref 89abcdef0123 leaves it out',
    ],
  ],
  'nothing-built': [
    [
      { code: 'nothing-built', file: 'dist/index.html', candidate: 'work tree (0123456)' },
      'the build did not write dist/index.html of the work tree (0123456): what was there before is measured',
    ],
  ],
  'build-not-kept': [
    [
      { code: 'build-not-kept', folder: '/cache', detail: 'the disk is full' },
      'the build of the base is not kept for the next time: /cache cannot be written to (the disk is full)',
    ],
  ],
  'server-answers': [
    [{ code: 'server-answers', url: 'http://x/', took: 12, isHere: false }, 'http://x/ answers in 12 ms'],
    [
      { code: 'server-answers', url: 'http://x/', took: 12, isHere: true },
      'http://x/ answers in 12 ms, on this machine',
    ],
    [
      { code: 'server-answers', url: 'http://x/', took: 12, isHere: true, pids: [1, 2, 3, 4] },
      'http://x/ answers in 12 ms, on this machine (process 1, 2, 3 …)',
    ],
  ],
  'level-measured': [
    [
      { code: 'level-measured', concurrency: 1, pass: 1, throughput: 900, mean: 10, p90: 20, errors: 0 },
      '1 connection: 900/s, mean 10 ms, p90 20 ms',
    ],
    [
      {
        code: 'level-measured',
        server: 'base',
        concurrency: 32,
        rate: 100,
        pass: 2,
        throughput: 90,
        mean: 10,
        p90: 20,
        errors: 2,
      },
      'base, 100/s asked for again: 90/s, mean 10 ms, p90 20 ms, 2 errors',
    ],
  ],
  'page-not-loaded': [[{ code: 'page-not-loaded', failure }, 'The page was not loaded. Nothing listens there.']],
  'lighthouse-run': [[{ code: 'lighthouse-run', index: 1, of: 3, name: 'Shop' }, 'Lighthouse, run 1 of 3: Shop']],
  'watching-machine': [[{ code: 'watching-machine' }, 'Looking at the machine for two seconds.']],
  'starting-browser': [[{ code: 'starting-browser' }, 'Starting the browser.']],
};

const DROPS: Table<DropReason> = {
  'load-failed': [
    [
      { code: 'load-failed', load: 1, build: 'candidate', attempts: 2, failure },
      'load 1, of the candidate, failed twice: Nothing listens there.',
    ],
  ],
  interrupted: [[{ code: 'interrupted' }, 'the comparison was ended in its block.']],
  recorded: [[{ code: 'recorded', text: 'load 1 failed.' }, 'load 1 failed.']],
};

const RETRIES: Table<RetryReason> = {
  'browser-died': [[{ code: 'browser-died' }, 'the browser crashed']],
  'browser-lost': [[{ code: 'browser-lost' }, 'the connection to the browser broke']],
  'load-failed': [[{ code: 'load-failed', failure }, 'Nothing listens there.']],
  'ending-doubted': [
    [
      { code: 'ending-doubted', doubt: 'ending-missed' },
      'it had ended early, and another run showed content that comes later',
    ],
    [
      { code: 'ending-doubted', doubt: 'ending-unconfirmed' },
      'it had ended early, and what came in it was not what other runs needed',
    ],
  ],
  'host-unfit': [
    [
      {
        code: 'host-unfit',
        reasons: [
          { code: 'steal', share: 0.2 },
          { code: 'disk-pressure', share: 0.5 },
        ],
      },
      'the hypervisor took 20% of the CPU time, programs waited for a disk 50% of the time',
    ],
  ],
};

const rows = <T>(table: Readonly<Record<string, readonly (readonly [T, string])[]>>) =>
  Object.entries(table).flatMap(([code, cases]) => cases.map(([fact, text]) => ({ code, fact, text })));

it.each(rows<Note>(NOTES))('the note $code: $text', ({ fact, text }) => {
  expect(noteInWords(fact)).toBe(text);
});

it.each(rows<DropReason>(DROPS))('what is dropped, $code: $text', ({ fact, text }) => {
  expect(dropReasonInWords(fact)).toBe(text);
});

it.each(rows<RetryReason>(RETRIES))('tried again, $code: $text', ({ fact, text }) => {
  expect(retryReasonInWords(fact)).toBe(text);
});
