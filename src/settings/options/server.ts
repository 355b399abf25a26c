import { z } from 'zod';
import { REDACTED } from '../../core/har/redact.ts';
import { PORT_PLACE } from '../../core/text/port-place.ts';
import { shownCommand } from '../../core/text/shown-command.ts';
import type { EnvironmentVariable } from '../../model/settings.ts';
import { inGroup, LOADING, type OptionRecords } from '../option.ts';
import { duration, type Parsed, parsed, text } from '../value-schemas.ts';

const ADDRESS = 'must be an http:// or https:// address, without a password';
const command = text('must be a command line, such as "npm start"');

/** A variable as shells write it: NAME=value. What is wrong is said without the value: it may be a secret. */
const variable = parsed(text('must be a variable: NAME=value'), (given): Parsed<EnvironmentVariable> => {
  const [, name, value] = /^([A-Za-z_]\w*)=([^\0]*)$/s.exec(given) ?? [];
  return name === undefined || value === undefined
    ? { problem: 'must be NAME=value, with a name of letters, digits and _' }
    : { value: { name, value } };
});

/** What only the server of one side gets. */
const ofSide = {
  argument: '<pair>',
  kind: 'list',
  schema: z.array(variable, 'must be a list of variables'),
  stored: (variables: readonly EnvironmentVariable[]) => variables.map(({ name }) => `${name}=${REDACTED}`),
  repeatable: true,
  separator: /\s*\n\s*/,
  secret: true,
  commands: ['compare'],
} as const;

/** The server under test. */
export const server = inGroup('Server under test', {
  serveCommand: {
    argument: '<command>',
    description: 'command that starts the server; it is stopped afterwards, with all its child processes',
    kind: 'text',
    schema: command,
    stored: shownCommand,
    wholeAudit: true,
    commands: LOADING,
    for: {
      compare: {
        description:
          'command that starts the server of each build in its folder; it is stopped afterwards, with all child processes',
      },
    },
  },
  serveUrl: {
    argument: '<url>',
    description: 'address of the server; targets may be paths on it: /shop/',
    kind: 'text',
    schema: z
      .string(ADDRESS)
      .regex(/^https?:\/\/[^\s/@]+(\/[^\s]*)?$/i, ADDRESS)
      .refine((value) => URL.canParse(value.replaceAll(PORT_PLACE, '1')), ADDRESS),
    wholeAudit: true,
    commands: LOADING,
    for: {
      compare: {
        description:
          'page to load, with {port} for a free port, which the server gets as PORT: http://localhost:{port}/shop/',
      },
    },
  },
  serveTimeout: {
    argument: '<time>',
    description: 'how long the server may take to start',
    kind: 'duration',
    schema: duration(),
    default: 60_000,
    wholeAudit: true,
    commands: LOADING,
  },
  setup: {
    argument: '<command>',
    description: 'command that is run once before the servers start, such as a database or a mock that both need',
    kind: 'text',
    schema: command,
    stored: shownCommand,
    commands: ['compare'],
  },
  baseEnv: { ...ofSide, description: "NAME=value in the environment of the base's server; repeatable" },
  candidateEnv: { ...ofSide, description: 'the same, only for the candidate' },
} as const satisfies OptionRecords);
