import { expect, it } from 'vitest';
import type { OptionFault } from '../../src/model/option-fault.ts';
import { optionFaultInWords } from '../../src/wording/option-faults.ts';

const FAULTS: readonly (readonly [OptionFault, string])[] = [
  [{ code: 'header-form' }, "must be 'Name: value', with a name of letters, digits and dashes"],
  [{ code: 'header-cookie' }, 'must not be a Cookie: give cookies with --cookie name=value'],
  [{ code: 'header-reserved', name: 'Host' }, 'must not be Host: the browser sets that itself'],
  [{ code: 'header-value', name: 'X-A' }, 'must have a value of one line of Latin letters (X-A)'],
  [{ code: 'cookie-form' }, 'must be name=value, with a name of letters, digits and dashes'],
  [{ code: 'cookie-value', name: 'a' }, 'must have a value without semicolons and line breaks (a)'],
  [{ code: 'login-form' }, 'must be user:password, on one line'],
  [
    { code: 'network-form', presets: ['lte', '4g'] },
    'must be none, lte, 4g, or latency,down,up such as 150ms,1.6Mbps,750kbps',
  ],
  [{ code: 'network-latency', most: 60_000 }, 'must have a latency of at most 60000 ms'],
  [
    { code: 'network-rate', least: 1, most: 10_000_000 },
    'must have rates from 1 to 10000000 kbit/s, or 0 for no limit',
  ],
  [
    { code: 'device-unknown', near: ['iPhone 15', 'iPhone 14'] },
    'must be a device that Quiesce knows, such as iPhone 15, iPhone 14',
  ],
  [
    { code: 'device-unknown', near: [] },
    'must be a device that Quiesce knows, such as desktop, phone, tablet, iPhone 15, Pixel 5 …',
  ],
  [{ code: 'not-a-selector', selector: '#[' }, '"#[" is not a CSS selector'],
  [{ code: 'place-form' }, 'must be latitude,longitude in degrees, such as 52.52,13.40'],
  [{ code: 'share-form' }, 'must be a share such as 2/4 (the second of four), or auto, or auto/4'],
  [{ code: 'shares-out-of-range', of: 20_000, most: 10_000 }, 'must be of 1 to 10000 shards, not of 20000'],
  [{ code: 'share-out-of-range', of: '4' }, 'must be one of 1/4 to 4/4: shards are counted from 1'],
  [
    { code: 'shares-contradict', typed: 4, counted: 8 },
    'there are 4 as typed, and 8 as CI_NODE_TOTAL says: name the share, as in 2/4',
  ],
  [
    { code: 'share-beyond', of: 4, variable: 'JOB_COMPLETION_INDEX', index: 5 },
    'there are 4, but JOB_COMPLETION_INDEX says this is number 5',
  ],
  [
    { code: 'share-no-number', of: 4, variable: 'CI_NODE_INDEX' },
    'CI_NODE_INDEX must be a number from 1 to 4, as CI_NODE_TOTAL has it, and is not: name the share, as in 2/4, or 1/1 for all the work',
  ],
  [
    { code: 'shares-unknown', variable: 'JOB_COMPLETION_INDEX' },
    'JOB_COMPLETION_INDEX does not say how many shards there are: use auto/<n>',
  ],
  [
    { code: 'share-unknown' },
    'nothing here says which share this is (JOB_COMPLETION_INDEX, CI_NODE_INDEX): name it, as in 2/4',
  ],
];

it.each(FAULTS)('%j', (fault, text) => {
  expect(optionFaultInWords(fault)).toBe(text);
});
