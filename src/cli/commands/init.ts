import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { CONFIG_FILES } from '../../settings/config-file.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import type { Command } from '../command.ts';

/** `quiesce init` */
export const init: Command = {
  name: 'init',
  summary: 'create a commented quiesce.config.yaml',
  details:
    'Searches this folder for a built site (dist, build, out, _site, storybook-static …), for the scripts in ' +
    'package.json that serve it, and for the usual port of that server.',
  options: 'init',
  examples: [['quiesce init && quiesce audit', 'in a project with a built site']],
  async run(words, given, world) {
    const [extra] = words;
    if (extra !== undefined) throw new QuiesceError('command-unknown', { detail: `init ${extra}` });
    const force = given.force === true;
    // A file of another format might take precedence: two configuration files are one too many.
    const there = CONFIG_FILES.find((name) => existsSync(join(world.cwd, name)));
    if (there !== undefined && (!force || there !== 'quiesce.config.yaml')) {
      throw new QuiesceError(force ? 'init-other' : 'init-exists', { path: there });
    }
    const { file, builds, server } = await world.jobs.init(world.cwd, { force });
    const [build, ...others] = builds;
    const isFound = build !== undefined || server !== undefined;
    const lines = [
      `Wrote ${basename(file)}.`,
      ...(build === undefined
        ? []
        : [`It audits the built site in ${build}${others.length > 0 ? ` (also found: ${others.join(', ')})` : ''}.`]),
      ...(server === undefined
        ? []
        : [
            `${build === undefined ? 'It starts' : 'It can start'} the server with "${server.command}", at ${server.url}.`,
          ]),
      ...(isFound ? [] : ['No built site and no server were found, so its page is only an example.']),
      '',
      ...(isFound
        ? ['Next:  quiesce audit     (the pages in the file)']
        : ['Next:  write the URL of your page into the file', '       quiesce audit     (the pages in the file)']),
      '       quiesce doctor    (checks if this machine is fit to measure)',
    ];
    for (const line of lines) world.stdout.line(line);
    return 0;
  },
};
