import type { Output } from './world.ts';

/**
 * Whether to colour what is written there: FORCE_COLOR over NO_COLOR over whether it is a terminal.
 * https://no-color.org/ and https://nodejs.org/api/cli.html#force_color1-2-3
 */
export function wantsColor(output: Output, env: Readonly<Record<string, string | undefined>>): boolean {
  const force = env.FORCE_COLOR;
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (env.NO_COLOR) return false;
  return output.isTTY === true && env.TERM !== 'dumb';
}
