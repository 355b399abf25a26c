import type { Chapter } from './page.ts';

/** What formats that can draw show of a page as figures. */
export const film: Chapter = ({ analysis }) => (analysis ? [] : [{ kind: 'figure', name: 'film', title: 'Film' }]);
export const waterfall: Chapter = () => [{ kind: 'figure', name: 'waterfall', title: 'Every request' }];
export const files: Chapter = () => [{ kind: 'figure', name: 'files', title: 'Files' }];
