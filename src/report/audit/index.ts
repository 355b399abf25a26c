import { answer, conditions } from './answer.ts';
import { background } from './background.ts';
import { budgets } from './budgets.ts';
import { criticalPath } from './critical-path.ts';
import { elsewhere } from './elsewhere.ts';
import { failures } from './failures.ts';
import { fairness } from './fairness.ts';
import { findings } from './findings.ts';
import { fixes } from './fixes.ts';
import { interactions } from './interactions.ts';
import { lighthouse } from './lighthouse.ts';
import { mainThread } from './main-thread.ts';
import { keyFigures, metrics } from './metrics.ts';
import { missing } from './missing.ts';
import type { Chapter } from './page.ts';
import { files, film, waterfall } from './pictures.ts';
import { recordings } from './runs.ts';
import { totals } from './totals.ts';
import { unusedCode } from './unused-code.ts';

/** What everybody reads, in this order. HTML has a layout of its own for it. */
export const firstScreen: readonly Chapter[] = [answer, conditions, elsewhere, failures, missing, fixes, keyFigures];

/** What the document of a page says below it, in this order. A new chapter is a file and a line. */
export const chapters: readonly Chapter[] = [
  film,
  criticalPath,
  waterfall,
  budgets,
  findings,
  interactions,
  background,
  mainThread,
  unusedCode,
  totals,
  metrics,
  lighthouse,
  recordings,
  fairness,
  files,
];
