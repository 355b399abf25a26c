import type { CompareChapter } from './comparison.ts';

/** What formats that can draw show of a comparison as figures. */
export const waterfalls: CompareChapter = () => [{ kind: 'figure', name: 'waterfall', title: 'The two waterfalls' }];
export const films: CompareChapter = () => [{ kind: 'figure', name: 'film', title: 'Films' }];
export const gatesFigure: CompareChapter = () => [{ kind: 'figure', name: 'gates', title: 'The metrics that decide' }];
