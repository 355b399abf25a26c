import type { CapacityLevel, CapacityResult } from '../model/capacity.ts';
import { formatThroughput } from '../wording/capacity.ts';
import { ABSENT, formatShare, formatValue } from '../wording/format.ts';

/** A column of the table of levels, the same in the terminal, in Markdown and in the page. */
export interface LevelColumn {
  readonly title: string;
  read(level: CapacityLevel): string;
}

const ms = (value: number | undefined): string => formatValue(value, 'ms');
const share = (value: number | undefined): string => (value === undefined ? ABSENT : formatShare(value));

const COLUMNS: readonly (LevelColumn & { readonly isKnown?: (level: CapacityLevel) => boolean })[] = [
  { title: 'Rate', read: ({ rate }) => formatThroughput(rate), isKnown: ({ rate }) => rate !== undefined },
  { title: 'Connections', read: ({ concurrency }) => formatValue(concurrency, 'count') },
  { title: 'Throughput', read: ({ throughput }) => formatThroughput(throughput) },
  {
    title: '±',
    read: ({ throughput, throughputHigh }) =>
      throughputHigh === undefined || throughput === 0
        ? ABSENT
        : formatShare((throughputHigh - throughput) / throughput),
    isKnown: ({ throughputHigh }) => throughputHigh !== undefined,
  },
  { title: 'Mean', read: ({ mean }) => ms(mean), isKnown: ({ mean }) => mean !== undefined },
  { title: 'p90', read: ({ p90 }) => ms(p90), isKnown: ({ p90 }) => p90 !== undefined },
  { title: 'p95', read: ({ p95 }) => ms(p95), isKnown: ({ p95 }) => p95 !== undefined },
  { title: 'p99', read: ({ p99 }) => ms(p99), isKnown: ({ p99 }) => p99 !== undefined },
  { title: 'Errors', read: ({ errorShare }) => share(errorShare) },
  {
    title: 'Generator',
    read: ({ driverBusy }) => share(driverBusy),
    isKnown: ({ driverBusy }) => driverBusy !== undefined,
  },
  {
    title: 'Server CPU',
    read: ({ serverCpu }) => share(serverCpu),
    isKnown: ({ serverCpu }) => serverCpu !== undefined,
  },
];

/** The columns that have something to show. */
export function levelColumns(levels: readonly CapacityLevel[]): readonly LevelColumn[] {
  return COLUMNS.filter(({ isKnown }) => isKnown === undefined || levels.some(isKnown));
}

/** The servers of a result with their names. */
export function serversOf(result: CapacityResult) {
  const { candidate } = result;
  if (candidate === undefined) return [{ ...withoutEnd(result), title: result.url }];
  return [
    { ...withoutEnd(result), title: `Base: ${result.url}` },
    { ...withoutEnd(candidate), load: result.load, title: `Candidate: ${candidate.url}` },
  ];
}

/** Where throughput still grew at the last level, that level is no knee. */
function withoutEnd<Server extends Pick<CapacityResult, 'limit' | 'knee'>>(server: Server): Server {
  const { knee: _knee, ...others } = server;
  return server.limit === 'not-reached' ? (others as Server) : server;
}
