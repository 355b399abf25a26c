import type { RunResult } from '../../model/result/result.ts';
import { plain } from '../text/text.ts';

/** A run as a sentence names it: "run 3", "the evidence run". Of each untimed kind a page has one. */
export function runName({ role, index }: Pick<RunResult, 'role' | 'index'>): string {
  return role === 'timed' ? `run ${index}` : `the ${role === 'discarded' ? 'warm-up' : plain(role)} run`;
}
