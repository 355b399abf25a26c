import { UsageError } from '../../core/messages.ts';
import type { CompareSettings } from '../../model/settings.ts';
import { announceBrowser } from '../announce.ts';
import type { Command } from '../command.ts';
import { createProgress } from '../progress.ts';
import { runJob } from '../run-job.ts';
import { type Given, resolveSettings } from '../settings.ts';

/** `quiesce compare [<base> <candidate>]` */
export const compare: Command = {
  name: 'compare',
  argument: '[<base> <candidate>]',
  summary: 'two builds against each other, with confidence intervals',
  details:
    'Loads both builds in blocks of four, two loads of each in random order, until it can be said of every gate metric ' +
    'whether the candidate is faster, slower or the same. A build is a URL, or a folder with a built site, which ' +
    'Quiesce serves itself; two folders are served from the same address in turn. Results are saved after every block: ' +
    'an interrupted comparison goes on with --resume. With --base-ref it builds both itself: the base in a temporary work ' +
    'tree of git, the candidate in the work tree as it stands, changes and all.',
  options: 'compare',
  examples: [
    ['quiesce compare ./dist-main ./dist', 'two builds of a site'],
    ['quiesce compare https://a.example/ https://b.example/', 'two deployments'],
    ["quiesce compare --base-ref origin/main --build 'npm ci && npm run build' --dist dist", 'what you changed'],
    ['quiesce compare ./a ./b --min-effect 3%,10ms', 'smaller changes matter'],
    ['quiesce compare ./a ./b --gate LCP --strict', 'another gate, a stricter rule'],
    ['quiesce compare ./a ./b --max-pairs 20', 'be done sooner'],
    ['quiesce compare ./a ./b --out x --resume', 'go on where Ctrl-C ended it'],
  ],
  async run(targets, given, world) {
    const resolved = await resolveSettings('compare', targets, given, world);
    const { output } = resolved;
    const settings = targets.length === 0 ? resolved.settings : ofTargets(resolved.settings, given);
    if (targets.length !== 2 && REF_OPTIONS.every((name) => settings[name] === undefined)) {
      throw new UsageError('builds-missing');
    }
    const progress = createProgress(world.stderr, { ...output, env: world.env });
    announceBrowser(resolved, progress);
    return runJob((hooks) => world.jobs.compare(settings, hooks), progress, output, world);
  },
};

/** What says that something is to be built. */
const REF_OPTIONS = ['baseRef', 'build', 'dist'] as const;

/** Targets on the command line overrule what variables and the file say of builds; what is typed beside them does not. */
function ofTargets(settings: CompareSettings, given: Given): CompareSettings {
  const { baseRef, build, dist, ...rest } = settings;
  if (REF_OPTIONS.every((name) => given[name] === undefined)) return rest;
  if (given.baseRef !== undefined) throw new UsageError('builds-twice');
  return settings;
}
