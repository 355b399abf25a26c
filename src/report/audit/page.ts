import type { AuditReport, TargetReport } from '../../model/result/report.ts';
import type { Detail, Part } from '../parts.ts';

/** A page whose document is written. */
export interface Page {
  readonly target: TargetReport;
  readonly result: AuditReport['result'];
  readonly columns: AuditReport['columns'];
  /** It was recorded somewhere else, and read here. */
  readonly analysis: boolean;
  readonly detail: Detail;
}

/** What a document says of one subject; nothing where there is nothing to say. */
export type Chapter = (page: Page) => readonly Part[];
