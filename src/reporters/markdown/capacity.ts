import type { CapacityResult } from '../../model/capacity.ts';
import { capacityDocument } from '../../report/capacity/index.ts';
import { writeMarkdown } from './write.ts';

/** A summary for a pull request or a job. */
export function renderCapacityMarkdown(result: CapacityResult): string {
  return `${writeMarkdown(capacityDocument(result, 'normal'))}\n`;
}
