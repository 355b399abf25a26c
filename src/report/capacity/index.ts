import { answer } from './answer.ts';
import { budgets } from './budgets.ts';
import type { CapacityChapter } from './chapter.ts';
import { charts } from './charts.ts';
import { servers } from './servers.ts';

/** What the document of a capacity says below its answer, in this order. A new chapter is a file and a line. */
export const chapters: readonly CapacityChapter[] = [budgets, charts, servers];

/** The document of a capacity. */
export const capacityDocument: CapacityChapter = (result, detail) =>
  [answer, ...chapters].flatMap((chapter) => chapter(result, detail));
