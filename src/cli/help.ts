import { capacityFormats, fileFormats, HAR, reportFormats, trendFormats } from '../reporters/formats.ts';
import { CONFIGURED, type CommandName } from '../settings/option.ts';
import { OPTION_GROUPS, OPTIONS, type Option, optionsFor } from '../settings/options.ts';
import type { Command } from './command.ts';

/** The widest text that is easy to read, in columns; also used where there is no terminal. */
export const HELP_WIDTH = 100;
/** Keeps "(default: 3000)" on one line; printed as a space. */
const NO_BREAK = '\u00a0';
const OPTION_COLUMN = 26;
const COMMAND_COLUMN = 30;
const EXAMPLE_COLUMN = 46;

/** Options that most people need: for the first screen, and the head of a command's help. */
const MOST_USED = OPTIONS.filter(({ brief }) => brief !== undefined);
/** A command with fewer options shows them in their groups alone. */
const MANY_OPTIONS = 20;

/** The text of `quiesce` alone and of `quiesce help`: one screen, in lines of so many columns. */
export function shortHelp(commands: readonly Command[], width = HELP_WIDTH): string {
  return [
    ...wrap('Quiesce measures how fast a page loads, and knows when it is really complete.', width),
    'Usage: quiesce <command> [options]',
    '',
    ...visible(commands).flatMap((command) => row(usage(command), command.summary, COMMAND_COLUMN, width)),
    '',
    'The most used options:',
    ...MOST_USED.flatMap((option) => optionRow({ ...option, description: option.brief ?? '' }, width)),
    '',
    'Try:   quiesce audit https://example.com/',
    'More:  quiesce help <command> (options and examples), or quiesce help all',
    '',
  ].join('\n');
}

/** Commands, all options, examples, exit codes, in lines of so many columns. */
export function fullHelp(commands: readonly Command[], width = HELP_WIDTH): string {
  return [
    ...wrap(
      'Quiesce loads a page in headless Chrome, records every request, finds out when the page was really complete, and ' +
        'lists the streams, long polls and beacons that it left out.',
      width,
    ),
    '',
    'Usage: quiesce <command> [options]',
    '',
    ...commandList(commands, width),
    '',
    ...visible(commands).flatMap((command) =>
      command.options === undefined ? [] : optionList(command.options, command, width),
    ),
    ...wrap(ELSEWHERE, width),
    '',
    ...formatList([...fileFormats, { ...HAR, describe: `${HAR.describe} (audit and compare)` }], width),
    '',
    ...exampleList(visible(commands), width),
    '',
    ...exitCodes(width),
    '',
  ].join('\n');
}

/** One command: usage, options, examples, in lines of so many columns. */
export function commandHelp(command: Command, width = HELP_WIDTH): string {
  const { options, details } = command;
  const formats = formatsOf(command);
  return [
    `${command.summary[0]?.toUpperCase()}${command.summary.slice(1)}.`,
    '',
    `Usage: ${['quiesce', command.name, command.argument, options && '[options]'].filter(Boolean).join(' ')}`,
    ...(details === undefined ? [] : ['', ...wrap(details, width)]),
    '',
    ...(options === undefined ? [] : optionList(options, command, width)),
    ...(options === undefined || !readsFile(options) ? [] : [...wrap(ELSEWHERE, width), '']),
    ...(formats.length === 0 ? [] : [...formatList(formats, width), '']),
    ...exampleList([command], width),
    ...(options === undefined ? [] : ['', ...exitCodes(width)]),
    '',
  ].join('\n');
}

const ELSEWHERE =
  'Every option can also be set in quiesce.config.{json,yaml,yml,js,mjs,ts} (quietWindow: 5000) or in the environment ' +
  '(QUIESCE_QUIET_WINDOW=5000). Options override variables, and variables override the file. Times: 500ms, ' +
  '5s or 2m; a number alone is in milliseconds.';

/** Some commands read no configuration file. */
const readsFile = (name: CommandName): boolean => CONFIGURED.some((each) => each === name);

