import { UsageError } from '../../core/messages.ts';
import { announceBrowser } from '../announce.ts';
import type { Command } from '../command.ts';
import { createProgress } from '../progress.ts';
import { runJob } from '../run-job.ts';
import { resolveSettings } from '../settings.ts';

/** `quiesce compare <base> <candidate>` */
export const compare: Command = {
  name: 'compare',
  argument: '<base> <candidate>',
  summary: 'two builds against each other, with confidence intervals',
  details:
    'Loads both builds in blocks of four, two loads of each in random order, until it can be said of every gate metric ' +
    'whether the candidate is faster, slower or the same. A build is a URL, or a folder with a built site, which ' +
    'Quiesce serves itself; two folders are served from the same address in turn. Results are saved after every block: ' +
    'an interrupted comparison goes on with --resume.',
  options: 'compare',
  examples: [
    ['quiesce compare ./dist-main ./dist', 'two builds of a site'],
    ['quiesce compare https://a.example/ https://b.example/', 'two deployments'],
    ['quiesce compare ./a ./b --min-effect 3%,10ms', 'smaller changes matter'],
    ['quiesce compare ./a ./b --gate LCP --strict', 'another gate, a stricter rule'],
    ['quiesce compare ./a ./b --max-pairs 20', 'be done sooner'],
    ['quiesce compare ./a ./b --out x --resume', 'go on where Ctrl-C ended it'],
  ],
  async run(targets, given, world) {
    if (targets.length !== 2) throw new UsageError('builds-missing');
    const resolved = await resolveSettings('compare', targets, given, world);
    const { output } = resolved;
    const progress = createProgress(world.stderr, { ...output, env: world.env });
    announceBrowser(resolved, progress);
    return runJob((hooks) => world.jobs.compare(resolved.settings, hooks), progress, output, world);
  },
};
