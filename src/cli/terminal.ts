import { openFailed, openRefused } from '../wording/result/opening.ts';
import { plain } from '../wording/text/text.ts';
import type { Output, Stream } from './output.ts';
import type { World } from './world.ts';

type Environment = World['env'];

/**
 * Whether to colour what is written there: FORCE_COLOR over NO_COLOR over whether it is a terminal.
 * https://no-color.org/ and https://nodejs.org/api/cli.html#force_color1-2-3
 */
export function wantsColor(output: Stream, env: Environment): boolean {
  const force = env.FORCE_COLOR;
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (env.NO_COLOR) return false;
  return output.isTTY === true && env.TERM !== 'dumb';
}

/** GNOME Terminal and others of its library, from 0.50 on. */
const FIRST_VTE = 5000;
const PROGRAMS = ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'Tabby', 'rio'];

/**
 * Whether a terminal makes links of OSC 8; the others may print it. Source:
 * https://github.com/Alhadis/OSC8-Adoption, and FORCE_HYPERLINK as other tools have it.
 */
export function knowsLinks(output: Stream, env: Environment): boolean {
  const force = env.FORCE_HYPERLINK;
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  if (output.isTTY !== true || env.TERM === 'dumb' || env.CI) return false;
  // Screen and tmux pass on only what they are told to.
  if (env.TMUX || env.STY) return false;
  return (
    PROGRAMS.includes(env.TERM_PROGRAM ?? '') ||
    Number(env.VTE_VERSION ?? 0) >= FIRST_VTE ||
    [env.WT_SESSION, env.KONSOLE_VERSION, env.KITTY_WINDOW_ID].some(Boolean) ||
    /^(xterm-kitty|alacritty|foot|xterm-ghostty)/.test(env.TERM ?? '')
  );
}

/** Ends a line with a text that leads to an address, on terminals that know links. Source: https://gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda */
export function writeLink(text: string, { href }: URL, output: Output): void {
  output.control(`\u001b]8;;${href}\u001b\\`, plain(text));
  output.control('\u001b]8;;\u001b\\', '\n');
}

/** Opens a report in the user's browser; where there is no screen it says so in a line. */
export async function openPage(file: string, screen: Output, world: World): Promise<string | undefined> {
  if (world.env.CI) return openRefused('ci');
  if (screen.isTTY !== true) return openRefused('no-terminal');
  try {
    await world.openFile(file);
    return undefined;
  } catch {
    return openFailed(file);
  }
}
