import { budgetParts } from '../audit/budgets.ts';
import { answer } from './answer.ts';
import { background } from './background.ts';
import { changes } from './changes.ts';
import { interactions, mainThread, unusedCode } from './code.ts';
import type { CompareChapter } from './comparison.ts';
import { fairness } from './fairness.ts';
import { lighthouse } from './lighthouse.ts';
import { gates, otherMetrics } from './metrics.ts';
import { paths } from './paths.ts';
import { films, gatesFigure, waterfalls } from './pictures.ts';

/** What everybody reads, in this order. HTML has a layout of its own for it. */
const firstScreen: readonly CompareChapter[] = [answer, gates];

/** What the document of a comparison says below it, in this order. A new chapter is a file and a line. */
export const chapters: readonly CompareChapter[] = [
  ({ result }, detail) => budgetParts(result.candidate, detail, 'What a page may cost, judged on the candidate alone.'),
  gatesFigure,
  background,
  interactions,
  mainThread,
  unusedCode,
  changes,
  otherMetrics,
  paths,
  waterfalls,
  films,
  lighthouse,
  fairness,
];

/** The document of a comparison. */
export const compareDocument: (...of: Parameters<CompareChapter>) => ReturnType<CompareChapter> = (report, detail) =>
  [...firstScreen, ...chapters].flatMap((chapter) => chapter(report, detail));
