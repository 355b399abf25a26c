import { CONFIGURED, type OptionRecords } from '../option.ts';
import { onOff, text } from '../value-schemas.ts';

/** The configuration file, and what is printed. */
export const output = {
  config: {
    argument: '<file>',
    description: 'configuration file',
    group: 'Configuration and output',
    kind: 'text',
    schema: text('must be the path of a file'),
    defaultText: 'quiesce.config.{json,yaml,yml,js,mjs,ts} in this folder or above',
    isPath: true,
    scope: 'lookup',
    commands: CONFIGURED,
  },
  force: {
    description: 'overwrite the existing file',
    group: 'Configuration and output',
    kind: 'switch',
    schema: onOff(),
    default: false,
    scope: 'lookup',
    commands: ['init'],
  },
  json: {
    description: 'print the result as JSON to stdout, and everything else to stderr',
    group: 'Configuration and output',
    kind: 'switch',
    schema: onOff(),
    default: false,
    scope: 'output',
    commands: CONFIGURED,
  },
  quiet: {
    short: 'q',
    description: 'print only results and errors',
    group: 'Configuration and output',
    kind: 'switch',
    schema: onOff(),
    default: false,
    scope: 'output',
    commands: CONFIGURED,
  },
  verbose: {
    short: 'v',
    description: 'print details: browser, settings, figures of every run, error stacks',
    group: 'Configuration and output',
    kind: 'switch',
    schema: onOff(),
    default: false,
    scope: 'output',
    commands: CONFIGURED,
  },
} as const satisfies OptionRecords;
