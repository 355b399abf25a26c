import { redactText } from '../core/har/redact.ts';
import type { World } from './world.ts';

/** Prints what went wrong as a line of stderr, and tells it to the program that started this one. */
export function complain(problem: string, world: Pick<World, 'stderr' | 'tell'>): void {
  world.stderr.line(`quiesce: ${problem}`);
  world.tell?.({ problem: redactText(problem) });
}
