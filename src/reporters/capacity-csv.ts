import type { CapacityLevel, CapacityResult } from '../model/capacity.ts';
import { type CsvColumn, csvTable } from './csv.ts';

interface Row {
  readonly server: 'base' | 'candidate';
  readonly url: string;
  readonly level: CapacityLevel;
}

const COLUMNS: readonly CsvColumn<Row>[] = [
  ['server', ({ server }) => server],
  ['url', ({ url }) => url],
  ['concurrency', ({ level }) => level.concurrency],
  ['rate', ({ level }) => level.rate],
  ['throughput', ({ level }) => level.throughput],
  ['throughputLow', ({ level }) => level.throughputLow],
  ['throughputHigh', ({ level }) => level.throughputHigh],
  ['mean', ({ level }) => level.mean],
  ['p50', ({ level }) => level.p50],
  ['p90', ({ level }) => level.p90],
  ['p95', ({ level }) => level.p95],
  ['p99', ({ level }) => level.p99],
  ['requests', ({ level }) => level.requests],
  ['errors', ({ level }) => level.errors],
  ['driverBusy', ({ level }) => level.driverBusy],
  ['serverCpu', ({ level }) => level.serverCpu],
  ['cpuPerRequest', ({ level }) => level.server?.cpuPerRequest],
  ['littlesLaw', ({ level }) => level.littlesLaw],
  ['stable', ({ level }) => level.stable],
];

/** Every level as a row of a table. RFC 4180, CRLF; rates per second, times in milliseconds; what is not known is empty. */
export function renderCapacityCsv(result: CapacityResult): string {
  const { url, levels, candidate } = result;
  const rows: readonly Row[] = [
    ...levels.map((level): Row => ({ server: 'base', url, level })),
    ...(candidate?.levels.map((level): Row => ({ server: 'candidate', url: candidate.url, level })) ?? []),
  ];
  return csvTable(COLUMNS, rows);
}
