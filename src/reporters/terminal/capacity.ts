import type { CapacityResult } from '../../model/capacity.ts';
import { capacityDocument } from '../../report/capacity/index.ts';
import { screenOf, type TerminalOptions } from './screen.ts';
import { writeTerminal } from './write.ts';

/** What a person wants to read right after a load test; ends with a newline. */
export function renderCapacity(result: CapacityResult, options: TerminalOptions): string {
  return `${writeTerminal(capacityDocument(result, 'all'), screenOf(options)).join('\n')}\n`;
}
