import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '../../core/messages.ts';
import type { Command } from '../command.ts';
import { CONFIG_FILES } from '../config.ts';

/** `quiesce init` */
export const init: Command = {
  name: 'init',
  summary: 'write a commented quiesce.config.yaml for this project',
  details:
    'Looks in this folder for a built site (dist, build, out, _site, storybook-static …), for the scripts in ' +
    'package.json that serve it, and for the port that its server usually has.',
  options: 'init',
  examples: [['quiesce init && quiesce audit', 'in a project with a built site']],
  async run(words, given, world) {
    const [extra] = words;
    if (extra !== undefined) throw new UsageError('command-unknown', { detail: `init ${extra}` });
    const force = given.force === true;
    // One of another kind would be found first, or beside it: two files are one too many.
    const there = CONFIG_FILES.find((name) => existsSync(join(world.cwd, name)));
    if (there !== undefined && (!force || there !== 'quiesce.config.yaml')) {
      throw new UsageError(force ? 'init-other' : 'init-exists', { path: there });
    }
    const { file, builds, server } = await world.jobs.init(world.cwd, { force });
    const [build, ...others] = builds;
    const lines = [
      `Wrote ${basename(file)}.`,
      ...(build === undefined
        ? []
        : [`It audits the built site in ${build}${others.length > 0 ? ` (there is ${others.join(', ')}, too)` : ''}.`]),
      ...(server === undefined
        ? []
        : [
            `${build === undefined ? 'It starts' : 'It can start'} the server with "${server.command}", at ${server.url}.`,
          ]),
      ...(build === undefined && server === undefined
        ? ['Nothing that is built or served was found: put the address of your page into it.']
        : []),
      '',
      'Next:  quiesce audit     (the pages in the file)',
      '       quiesce doctor    (is this machine fit to measure?)',
    ];
    world.stdout.write(`${lines.join('\n')}\n`);
    return 0;
  },
};
