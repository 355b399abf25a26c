import type { BackgroundEndpoint } from '../../model/result/result.ts';
import { backgroundOf } from '../../result/background.ts';
import { countedRuns } from '../../result/counted-runs.ts';
import { ownerOf } from '../../result/owner-of.ts';
import { answerOf, headlineComplete, idleAnswerOf, isIdleAlike } from '../../result/representative.ts';
import { adviceOn, kindInWords } from '../../wording/background/advice.ts';
import { ownerInWords } from '../../wording/background/owners.ts';
import { describeEndpoints, endpointInWords } from '../../wording/completion/endpoints.ts';
import { stateInWords } from '../../wording/result/outcome.ts';
import { ABSENT, formatCount, formatInterval, formatValue } from '../../wording/text/format.ts';
import { confidenceInWords, countedAnswer, impactInWords, overruledInWords } from '../../wording/text/words.ts';
import { type Cell, type ColumnOf, details, type Part, paragraph, table } from '../parts.ts';
import type { Chapter, Page } from './page.ts';

/** Pictures of one endpoint's work that are shown. */
const SHOTS = 2;

/** The endpoints whose traffic was left out and what each would have cost; then those that count all the same. */
export const background: Chapter = (page) => {
  const { target, result, analysis, detail } = page;
  const { left, counted } = backgroundOf(target);
  const said = left.length === 0 ? '' : describeEndpoints(left, target.result.finalUrl ?? target.result.url);
  if (detail === 'brief') return said === '' ? [] : paragraph(`Background, not counted: ${said}.`);
  const alike =
    counted.length === 0
      ? ''
      : `${formatCount(counted.length, 'endpoint')} ${counted.length === 1 ? 'looks like it, but counts' : 'look like it, but count'}`;
  const { networkIdle = '' } = target;
  const none = left.length + counted.length === 0;
  if (none && countedRuns(target).length === 0) return [];
  const { evidence } = target.result;
  const why = none
    ? `None was found: every request counts${analysis ? '' : ', so nothing had to be proved'}. ${networkIdle}`
    : left.length === 0
      ? 'Traffic that looks as if it only keeps the network busy. All of it counts.'
      : `Traffic that only keeps the network busy. It is left out of page complete, and stays in the waterfall${analysis ? '' : ' and in the HAR'}. ${networkIdle}`;
  const unproved = `No run blocked background traffic${result.settings.ablation === false ? ' (--no-ablation)' : ''}: Quiesce judged it by its requests, and by the film.`;
  const owners = (endpoints: readonly BackgroundEndpoint[]) =>
    endpoints.map((endpoint) => ownerOf(endpoint, target.result).who);
  return details(
    'Background traffic',
    [
      ...paragraph(why.trim()),
      ...(evidence?.ablation === undefined
        ? none || evidence === undefined
          ? []
          : paragraph(unproved, { weight: 'light' })
        : [{ kind: 'figure' as const, name: 'proof' as const, title: 'Proof', text: evidence.ablation.sentence }]),
      ...table(left, columnsOf(page, left), detail, { noun: 'endpoint', owners: owners(left) }),
      ...(left.length === 0 ? [] : together(page)),
      ...table(counted, columnsOf(page, counted), detail, {
        title: 'Looks like background, but counts',
        noun: 'endpoint',
      }),
    ],
    detail,
    {
      docs: 'faq.md#what-is-background-traffic',
      line: none
        ? 'None: every request counts'
        : [...(said === '' ? [] : [`Not counted: ${said}`]), ...(alike === '' ? [] : [alike])].join('; '),
    },
  );
};

function columnsOf(
  { target }: Page,
  endpoints: readonly BackgroundEndpoint[],
): readonly ColumnOf<BackgroundEndpoint>[] {
  const complete = headlineComplete(target);
  const answer = answerOf(target);
  const shots = target.result.evidence?.pictures ?? [];
  // What a kind is, is said at the first of it.
  const first = new Set(new Map(endpoints.toReversed().map((each) => [each.kind, each])).values());
  const isCounted = endpoints.some(({ excluded }) => !excluded);
  // Of an answer that is not known nobody can say what would have moved it.
  const isPriced = !isCounted && endpoints.some((each) => countedAnswer(each, complete).figure !== ABSENT);
  return [
    {
      title: 'Kind',
      cell: (endpoint) => {
        const { name, meaning } = kindInWords(endpoint.kind);
        return { text: name, remarks: first.has(endpoint) && meaning !== '' ? [meaning] : [] };
      },
    },
    { title: 'Endpoint', cell: (endpoint) => ({ code: endpointInWords(endpoint) }) },
    ...(isPriced
      ? [{ title: 'If counted', figures: true, cell: (each: BackgroundEndpoint) => price(each, complete) }]
      : []),
    {
      title: isCounted ? 'Why it counts' : 'Why it is background',
      long: true,
      cell: (endpoint) => ({
        text: `${endpoint.because} (${confidenceInWords(endpoint)})${isCounted ? `; ${overruledInWords(endpoint)}` : ''}`,
        remarks: [
          // A recorded file shows no screen.
          ...(endpoint.visualImpact === 'unknown' ? [] : [`It ${impactInWords(endpoint)}.`]),
          ...shots
            .filter((shot) => shot.endpoint === endpoint.endpoint)
            .slice(0, SHOTS)
            .map(({ file, at }) => ({
              picture: file,
              says: `The page after it had changed it, at ${formatValue(at, 'ms')}`,
            })),
        ],
      }),
    },
    {
      title: 'Traffic',
      worth: 1,
      cell: (endpoint) => {
        const { firstStartedAt, lastActivityAt, stillOpen } = endpoint;
        const when = formatInterval(firstStartedAt, lastActivityAt, 'ms');
        return { text: trafficInWords(endpoint), remarks: [`${when}${stillOpen ? ', still open' : ''}`] };
      },
    },
    {
      title: 'What to do',
      long: true,
      cell: (endpoint) => ({
        text: adviceOn(endpoint, answer).join(' '),
        remarks: [ownerInWords(ownerOf(endpoint, target.result))],
      }),
    },
  ];
}

function price(endpoint: BackgroundEndpoint, complete: number | undefined): Cell {
  const { figure, beside } = countedAnswer(endpoint, complete);
  return { text: { strong: figure }, remarks: beside === undefined ? [] : [beside] };
}

/** "12 requests, every 1.20 s". */
export const trafficInWords = ({ requests, period }: Pick<BackgroundEndpoint, 'requests' | 'period'>): string =>
  `${formatCount(requests, 'request')}${period === undefined ? '' : `, every ${formatValue(period, 'ms')}`}`;

/** What all of it together would have done: the answer of network idle. */
function together({ target }: Page): readonly Part[] {
  const raw = idleAnswerOf(target)?.raw;
  if (raw === undefined) return [];
  const complete = headlineComplete(target);
  const isAlike = isIdleAlike(target);
  const instead = complete === undefined || isAlike ? '' : ` instead of ${formatValue(complete, 'ms')}`;
  return [
    ...paragraph(
      ['If all of it counted (network idle): ', { strong: isAlike ? 'no later' : stateInWords(raw) }, `${instead}.`],
      { weight: 'light' },
    ),
    ...(raw.state === 'never'
      ? paragraph(
          'Tests that wait for a silent network (“network idle”) time out on this page, or pass by chance. Let them wait for something on the page instead.',
          { weight: 'light' },
        )
      : []),
  ];
}
