import { openFailed, openRefused } from '../wording/opening.ts';
import type { Output, World } from './world.ts';

/** Opens a report in the browser of whoever sits before the screen; elsewhere it says why not, in a line. */
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
