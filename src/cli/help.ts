import { reporters } from '../report/index.ts';
import type { Command } from './command.ts';
import { OPTION_GROUPS, type Option, optionsOf } from './options.ts';

const WIDTH = 100;
/** Keeps "(default: 3000)" on one line; printed as a plain blank. */
const NO_BREAK = '\u00a0';
const OPTION_COLUMN = 26;
const EXAMPLE_COLUMN = 46;

/** What `quiesce` alone says. */
export function shortHelp(commands: readonly Command[]): string {
  return [
    'Quiesce audits how fast a page loads, and knows when it is really complete.',
    '',
    'Usage: quiesce <command> [options]',
    '',
    ...commandList(commands),
    '',
    'Try:   quiesce audit https://example.com/',
    'More:  quiesce help',
    '',
  ].join('\n');
}

/** Commands, all options, examples, exit codes. */
export function fullHelp(commands: readonly Command[]): string {
  return [
    'Quiesce loads a page in headless Chrome, records every request, says when the page was really',
    'complete, and names the streams, long polls and beacons that would have polluted that answer.',
    '',
    'Usage: quiesce <command> [options]',
    '',
    ...commandList(commands),
    ...commands.flatMap((command) =>
      command.options === undefined ? [] : ['', ...optionList(command.options, command)],
    ),
    '',
    ...FORMATS,
    '',
    'Examples:',
    ...commands.flatMap((command) => command.examples.map(([line, what]) => row(line, what, EXAMPLE_COLUMN))).flat(),
    '',
    ...EXIT_CODES,
    '',
  ].join('\n');
}

/** One command: usage, options, examples. */
export function commandHelp(command: Command): string {
  const hasOptions = command.options !== undefined;
  return [
    `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`,
    '',
    `Usage: ${['quiesce', command.name, command.argument, hasOptions ? '[options]' : ''].filter(Boolean).join(' ')}`,
    ...(command.details === undefined ? [] : ['', ...wrap(command.details, WIDTH)]),
    ...(command.options === undefined ? [] : ['', ...optionList(command.options, command)]),
    ...(writesReports(command) ? ['', ...FORMATS] : []),
    '',
    'Examples:',
    ...command.examples.flatMap(([line, what]) => row(line, what, EXAMPLE_COLUMN)),
    ...(hasOptions ? ['', ...EXIT_CODES] : []),
    '',
  ].join('\n');
}

const EXIT_CODES = [
  'Exit codes: 0 measured, gates hold · 1 a gate failed · 2 usage or configuration ·',
  '            3 could not measure · 4 measured, undecided or the host unfit',
];

/** What `--format` can name. */
const FORMATS = [
  'Formats:',
  ...reporters.flatMap(({ format, file, describe }) => row(format, `${file}: ${describe}`, OPTION_COLUMN)),
  ...row('har', 'run-<i>.har: every request of a run (not for analyze)', OPTION_COLUMN),
];

const writesReports = ({ options }: Command): boolean =>
  options !== undefined && optionsOf(options).some(({ name }) => name === 'format');

function commandList(commands: readonly Command[]): readonly string[] {
  return [
    'Commands:',
    ...commands.flatMap((command) => row(usage(command), command.summary, OPTION_COLUMN)),
    ...row('help [command]', 'this list with all options, or one command', OPTION_COLUMN),
    ...row('--version', "Quiesce's version", OPTION_COLUMN),
  ];
}

function usage(command: Command): string {
  return [command.name, command.argument].filter(Boolean).join(' ');
}

function optionList(name: NonNullable<Command['options']>, command: Command): readonly string[] {
  const options = optionsOf(name);
  const lines: string[] = [];
  for (const group of OPTION_GROUPS) {
    const members = options.filter((option) => option.group === group);
    if (members.length === 0) continue;
    lines.push(`${group} (${command.name}):`);
    for (const option of members) {
      const fallback = defaultOf(option);
      const description =
        fallback === undefined ? option.description : `${option.description} (default:${NO_BREAK}${fallback})`;
      lines.push(...row([option.flag, option.argument].filter(Boolean).join(' '), description, OPTION_COLUMN));
    }
    lines.push('');
  }
  if (options.every(({ steers }) => steers === 'lookup')) return lines.slice(0, -1);
  lines.push(
    ...wrap(
      'Every option can also stand in quiesce.config.{json,yaml,yml,js,mjs,ts} (quietWindow: 5000) or in the ' +
        'environment (QUIESCE_QUIET_WINDOW=5000). Options win over variables, variables over the file. Times are in ' +
        'milliseconds; 5000ms and 5s are understood too.',
      WIDTH,
    ),
  );
  return lines;
}

function defaultOf(option: Option): string | undefined {
  if (option.defaultText !== undefined) return option.defaultText;
  const value = option.default;
  if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) return undefined;
  return Array.isArray(value) ? value.join(',') : String(value);
}

function row(left: string, right: string, column: number): readonly string[] {
  const start = `  ${left}`;
  const gap = ' '.repeat(column);
  const lines = wrap(right, WIDTH - column);
  if (start.length + 2 > column) return [start, ...lines.map((line) => gap + line)];
  return lines.map((line, index) => (index === 0 ? start.padEnd(column) : gap) + line);
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => line.replaceAll(NO_BREAK, ' '));
}
