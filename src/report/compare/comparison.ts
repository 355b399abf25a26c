import type { CompareReport } from '../../model/result/report.ts';
import type { Tone } from '../comparison.ts';
import type { Detail, Mark, Part } from '../parts.ts';

/** What a document says of one subject of a comparison; nothing where there is nothing to say. */
export type CompareChapter = (report: CompareReport, detail: Detail) => readonly Part[];

/** How a decision is marked. */
export const MARKS: Readonly<Record<Tone | 'invalid', Mark>> = {
  better: 'better',
  worse: 'worse',
  slight: 'slight',
  same: 'same',
  unsure: 'unknown',
  invalid: 'invalid',
};