const EXIT_CODES = ['0 measured, gates pass', '1 a gate failed', '2 wrong options', '3 could not measure'];

function exitCodes(width: number): readonly string[] {
  const start = 'Exit codes: ';
  const codes = [...EXIT_CODES, '4 measured, but undecided'].map((code) => code.replaceAll(' ', NO_BREAK));
  const lines = wrap(codes.join(`${NO_BREAK}· `), width - start.length);
  return lines.map((line, index) => (index === 0 ? start : ' '.repeat(start.length)) + line);
}

/** A value of `--format`. */
interface Format {
  readonly format: string;
  readonly file: string;
  readonly describe: string;
}

/** The formats that a command takes. */
function formatsOf({ options }: Command): readonly Format[] {
  const option = options && optionsFor(options).find(({ name }) => name === 'format');
  const all = options === 'trend' ? trendFormats : options === 'capacity' ? capacityFormats : reportFormats;
  return all.filter(({ format }) => option?.schema.safeParse([format]).success);
}

const formatList = (formats: readonly Format[], width: number): readonly string[] => [
  'Formats:',
  ...formats.flatMap(({ format, file, describe }) => row(format, `${file}: ${describe}`, OPTION_COLUMN, width)),
];

/** The commands that people type. */
export const visible = (commands: readonly Command[]): readonly Command[] => commands.filter(({ hidden }) => !hidden);

const exampleList = (commands: readonly Command[], width: number): readonly string[] => [
  'Examples:',
  ...commands.flatMap(({ examples }) => examples.flatMap(([line, what]) => row(line, what, EXAMPLE_COLUMN, width))),
];

function commandList(commands: readonly Command[], width: number): readonly string[] {
  return [
    'Commands:',
    ...visible(commands).flatMap((command) => row(usage(command), command.summary, COMMAND_COLUMN, width)),
    ...row('help [command]', 'the commands, or all options of one command', COMMAND_COLUMN, width),
    ...row('version', "Quiesce's version", COMMAND_COLUMN, width),
  ];
}

function usage(command: Command): string {
  return [command.name, command.argument].filter(Boolean).join(' ');
}

function optionList(name: NonNullable<Command['options']>, command: Command, width: number): readonly string[] {
  const options = optionsFor(name);
  const isFirst = ({ brief }: Option): boolean => brief !== undefined && options.length >= MANY_OPTIONS;
  const listed = [
    ['Most used', options.filter(isFirst)] as const,
    ...OPTION_GROUPS.map(
      (group) => [group, options.filter((option) => option.group === group && !isFirst(option))] as const,
    ),
  ];
  const lines: string[] = [];
  for (const [group, members] of listed) {
    if (members.length === 0) continue;
    lines.push(`${group} (${command.name}):`);
    for (const option of members) lines.push(...optionRow(option, width));
    lines.push('');
  }
  return lines;
}

function optionRow(option: Option, width: number): readonly string[] {
  const { short, flag, argument, description } = option;
  const fallback = defaultOf(option);
  const suffix = fallback === undefined ? '' : ` (default:${NO_BREAK}${fallback})`;
  const typed = [[short && `-${short}`, flag].filter(Boolean).join(', '), argument].filter(Boolean).join(' ');
  return row(typed, description + suffix, OPTION_COLUMN, width);
}

function defaultOf(option: Option): string | undefined {
  if (option.defaultText !== undefined) return option.defaultText;
  const value = option.default;
  if (option.kind === 'duration' && typeof value === 'number') return durationInWords(value);
  if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) return undefined;
  return Array.isArray(value) ? value.join(',') : String(value);
}

/** As it would be typed: "3s", "1m". */
const durationInWords = (ms: number): string =>
  ms % 60_000 === 0 ? `${ms / 60_000}m` : ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`;

function row(left: string, right: string, column: number, width: number): readonly string[] {
  const start = `  ${left}`;
  const gap = ' '.repeat(column);
  const lines = wrap(right, width - column);
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
