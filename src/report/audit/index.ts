import { answer, conditions } from './answer.ts';
import { background } from './background.ts';
import { budgets } from './budgets.ts';
import { criticalPath } from './critical-path.ts';
import { elsewhere } from './elsewhere.ts';
import { failures } from './failures.ts';
import { findings } from './findings.ts';
import { fixes } from './fixes.ts';
import { interactions } from './interactions.ts';
import { lighthouse } from './lighthouse.ts';
import { mainThread } from './main-thread.ts';
import { metrics } from './metrics.ts';
import { missing } from './missing.ts';
import { notes } from './notes.ts';
import type { Chapter } from './page.ts';
import { trust } from './trust.ts';
import { unusedCode } from './unused-code.ts';

/** What the document of a page says, in this order. A new chapter is a file and a line. */
export const chapters: readonly Chapter[] = [
  answer,
  conditions,
  elsewhere,
  missing,
  fixes,
  metrics,
  budgets,
  notes,
  criticalPath,
  interactions,
  mainThread,
  unusedCode,
  background,
  findings,
  lighthouse,
  failures,
  trust,
];
