import { redactText } from '../core/har/redact.ts';
import type { World } from './world.ts';

/** Prints what went wrong as a line of stderr, and sends it to the parent process. */
export function printError(problem: string, world: Pick<World, 'stderr' | 'notifyParent'>): void {
  world.stderr.line(`quiesce: ${problem}`);
  world.notifyParent?.({ problem: redactText(problem) });
}
