import { expect, it } from 'vitest';
import type { HostReason } from '../../src/model/host-reason.ts';
import { hostInWords, hostReasonInWords } from '../../src/wording/host-reasons.ts';

const REASONS: { readonly [C in HostReason['code']]: readonly [Extract<HostReason, { readonly code: C }>, string] } = {
  'busy-by-others': [
    { code: 'busy-by-others', share: 0.5, mostly: { from: 500, to: 1_500 } },
    'other programs used 50% of the CPU, most of it between 500 ms and 1.50 s',
  ],
  steal: [{ code: 'steal', share: 0.2 }, 'the hypervisor took 20% of the CPU time'],
  'memory-pressure': [{ code: 'memory-pressure', share: 0.5 }, 'programs waited for memory 50% of the time'],
  'disk-pressure': [{ code: 'disk-pressure', share: 0.5 }, 'programs waited for a disk 50% of the time'],
  'no-clocks': [{ code: 'no-clocks' }, 'this system does not report how busy its processors are'],
  'browser-share-unknown': [{ code: 'browser-share-unknown' }, 'the browser did not report its own CPU use'],
  elsewhere: [{ code: 'elsewhere' }, 'the browser runs on another machine, whose load cannot be seen from here'],
  'driver-busy': [
    { code: 'driver-busy', share: 0.9 },
    'this machine, which controls it, used 90% of its own CPU, so it may have received events late',
  ],
};

it.each(Object.entries(REASONS))('%s', (_, [reason, text]) => {
  expect(hostReasonInWords(reason)).toBe(text);
});

it('leaves out when it was, where that was about all the time; the facts stand beside the words', () => {
  const reasonFacts: readonly HostReason[] = [{ code: 'busy-by-others', share: 1 }];
  expect(hostInWords({ verdict: 'unfit', reasonFacts })).toEqual({
    verdict: 'unfit',
    reasonFacts,
    reasons: ['other programs used 100% of the CPU'],
  });
});
