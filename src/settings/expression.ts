import { Script } from 'node:vm';

/** Is it a JavaScript expression? Compiled, never run: a typo should not cost a whole time-out in the page. */
export function isExpression(source: string): boolean {
  try {
    new Script(`(${source}\n)`);
    return true;
  } catch {
    return false;
  }
}
