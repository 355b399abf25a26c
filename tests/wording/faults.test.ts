import { it } from 'vitest';
import type { PlanProblem } from '../../src/core/experiment/plan.ts';
import type { HarFault } from '../../src/model/network/har-fault.ts';
import { engineFaultInWords } from '../../src/wording/capacity.ts';
import { whyUnfetched, whyUnreadable, whyUnwritable } from '../../src/wording/messages/file-errors.ts';
import { harFaultInWords } from '../../src/wording/messages/har-faults.ts';
import { planProblemInWords, tooFewBlocks } from '../../src/wording/messages/plan-problems.ts';
import { expectApproved, outlined, wordsOf } from '../support/approved.ts';

const entry = { entry: 1, url: 'https://e.com/x' };

/** Every fault of the house: a code without a row does not compile. */
const FAULTS = {
  'a file cannot be read or written': Object.fromEntries(
    [
      ...['ENOENT', 'EACCES', 'EPERM', 'EISDIR', 'ENOTDIR', 'EEXIST', 'ELOOP', 'ENAMETOOLONG', 'ERR_FS_FILE_TOO_LARGE'],
      ...['ENOSPC', 'EDQUOT', 'EROFS', undefined],
    ].map((code) => {
      const error = Object.assign(new Error('why'), { code });
      return [`${code}`, [whyUnreadable(error), whyUnwritable(error)]];
    }),
  ),
  'a file cannot be fetched': Object.fromEntries(
    ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'UND_ERR_SOCKET', undefined].map((code) => [
      `${code}`,
      whyUnfetched(new Error('fetch failed', { cause: Object.assign(new Error('why'), { code }) })),
    ]),
  ),
  'something is wrong in a HAR': wordsOf<HarFault>(
    {
      'url-missing': [{ entry: 2 }],
      'no-date': [entry, { entry: 0, url: `https://e.com/${'x'.repeat(200)}` }],
      'far-away': [entry],
      'too-long': [{ ...entry, time: 1e308 }],
      'too-large': [{ ...entry, path: 'response.bodySize', value: 1e21 }],
      'blank-page': [{}],
      'only-local': [{ schemes: ['data:', 'blob:'] }],
      'empty-page': [{ page: 'p' }],
      'no-entries': [{}],
      'no-log': [{}],
      'no-json': [{ detail: 'a circle' }],
      'other-count': [{ entries: 3, announced: 4 }],
      'field-missing': [{ path: 'log.creator' }],
      'no-address': [{ ...entry, path: 'serverIPAddress' }],
      'no-date-time': [{ ...entry, path: 'startedDateTime' }],
      'too-small': [{ ...entry, path: 'time', value: -3, least: 0 }],
      'unknown-page': [{ ...entry, path: 'pageref', page: '"q"' }],
      wrong: [
        { ...entry, path: 'time', detail: 'should be number' },
        { path: '', detail: 'is wrong' },
      ],
    },
    harFaultInWords,
  ),
  'a plan cannot be': wordsOf<PlanProblem>(
    {
      'not-whole': [{ option: 'maxPairs', pairs: 2.5 }],
      'too-few-pairs': [
        { option: 'maxPairs', pairs: 1, least: 2 },
        { option: 'maxPairs', pairs: 0, least: 2 },
      ],
      odd: [{ option: 'looks', pairs: 7 }],
      'too-many-pairs': [{ option: 'maxPairs', pairs: 20_000, most: 10_000 }],
      'no-looks': [{ option: 'looks' }],
      'not-rising': [{ option: 'looks', look: 10, before: 16 }],
      'beyond-max-pairs': [{ option: 'looks', look: 50, maxPairs: 40 }],
      'no-gate': [{ option: 'gate' }],
      'out-of-range': [{ option: 'alpha' }, { option: 'seed' }],
    },
    planProblemInWords,
  ),
  'a plan cannot be shared': { '6 pairs, 3 blocks, 4 shards': tooFewBlocks(6, 3, 4) },
  'an engine made no load': {
    'no summary': engineFaultInWords('k6', { code: 'no-summary' }),
    'failed, nothing said': engineFaultInWords('k6', { code: 'failed', said: null, exit: 99 }),
    failed: engineFaultInWords('k6', { code: 'failed', said: 'no space left' }),
    ended: engineFaultInWords('autocannon', { code: 'ended', said: 'SIGKILL', exit: null }),
  },
};

it('every fault has its words', () => expectApproved('wording/faults', outlined(FAULTS)));
