import { it } from 'vitest';
import type { CapacityComparison, CapacityFindingCode, PageAtLoad, RampEnd } from '../../src/model/capacity.ts';
import {
  comparisonSentence,
  endInWords,
  findingsInWords,
  INSTABILITY,
  LIMIT_NAMES,
  pageSentence,
} from '../../src/wording/capacity.ts';
import { expectApproved, outlined } from '../support/approved.ts';

/** The figures of a finding of each code; a code that is added is asked for here. */
const FINDINGS: Readonly<Record<CapacityFindingCode, readonly object[]>> = {
  'already-saturated': [{ concurrency: 4, tryLevels: [1, 2] }],
  'few-levels': [{ levels: 2 }],
  'past-the-knee': [
    { concurrency: 32, throughput: 160, last: 64, lastThroughput: 120 },
    { rate: 200, throughput: 160, last: 400, lastThroughput: 120 },
  ],
  queue: [{ concurrency: 32, p90: 200, last: 128, lastP90: 800 }],
  'configured-limit': [{ concurrency: 32 }],
  'cpu-idle': [{ concurrency: 32, idle: 0.6 }],
  errors: [{ concurrency: 32, share: 0.2, kind: 'HTTP 503' }],
  timeouts: [
    { concurrency: 32, share: 1 },
    { concurrency: 32, share: 0.2 },
  ],
  'driver-busy': [{ concurrency: 32, share: 0.6 }],
  'driver-limit': [{ concurrency: 32 }],
  'others-busy': [{ share: 0.3 }],
  'stolen-time': [{ share: 0.1 }],
  'shared-machine': [{}],
  'server-unknown': [{}],
  'unstable-levels': [{ levels: [16, 32] }],
  drift: [{ levels: [16] }],
  'memory-growth': [{ from: 200e6, to: 900e6 }],
  'accept-queue': [{ connections: 40 }],
  'open-load': [{}],
  'usl-poor': [{ r2: 0.4 }],
};
const ENDS: Readonly<Record<RampEnd['code'], true>> = {
  flat: true,
  errors: true,
  timeouts: true,
  driver: true,
  'max-concurrency': true,
  'levels-done': true,
  'max-requests': true,
  interrupted: true,
  imported: true,
};
const ratio = (value: number, by: number) => ({ value, low: value - by, high: value + by });
const compared = (over: Partial<CapacityComparison>) =>
  comparisonSentence({ decision: 'better', maxRatio: ratio(1.2, 0.1), ...over });
const POINTS: readonly PageAtLoad[] = [
  { load: 'none', concurrency: 0, n: 5, of: 5, pageComplete: 1000 },
  { load: 'half', concurrency: 8, n: 5, of: 5, pageComplete: 1200 },
  { load: 'knee', concurrency: 16, n: 5, of: 5, pageComplete: 1900 },
];
const slower = { ...ratio(1.3, 0.1), rate: 100 };

it('what is said of the capacity of servers is approved', () =>
  expectApproved(
    'wording/capacity',
    outlined({
      findings: Object.fromEntries(
        Object.entries(FINDINGS).map(([code, samples]) => [
          code,
          findingsInWords(
            samples.map((facts) => ({ code, facts }) as Parameters<typeof findingsInWords>[0][number]),
          ).map(({ message }) => message),
        ]),
      ),
      'the ramp ended': Object.keys(ENDS).map((code) => endInWords({ code: code as RampEnd['code'], concurrency: 64 })),
      'a level cannot be relied on': INSTABILITY,
      'what stands in the way': LIMIT_NAMES,
      'what people see': (['cpu', 'not-reached'] as const).map((limit) => pageSentence({ points: POINTS }, limit)),
      'two servers': [
        compared({}),
        compared({ decision: 'worse', maxRatio: ratio(0.8, 0.1), p90Ratio: slower }),
        compared({ decision: 'same', maxRatio: ratio(1, 0.05) }),
        compared({ decision: 'same', maxRatio: ratio(1, 0.05), notReached: ['base', 'candidate'] }),
        compared({ decision: 'unsure', maxRatio: ratio(1, 0.4), notReached: ['base'] }),
      ],
    }),
  ));
