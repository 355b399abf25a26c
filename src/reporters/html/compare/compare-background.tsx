import type { JSX } from 'preact';
import type { BackgroundChange } from '../../../model/comparison.ts';
import type { CompareReport } from '../../../model/report.ts';
import { backgroundInShort } from '../../../report/compare/background.ts';
import { onlyInInWords } from '../../../wording/background-change.ts';
import { formatValue } from '../../../wording/format.ts';
import { confidenceInWords, impactInWords } from '../../../wording/words.ts';
import { Endpoint, trafficInWords } from '../background/background.tsx';
import { foreign, Part, sentence } from '../components/part.tsx';
import { type Column, Table } from '../components/table.tsx';

/** Endpoints that are seen at once. */
const LISTED = 20;

const COLUMNS: readonly Column<BackgroundChange>[] = [
  {
    title: 'Endpoint',
    className: 'endpoint',
    cell: ({ kind, endpoint }) => (
      <>
        <span class="kind">{foreign(kind)}</span>
        <Endpoint label={endpoint} />
      </>
    ),
  },
  {
    title: 'What was seen',
    className: 'wide',
    cell: (endpoint) => (
      <>
        {sentence(endpoint.because)}
        <small>{confidenceInWords(endpoint)}</small>
      </>
    ),
  },
  {
    title: 'Traffic',
    className: 'some',
    cell: (endpoint) => (
      <>
        {trafficInWords(endpoint)}
        <small>{endpoint.excluded ? 'left out of page complete' : 'counted anyway'}</small>
      </>
    ),
  },
  { title: 'On the screen', className: 'some', cell: (endpoint) => impactInWords(endpoint) },
  {
    title: 'Only in',
    cell: (change) => (
      <>
        {change.contentInOther ? undefined : (
          <b class={`ch ${change.build === 'candidate' ? 'c-new' : 'c-gone'}`}>
            {change.build === 'candidate' ? 'new' : 'gone'}
          </b>
        )}
        <small>{onlyInInWords(change)}</small>
      </>
    ),
  },
];

/** Background endpoints that only one build has: a new poll in the candidate is news, although it moves no time. */
export function CompareBackgroundPart({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const { backgroundChanges } = report.result;
  if (backgroundChanges.length === 0) return undefined;
  const others = backgroundChanges.length - LISTED;
  return (
    <Part
      id="compare"
      title="Background traffic that changed"
      short="Background"
      line={backgroundInShort(backgroundChanges)}
      lead="Streams, polls and beacons that only one build has. They are left out of the times of both builds, but still cost server load and battery."
    >
      <Table
        caption="Background endpoints that only one build has"
        columns={COLUMNS}
        rows={backgroundChanges.slice(0, LISTED)}
        className="even"
      />
      {others > 0 && <p class="keys">and {formatValue(others, 'count')} more, which result.json lists</p>}
    </Part>
  );
}
