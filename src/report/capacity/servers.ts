import type { CapacityFigures, CapacityLevel, CapacityResult, PageUnderLoad, RampEnd } from '../../model/capacity.ts';
import {
  capacitySentence,
  driverInWords,
  endInWords,
  formatThroughput,
  INSTABILITY,
  LIMIT_NAMES,
  uslSentence,
} from '../../wording/capacity.ts';
import { ABSENT, formatCount, formatShare, formatValue } from '../../wording/text/format.ts';
import { type Cell, type ColumnOf, type Fact, list, type Part, paragraph, type Text, table } from '../parts.ts';
import type { CapacityChapter } from './chapter.ts';
import { underLoad } from './page.ts';

/** A server of a result with its name. */
export type Server = CapacityFigures & {
  readonly title: Text;
  readonly ended?: RampEnd;
  readonly page?: PageUnderLoad;
};

/** Each server: what stands in its way, its levels, and what was noticed. */
export const servers: CapacityChapter = (result) => {
  const all = serversOf(result);
  return all.flatMap((server): readonly Part[] => {
    const { levels, findings, knee } = server;
    return [
      ...(all.length === 1
        ? []
        : [...paragraph(server.title, { weight: 'strong' }), ...paragraph(capacitySentence(server))]),
      { kind: 'facts', facts: factsOf(server) },
      ...table(levels, columnsOf(levels, knee?.concurrency), 'all', { title: 'Levels' }),
      ...list(
        findings.map(({ level, message }) => ({
          text: message,
          ...(level === 'warning' && { mark: 'warning' as const }),
        })),
        'all',
      ),
      ...paragraph(uslSentence(server), { weight: 'light' }),
      ...underLoad(server.page, server.limit),
    ];
  });
};

function factsOf({ limit, max, knee, ended }: Server): readonly Fact[] {
  const { throughput, low, high } = max ?? {};
  const interval =
    low === undefined || high === undefined ? '' : ` (${formatThroughput(low)}–${formatThroughput(high)})`;
  const at = knee === undefined ? ABSENT : formatCount(knee.concurrency, 'connection');
  return [
    ['Limit', LIMIT_NAMES[limit]],
    ['Most', max === undefined ? ABSENT : `${formatThroughput(throughput)}${interval}`],
    ['Knee', limit === 'not-reached' ? 'not reached' : at],
    ...(ended === undefined ? [] : [['Ramp', endInWords(ended)] as const]),
  ];
}

const ms = (value: number | undefined): string => formatValue(value, 'ms');
const share = (value: number | undefined): string => (value === undefined ? ABSENT : formatShare(value));

/** Of the columns those that have something to show. */
const COLUMNS: readonly (ColumnOf<CapacityLevel> & { readonly of?: keyof CapacityLevel })[] = [
  { title: 'Rate', of: 'rate', figures: true, cell: ({ rate }) => formatThroughput(rate) },
  { title: 'Connections', figures: true, cell: ({ concurrency }) => formatValue(concurrency, 'count') },
  { title: 'Throughput', figures: true, cell: ({ throughput }) => formatThroughput(throughput) },
  {
    title: '± 95%',
    of: 'throughputHigh',
    figures: true,
    worth: 2,
    cell: ({ throughput, throughputHigh }) =>
      throughputHigh === undefined || throughput === 0
        ? ABSENT
        : formatShare((throughputHigh - throughput) / throughput),
  },
  { title: 'Mean', of: 'mean', figures: true, worth: 3, cell: ({ mean }) => ms(mean) },
  { title: 'p90', of: 'p90', figures: true, cell: ({ p90 }) => ms(p90) },
  { title: 'p95', of: 'p95', figures: true, worth: 3, cell: ({ p95 }) => ms(p95) },
  { title: 'p99', of: 'p99', figures: true, worth: 3, cell: ({ p99 }) => ms(p99) },
  { title: 'Errors', figures: true, cell: ({ errorShare }) => share(errorShare) },
  { title: 'Generator', of: 'driverBusy', figures: true, worth: 1, cell: ({ driverBusy }) => share(driverBusy) },
  { title: 'Server CPU', of: 'serverCpu', figures: true, worth: 1, cell: ({ serverCpu }) => share(serverCpu) },
];

function columnsOf(levels: readonly CapacityLevel[], knee: number | undefined): readonly ColumnOf<CapacityLevel>[] {
  const known = COLUMNS.filter(({ of }) => of === undefined || levels.some((level) => level[of] !== undefined));
  const remarks = levels.map((level) => remarksOf(level, knee));
  if (remarks.every((remark) => remark === '')) return known;
  return [...known, { title: 'Remarks', cell: (level) => remarksOf(level, knee) }];
}

/** Is it the knee, and may it be relied on? */
function remarksOf(
  { concurrency, rate, unstable = [], errorKinds = {}, driver }: CapacityLevel,
  knee?: number,
): Cell | Text {
  const isKnee = concurrency === knee && rate === undefined;
  const kinds = Object.entries(errorKinds).map(([kind, count]) => `${kind} × ${formatValue(count, 'count')}`);
  const why = [...unstable.map((code) => INSTABILITY[code]), ...kinds].join('; ');
  if (why === '') return isKnee ? { text: { strong: 'knee' } } : '';
  return {
    mark: 'warning',
    text: isKnee ? [{ strong: 'knee' }, `; ${why}`] : why,
    ...(driver !== undefined && { remarks: [driverInWords(driver)] }),
  };
}

/** The servers of a result with their names. */
export function serversOf(result: CapacityResult): readonly Server[] {
  const { candidate } = result;
  if (candidate === undefined) return [{ ...withoutEnd(result), title: { code: result.url } }];
  return [
    { ...withoutEnd(result), title: ['Base: ', { code: result.url }] },
    { ...withoutEnd(candidate), title: ['Candidate: ', { code: candidate.url }] },
  ];
}

/** Where throughput still grew at the last level, that level is no knee. */
function withoutEnd<Each extends Pick<CapacityResult, 'limit' | 'knee'>>(server: Each): Each {
  const { knee: _knee, ...others } = server;
  return server.limit === 'not-reached' ? (others as Each) : server;
}
