import { KINDS } from '../../model/background-kinds.ts';
import type { Verdicts } from '../../model/verdict.ts';

/** Whether all background of a load ends by itself, as an icon or a prefetch does, and a poll or a stream does not. */
export function comesToAnEnd(verdicts: Verdicts): boolean {
  return [...verdicts.values()].every(({ kind }) => !KINDS[kind].goesOn);
}
