import { expect, it } from 'vitest';
import type { HostReason } from '../../../src/model/host/reason.ts';
import { hostInWords, hostReasonInWords } from '../../../src/wording/host/reasons.ts';
import { expectApproved, outlined, type Samples, wordsOf } from '../../support/approved.ts';

const REASONS: Samples<HostReason> = {
  'busy-by-others': [{ share: 0.5, mostly: { from: 500, to: 1_500 } }, { share: 1 }],
  steal: [{ share: 0.2 }],
  'memory-pressure': [{ share: 0.5 }],
  'disk-pressure': [{ share: 0.5 }],
  'no-clocks': [{}],
  'browser-share-unknown': [{}],
  elsewhere: [{}],
  'driver-busy': [{ share: 0.9 }],
};

it('every reason has its words', () =>
  expectApproved('wording/host-reasons', outlined(wordsOf(REASONS, hostReasonInWords))));

it('the facts stand beside the words', () => {
  const reasonFacts = [{ code: 'no-clocks' }] as const;
  const reasons = reasonFacts.map(hostReasonInWords);
  expect(hostInWords({ verdict: 'unfit', reasonFacts })).toEqual({ verdict: 'unfit', reasonFacts, reasons });
});
