import { withoutSecrets } from '../app/load-options.ts';
import type { ProgressWriter } from './progress.ts';
import type { ResolvedSettings } from './settings.ts';

/** What is told before a browser is started: that it has no sandbox, and, when asked, with which settings. */
export function announceBrowser(
  {
    sandboxOffForRoot,
    output,
    settings,
  }: Pick<ResolvedSettings, 'sandboxOffForRoot' | 'output'> & { settings: Parameters<typeof withoutSecrets>[0] },
  progress: ProgressWriter,
): void {
  if (sandboxOffForRoot) {
    progress.note(
      'The browser runs without its sandbox: Chrome cannot use it as root. Run as another user to have it.',
    );
  }
  if (output.verbose) progress.note(`settings ${JSON.stringify(withoutSecrets(settings))}`);
}
