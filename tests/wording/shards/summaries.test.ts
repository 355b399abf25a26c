import { expect, it } from 'vitest';
import type { Source } from '../../../src/model/result/result.ts';
import { stopOf, whyBlocksShort, whyPagesShort } from '../../../src/wording/shards/endings.ts';
import { numbered } from '../../../src/wording/shards/numbers.ts';
import { rosterOf, type ShardSummary } from '../../../src/wording/shards/summaries.ts';
import { expectApproved, outlined } from '../../support/approved.ts';

const enrolled = (index: number, over: Partial<ShardSummary> & { readonly machine?: string } = {}): ShardSummary => {
  const { machine, ...rest } = over;
  return {
    kind: 'compare',
    tool: { name: 'quiesce', version: '0.1.0' },
    settings: { browserArg: [] },
    startedAt: '2026-03-01T10:00:00.000Z',
    browser: { product: 'Chrome/140' },
    place: { index, of: 4, total: 20, work: 'w', ...(machine !== undefined && { machine }) },
    sources: { base: undefined, candidate: undefined },
    brought: 5,
    rules: '',
    ...rest,
  };
};

it('a machine is one all the same where its shards were judged by other rules', () => {
  const shards = [
    enrolled(1, { machine: 'a', rules: 'x' }),
    enrolled(2, { machine: 'a', rules: 'y' }),
    enrolled(3, { machine: 'a', rules: 'x' }),
  ];
  expect(rosterOf(shards, 'block', [])).toMatchObject({ machines: 1, shards: [{ machine: 1 }, { machine: 2 }, {}] });
});

const all = [1, 2, 3, 4].map((index) => enrolled(index, { machine: `m${index}` }));
const nameless = [1, 2, 3, 4].map((index) => enrolled(index));
const short = enrolled(2, { machine: 'm2', brought: 2, interrupted: true });
const sources = (candidate: Source) => ({ sources: { base: undefined, candidate } });
const unlike = [
  enrolled(1, sources({ commit: 'abc' })),
  enrolled(2, { browser: { product: 'Chrome/141' }, ...sources({ commit: 'abc', modified: true }) }),
  enrolled(3, { settings: { browserArg: ['--disable-gpu'] }, ...sources({ commit: 'abc' }) }),
  enrolled(4, { startedAt: '2026-03-03T10:00:00.000Z', ...sources({ commit: 'abc' }) }),
];
const told = (...of: Parameters<typeof rosterOf>) => {
  const { sentence, notes } = rosterOf(...of);
  return [sentence, ...notes];
};

it('what was joined, and where shards were not alike, is approved', () =>
  expectApproved(
    'wording/shard-summaries',
    outlined({
      'all of them': told(all, 'block', []),
      'one is missing': told(all.slice(0, 3), 'block', []),
      'one is missing, and one ended early': told(all.slice(0, 3).with(1, short), 'page', []),
      'machines without a name': told(nameless, 'block', []),
      'pages on machines': told(all, 'page', []),
      'pages on one machine': told(
        all.map((shard) => ({ ...shard, brought: shard.place.index === 1 ? 5 : 0 })),
        'page',
        [],
      ),
      'pages on machines without a name': told(nameless.slice(0, 2), 'page', []),
      'nearly all are missing': told(
        [enrolled(1, { place: { index: 1, of: 10_000, total: 20_000, work: 'w' } })],
        'page',
        [],
      ),
      'shards that are not alike': told(unlike, 'block', [{ code: 'no-inventories', shards: [1] }]),
      numbers: [
        [3],
        [1, 2],
        [1, 2, 3, 7],
        [1, 3, 4, 9, 10, 11],
        Array.from({ length: 5_000 }, (_, i) => 2 * i + 1),
      ].map(numbered),
    }),
  ));

const share = (index: number) => ({ index, reason: 'share' }) as const;
const failing = [1, 2].map((index) => ({ index, reason: 'too-many-failures' }) as const);

it('why it ended is approved: the plan, what is missing, or the common reason', () => {
  const said = (...of: Parameters<typeof stopOf>) => {
    const { stoppedBecause, stoppedSentence } = stopOf(...of);
    return `${stoppedBecause}: ${stoppedSentence}`;
  };
  return expectApproved(
    'wording/shard-endings',
    outlined({
      'all did their shares': said([share(1), share(2)], [], 20, 20),
      'one is missing': said([share(1)], [2], 10, 20),
      'one is missing, and one ended early': said([share(1), { index: 2, reason: 'interrupted' }], [3], 12, 30),
      'all failed': said(failing, [], 4, 20),
      'some failed': said([...failing, share(3)], [], 14, 30),
      'a shard that came short': [
        whyBlocksShort('share', 5, 5),
        whyBlocksShort('interrupted', 2, 5),
        whyBlocksShort('not-measurable', 0, 5),
        whyPagesShort(false, 5, 5),
        whyPagesShort(true, 5, 5),
        whyPagesShort(false, 3, 5),
      ],
    }),
  );
});
