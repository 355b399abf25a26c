import { expect, it } from 'vitest';
import type { HarFault } from '../../src/model/har-fault.ts';
import { harFaultInWords } from '../../src/wording/har-faults.ts';

const AT = { entry: 1, url: 'https://e.com/x' };

const FAULTS: { readonly [C in HarFault['code']]: readonly [Extract<HarFault, { readonly code: C }>, string] } = {
  'url-missing': [{ code: 'url-missing', entry: 2 }, 'Entry 2: request.url is missing, so the entry is left out.'],
  'no-date': [
    { code: 'no-date', ...AT },
    'Entry 1 (https://e.com/x): startedDateTime is no date, so the entry is left out.',
  ],
  'far-away': [
    { code: 'far-away', ...AT },
    'Entry 1 (https://e.com/x): startedDateTime is more than a day away from the start of its page, so the entry is left out.',
  ],
  'too-long': [
    { code: 'too-long', ...AT, time: 1e308 },
    'Entry 1 (https://e.com/x): time is 1e+308, longer than a day, and is treated as unknown.',
  ],
  'too-large': [
    { code: 'too-large', ...AT, path: 'response.bodySize', value: 1e21 },
    'Entry 1 (https://e.com/x): response.bodySize is 1e+21, more bytes than a load can bring, and is treated as unknown.',
  ],
  'blank-page': [{ code: 'blank-page' }, 'It was recorded on about:blank, where no page was loaded.'],
  'only-local': [
    { code: 'only-local', schemes: ['data:', 'blob:'] },
    'It holds only addresses that need no network (data: and blob:).',
  ],
  'empty-page': [{ code: 'empty-page', page: 'p' }, 'Page "p" has no requests.'],
  'no-entries': [{ code: 'no-entries' }, 'It has no entries.'],
  'no-log': [{ code: 'no-log' }, 'The HAR has to be an object with a log.'],
  'no-json': [{ code: 'no-json', detail: 'a circle' }, 'The HAR cannot be written as JSON: a circle.'],
  'other-count': [
    { code: 'other-count', entries: 3, announced: 4 },
    '3 entries for 4 requests that the browser announced',
  ],
  'field-missing': [{ code: 'field-missing', path: 'log.creator' }, 'log.creator is missing.'],
  'no-address': [
    { code: 'no-address', ...AT, path: 'serverIPAddress' },
    'Entry 1 (https://e.com/x): serverIPAddress should be an IP address.',
  ],
  'no-date-time': [
    { code: 'no-date-time', ...AT, path: 'startedDateTime' },
    'Entry 1 (https://e.com/x): startedDateTime should be a date with its time and its zone, as in 2026-01-31T12:00:00.000Z.',
  ],
  'too-small': [
    { code: 'too-small', ...AT, path: 'time', value: -3, least: 0 },
    'Entry 1 (https://e.com/x): time is -3, should be >= 0.',
  ],
  'unknown-page': [
    { code: 'unknown-page', ...AT, path: 'pageref', page: '"q"' },
    'Entry 1 (https://e.com/x): pageref names the page "q", which is not in log.pages.',
  ],
  wrong: [
    { code: 'wrong', ...AT, path: 'time', detail: 'should be number' },
    'Entry 1 (https://e.com/x): time should be number.',
  ],
};

it.each(Object.entries(FAULTS))('%s', (_, [fault, text]) => {
  expect(harFaultInWords(fault)).toBe(text);
});

it('is cut where an address is long, and names the whole where there is no field', () => {
  const url = `https://e.com/${'x'.repeat(200)}`;
  expect(harFaultInWords({ code: 'no-date', entry: 0, url })).toMatch(/^Entry 0 \(https:\/\/e\.com\/x{85}…\):/);
  expect(harFaultInWords({ code: 'wrong', path: '', detail: 'is wrong' })).toBe('The HAR is wrong.');
});
