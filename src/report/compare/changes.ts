import type { Build, RequestChange } from '../../model/compare/comparison.ts';
import type { CompareReport } from '../../model/result/report.ts';
import { hostWithEntity } from '../../wording/background/parties.ts';
import { formatCount, formatValue } from '../../wording/text/format.ts';
import { findingTitle } from '../../wording/text/words.ts';
import { anythingChanged, requestSize, sizeChange } from '../comparison.ts';
import { type ColumnOf, details, type Item, list, type Mark, paragraph, table } from '../parts.ts';
import type { CompareChapter } from './comparison.ts';

/** Addresses of a finding that are named. */
const MAX_ADDRESSES = 3;

const TITLE = 'What changed besides time';
const SHORT = 'Changes';

/** What changed besides time: requests, sizes, other sites and findings. */
export const changes: CompareChapter = (report, detail) => {
  if (!anythingChanged(report)) {
    if (report.result.design.pairs === 0) return [];
    const same = 'requests, sizes, other sites and findings are the same';
    if (detail === 'brief') return paragraph(`Apart from times: ${same}.`);
    return details(TITLE, paragraph('Medians over the loads of each build were compared.'), detail, {
      short: SHORT,
      line: `Nothing: ${same}`,
    });
  }
  const line = inShort(report);
  if (detail === 'brief') return paragraph(`Apart from times: ${line}.`);
  const { added, removed, grown, shrunk, bytes, thirdParties, findings } = report.result.changes;
  const rows = [
    ...added.map((change): Row => ({ change, mark: 'added', word: 'new' })),
    ...removed.map((change): Row => ({ change, mark: 'removed', word: 'gone' })),
    ...grown.map((change): Row => ({ change, mark: 'worse', word: 'grown' })),
    ...shrunk.map((change): Row => ({ change, mark: 'better', word: 'shrunk' })),
  ];
  const sizes = bytes.filter(({ base, candidate }) => base !== candidate);
  const hosts = (mark: Mark, of: readonly string[]): readonly Item[] =>
    of.map((host) => ({ mark, text: [mark === 'added' ? 'new ' : 'gone ', { code: hostWithEntity(host) }] }));
  return details(
    TITLE,
    [
      ...paragraph('Medians over the loads of each build.'),
      ...table(rows, COLUMNS, detail, { noun: 'request' }),
      {
        kind: 'side-by-side',
        parts: [
          ...table(
            sizes,
            [
              { title: 'Type', cell: ({ type }) => type },
              { title: 'Size', cell: ({ base, candidate }) => sizeChange(base, candidate) },
            ],
            detail,
            { title: 'Transferred bytes' },
          ),
          ...list([...hosts('added', thirdParties.added), ...hosts('removed', thirdParties.removed)], detail, {
            title: 'Other sites',
            noun: 'site',
          }),
        ],
      },
      ...list([...found('candidate', findings.added), ...found('base', findings.removed)], detail, {
        title: 'Findings',
      }),
    ],
    detail,
    { short: SHORT, line },
  );
};

interface Row {
  readonly change: RequestChange;
  readonly mark: Mark;
  readonly word: string;
}

const COLUMNS: readonly ColumnOf<Row>[] = [
  { title: 'Request', cell: ({ change }) => ({ code: change.name }) },
  { title: 'Change', cell: ({ mark, word }) => ({ mark, text: word }) },
  { title: 'Type', worth: 2, cell: ({ change }) => change.type },
  { title: 'Transferred', long: true, cell: ({ change }) => requestSize(change) },
  {
    title: 'Requests',
    figures: true,
    worth: 1,
    cell: ({ change: { base, candidate } }) =>
      [...new Set([base?.requests, candidate?.requests].filter((count) => count !== undefined))]
        .map((count) => formatValue(count, 'count'))
        .join(' → '),
  },
];

const found = (build: Build, of: CompareReport['result']['changes']['findings']['added']): readonly Item[] =>
  of.map(({ code, message, urls }) => ({
    ...(build === 'candidate' && { mark: 'warning' as const }),
    text: [{ strong: findingTitle(code) }, `, only in the ${build}: ${message}`],
    below: urls.slice(0, MAX_ADDRESSES).map((address) => ({ address })),
  }));

/** "2 requests added, 1 grown; +79 kB": who does not unfold it knows what there is. */
function inShort({ result }: CompareReport): string {
  const { added, removed, grown, shrunk, bytes, thirdParties, findings } = result.changes;
  const requested = Object.entries({ added, removed, grown, shrunk })
    .filter(([, { length }]) => length > 0)
    .map(([word, { length }], i) => `${i === 0 ? formatCount(length, 'request') : length} ${word}`);
  const by = bytes.reduce((sum, { base, candidate }) => sum + candidate - base, 0);
  const sites = thirdParties.added.length + thirdParties.removed.length;
  const others = findings.added.length + findings.removed.length;
  return [
    requested.join(', '),
    by === 0 ? '' : `${by > 0 ? '+' : ''}${formatValue(by, 'bytes')}`,
    sites === 0 ? '' : formatCount(sites, 'other site'),
    others === 0 ? '' : formatCount(others, 'finding'),
  ]
    .filter((part) => part !== '')
    .join('; ');
}
