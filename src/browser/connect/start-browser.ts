import type { BrowserSettings } from '../../model/settings.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import type { RunningBrowser } from './browser.ts';
import { connectToBrowser } from './connect.ts';
import { launchBrowser } from './launch.ts';
import type { RemoteCheck } from './remote-browser.ts';

/** Starts the executable at `executablePath`, or connects when the settings name a running browser. */
export async function startBrowser(
  settings: BrowserSettings,
  executablePath: string | undefined,
  isRemote?: RemoteCheck,
): Promise<RunningBrowser> {
  if (settings.browserWs !== undefined) return connectToBrowser(settings.browserWs, isRemote);
  if (executablePath === undefined) throw new QuiesceError('browser-not-found');
  return launchBrowser(settings, executablePath);
}
