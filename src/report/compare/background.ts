import type { BackgroundChange } from '../../model/compare/comparison.ts';
import { onlyInInWords } from '../../wording/background/change.ts';
import { endpointInWords } from '../../wording/completion/endpoints.ts';
import { formatCount } from '../../wording/text/format.ts';
import { confidenceInWords, impactInWords } from '../../wording/text/words.ts';
import { trafficInWords } from '../audit/background.ts';
import { type ColumnOf, details, list, paragraph, table } from '../parts.ts';
import type { CompareChapter } from './comparison.ts';

/** Background endpoints that only one build has: a new poll in the candidate is news, although it moves no time. */
export const background: CompareChapter = ({ result: { backgroundChanges: changes } }, detail) => {
  if (changes.length === 0) return [];
  if (detail === 'brief') {
    const items = changes.map((change) => ({ mark: markOf(change), text: nameOf(change) }));
    return list(items, detail, { title: { strong: 'Background traffic that only one build has' }, noun: 'endpoint' });
  }
  return details(
    'Background traffic that changed',
    [
      ...paragraph(
        'Streams, polls and beacons that only one build has. They are left out of the times of both builds, but still cost server load and battery.',
      ),
      ...table(changes, COLUMNS, detail, { noun: 'endpoint' }),
    ],
    detail,
    { short: 'Background', line: inShort(changes) },
  );
};

const markOf = ({ build }: BackgroundChange): 'added' | 'removed' => (build === 'candidate' ? 'added' : 'removed');

const nameOf = (change: BackgroundChange) => [
  { code: change.kind },
  ' ',
  { code: endpointInWords(change) },
  change.contentInOther ? `; ${onlyInInWords(change)}` : '',
];

const COLUMNS: readonly ColumnOf<BackgroundChange>[] = [
  { title: 'Endpoint', cell: (change) => [{ code: change.kind }, ' ', { code: endpointInWords(change) }] },
  {
    title: 'Only in',
    cell: (change) =>
      change.contentInOther
        ? onlyInInWords(change)
        : {
            mark: markOf(change),
            text: change.build === 'candidate' ? 'new' : 'gone',
            remarks: [onlyInInWords(change)],
          },
  },
  {
    title: 'What was seen',
    long: true,
    cell: (change) => `${change.because} (${confidenceInWords(change)})`,
  },
  {
    title: 'Traffic',
    worth: 2,
    cell: (change) => ({
      text: trafficInWords(change),
      remarks: [change.excluded ? 'left out of page complete' : 'counted anyway'],
    }),
  },
  { title: 'On the screen', worth: 1, cell: impactInWords },
];

/** "2 endpoints only in the candidate; 1 endpoint only in the base". */
function inShort(changes: readonly BackgroundChange[]): string {
  return (['candidate', 'base'] as const)
    .map((build) => [build, changes.filter((change) => change.build === build).length] as const)
    .flatMap(([build, count]) => (count === 0 ? [] : [`${formatCount(count, 'endpoint')} only in the ${build}`]))
    .join('; ');
}
