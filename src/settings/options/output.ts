import { CONFIGURED, inGroup, type OptionRecords, WRITING } from '../option.ts';
import { SWITCHED_OFF, text } from '../value-schemas.ts';

/** The configuration file, and what is printed. */
export const output = inGroup('Configuration and output', {
  config: {
    argument: '<file>',
    description: 'configuration file',
    kind: 'text',
    schema: text('must be the path of a file'),
    defaultText: 'quiesce.config.{json,yaml,yml,js,mjs,ts} in this folder or above',
    isPath: true,
    scope: 'lookup',
    commands: CONFIGURED,
  },
  force: {
    description: 'write into a folder that contains other files',
    ...SWITCHED_OFF,
    wholeAudit: true,
    commands: [...WRITING, 'init'],
    for: { init: { description: 'overwrite the existing file' } },
  },
  json: {
    brief: 'print the result as JSON',
    description: 'print the result as JSON to stdout, and everything else to stderr',
    ...SWITCHED_OFF,
    scope: 'output',
    commands: CONFIGURED,
  },
  open: {
    brief: 'open the report in a browser',
    description: 'open the report in a browser (on a terminal, never in CI)',
    ...SWITCHED_OFF,
    scope: 'output',
    commands: WRITING,
  },
  quiet: {
    short: 'q',
    description: 'print only results and errors',
    ...SWITCHED_OFF,
    scope: 'output',
    commands: CONFIGURED,
  },
  verbose: {
    short: 'v',
    description: 'print details: browser, settings, figures of every run, error stacks',
    ...SWITCHED_OFF,
    scope: 'output',
    commands: CONFIGURED,
  },
} as const satisfies OptionRecords);
