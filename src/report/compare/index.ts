import { budgetParts } from '../audit/budgets.ts';
import { shards } from '../several-machines.ts';
import { answer } from './answer.ts';
import { background } from './background.ts';
import { changes } from './changes.ts';
import { interactions, mainThread, unusedCode } from './code.ts';
import type { CompareChapter } from './comparison.ts';
import { lighthouse } from './lighthouse.ts';
import { method } from './method.ts';
import { metrics } from './metrics.ts';
import { paths } from './paths.ts';

/** What the document of a comparison says, in this order. A new chapter is a file and a line. */
const chapters: readonly CompareChapter[] = [
  answer,
  metrics,
  paths,
  interactions,
  ({ result }, detail) => budgetParts(result.candidate, detail),
  background,
  lighthouse,
  mainThread,
  unusedCode,
  changes,
  method,
  ({ result }, detail) => shards(result, detail),
];

/** The document of a comparison. */
export const compareDocument: (...of: Parameters<CompareChapter>) => ReturnType<CompareChapter> = (report, detail) =>
  chapters.flatMap((chapter) => chapter(report, detail));
