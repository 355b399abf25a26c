import { expect, it } from 'vitest';
import {
  importProblemInWords,
  mixFaultInWords,
  outOfReachInWords,
  scriptFaultInWords,
  siteFaultInWords,
} from '../../src/wording/job-faults.ts';
import { tooFewBlocks } from '../../src/wording/plan-problems.ts';
import { shardRunsFaultInWords } from '../../src/wording/shard-faults.ts';

it.each([
  [scriptFaultInWords({ code: 'no-file' }), 'no such file'],
  [scriptFaultInWords({ code: 'unknown-extension' }), 'name a .js, .mjs or .ts file'],
  [
    scriptFaultInWords({ code: 'exports-function' }),
    'its default export is a function, not an object with before or measure',
  ],
  [scriptFaultInWords({ code: 'exports-nothing' }), 'it exports neither before nor measure'],
  [scriptFaultInWords({ code: 'no-object', value: '"log in"' }), 'its default export is "log in"'],
  [scriptFaultInWords({ code: 'no-function', name: 'before' }), 'its before is not a function'],
  [scriptFaultInWords({ code: 'not-imported', message: 'Unexpected token' }), 'Unexpected token'],
  [scriptFaultInWords({ code: 'not-imported', message: 'Unexpected token', line: 2 }), 'line 2: Unexpected token'],
  [mixFaultInWords({ code: 'no-url', given: 'http://' }), '"http://" is no URL and no path'],
  [mixFaultInWords({ code: 'other-server', origin: 'http://y' }), 'http://y is not the server under test'],
  [mixFaultInWords({ code: 'no-weight', given: 'many' }), '"many" is no weight: use a number above 0 and up to 1000'],
  [importProblemInWords({ problem: 'no-load-test' }), 'it is not the result of a load test'],
  [
    importProblemInWords({ problem: 'no-connections' }),
    'it does not say how many connections were used: give them with --levels, in the order of the files',
  ],
  [importProblemInWords({ problem: 'empty' }), 'it is empty'],
  [
    siteFaultInWords({ code: 'no-folder', built: false }),
    'there is no such folder. Have it built with --build, or name another with --dist',
  ],
  [
    siteFaultInWords({ code: 'no-folder', built: true }),
    'there is no such folder after the build. Name the folder that it writes with --dist',
  ],
  [
    siteFaultInWords({ code: 'outside' }),
    'a symbolic link points outside the repository. Let the build write into a folder inside it',
  ],
  [siteFaultInWords({ code: 'no-page' }), 'it has no index.html. Set --dist to the folder that contains the page'],
  [outOfReachInWords('browser-elsewhere'), 'it runs on another machine'],
  [outOfReachInWords('address-elsewhere'), 'that address does not belong to this machine'],
  [
    tooFewBlocks(6, 3, 4),
    '6 pairs are 3 blocks of loads, too few for 4 shards: use fewer, or more pairs (--max-pairs)',
  ],
  [shardRunsFaultInWords({ code: 'too-many-pages', pages: 3, share: 2 }), 'it has 3 pages, and its share is 2'],
])('%s', (said, text) => expect(said).toBe(text));
