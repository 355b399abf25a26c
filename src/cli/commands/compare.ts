import { type CommandLine, type RawOptions, readCommandLine } from '../../settings/gather.ts';
import { resolveCompare } from '../../settings/resolve.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import type { Command } from '../command.ts';
import type { Outcome } from '../present.ts';
import { progressOf, runJob } from '../run-job.ts';
import { withStartupNotes } from '../startup-notes.ts';

/** `quiesce compare <base> <candidate>`, or without them and with --base-ref. */
export const compare: Command = {
  name: 'compare',
  argument: '<base> <candidate>',
  summary: 'compare two builds, with confidence intervals',
  details:
    'Loads both builds in blocks of four, two loads of each in random order, until every gate metric is decided: the ' +
    'candidate is faster, slower or the same. A build is a URL, or a folder with a built site (Quiesce serves it); two ' +
    'folders are served alternately from the same address. Results are saved after every block, and --resume continues an ' +
    'interrupted comparison. With --pages, several pages of both builds are compared in one experiment: they share the 5% ' +
    'error, and each is loaded until it is decided. With --script, the steps of the script are compared like pages. With ' +
    '--base-ref, Quiesce builds both: the base in a temporary git ' +
    'work tree, the candidate in your work tree, including uncommitted changes. With --serve-command, it starts the ' +
    'server of each build in its work tree, or in the two folders that are given.',
  options: 'compare',
  examples: [
    ['quiesce compare ./dist-main ./dist', 'two builds of a site'],
    ['quiesce compare https://a.example/ https://b.example/', 'two deployments'],
    ["quiesce compare --base-ref origin/main --build 'npm ci && npm run build' --dist dist", 'your changes'],
    ["quiesce compare ../main . --serve-command 'npm start' --serve-url http://localhost:{port}", 'two servers'],
    ['quiesce compare https://a.example/ https://a.example/ --candidate-query flag=on', 'a flag'],
    ['quiesce compare ./a ./b --pages / /products /checkout', 'three pages of them'],
    ['quiesce compare ./a ./b --min-effect 3%,10ms', 'smaller changes matter'],
    ['quiesce compare ./a ./b --gate LCP --strict', 'another gate, a stricter rule'],
    ['quiesce compare ./a ./b --max-pairs 20', 'fewer loads'],
    ['quiesce compare ./a ./b --out x --resume', 'continue after Ctrl-C'],
  ],
  async run(targets, given, world) {
    const line = await readCommandLine('compare', targets, given, world);
    const settings = resolveCompare(targets.length === 0 ? line : ofTargets(line, given));
    const progress = withStartupNotes(line, settings, progressOf(line.output, world));
    return runJob<Outcome>((hooks) => world.jobs.compare(settings, hooks), line.output, world, progress);
  },
};

/** Options that ask for a build. */
const REF_OPTIONS = ['baseRef', 'build', 'dist'] as const;
/** Options that ask for servers, which are started in two folders as well. */
const SERVER_OPTIONS = ['serveCommand', 'serveUrl', 'setup', 'baseEnv', 'candidateEnv'] as const;

/** Targets on the command line override builds and servers in variables and the file, but not options typed beside them. */
function ofTargets(line: CommandLine<'compare'>, given: RawOptions): CommandLine<'compare'> {
  if (given.baseRef !== undefined) throw new QuiesceError('builds-twice');
  const dropped = [REF_OPTIONS, SERVER_OPTIONS]
    .filter((names) => names.every((name) => given[name] === undefined))
    .flat();
  const without = <T extends object>(values: T): T =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !dropped.some((each) => each === name))) as T;
  return { ...line, values: without(line.values), stored: without(line.stored) };
}
