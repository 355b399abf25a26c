import type { CapacityChapter } from './chapter.ts';

/** Throughput and response time, where a format can draw. */
export const charts: CapacityChapter = () => [
  { kind: 'figure', name: 'charts', title: 'Throughput and response time' },
];
