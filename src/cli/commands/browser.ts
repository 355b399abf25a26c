import { QuiesceError } from '../../wording/messages/messages.ts';
import type { Command } from '../command.ts';
import { watchSignals } from '../interrupt.ts';
import { createProgress } from '../progress.ts';

/** `quiesce browser install` */
export const browserInstall: Command = {
  name: 'browser install',
  summary: 'download a Chrome for Testing',
  details:
    "Downloads the stable Chrome for Testing to Puppeteer's cache (~/.cache/puppeteer, or PUPPETEER_CACHE_DIR). " +
    'Needed only if no Chrome, Chromium or Edge is installed. PUPPETEER_CHROME_DOWNLOAD_BASE_URL sets a mirror.',
  examples: [['quiesce browser install', 'if no Chrome is installed']],
  async run(words, _given, world) {
    const [extra] = words;
    if (extra !== undefined) throw new QuiesceError('command-unknown', { detail: `browser install ${extra}` });
    const progress = createProgress(world.stderr, { quiet: false, verbose: false, env: world.env });
    const interrupt = watchSignals(world, {
      first: () => progress.note('Stopping; what was downloaded is removed.'),
      second: () => progress.close(),
    });
    let reported = -1;
    const onTerminal = world.stderr.isTTY === true && world.env.TERM !== 'dumb';
    const mirror = world.env.PUPPETEER_CHROME_DOWNLOAD_BASE_URL;
    try {
      const installed = await world.jobs.installBrowser({
        signal: interrupt.signal,
        env: world.env,
        ...(mirror ? { baseUrl: mirror.replace(/\/+$/, '') } : {}),
        onProgress: ({ version, step, percent }) => {
          const what = `Chrome for Testing ${version}`;
          if (step === 'unpack') return progress.note(`${what}: unpacking`);
          if (onTerminal) return progress.live(`${what}: ${percent === undefined ? 'downloading' : `${percent}%`}`);
          // A few lines are enough for a log.
          if (percent === undefined ? reported >= 0 : percent < reported + 25 && reported >= 0) return;
          reported = percent ?? 0;
          progress.note(`${what}: ${percent === undefined ? 'downloading' : `${percent}%`}`);
        },
      });
      progress.close();
      world.stdout.line(
        `Chrome for Testing ${installed.version} ${installed.already ? 'is already installed' : 'installed'}: ${installed.path}`,
      );
      return 0;
    } catch (error) {
      const exit = interrupt.exit();
      if (exit === undefined) throw error;
      progress.note('Interrupted. Nothing was installed.');
      return exit;
    } finally {
      progress.close();
      interrupt.stop();
    }
  },
};
