/**
 * Every option of the command line, once. Commander's options, the help text, QUIESCE_* variables, the keys of a
 * configuration file and the settings of a job are all read off this list: a new option is one entry.
 */

import { Script } from 'node:vm';
import { z } from 'zod';
import type { ReportFormat } from '../model/settings.ts';
import { reporters } from '../report/index.ts';
import { trendReporters } from '../report/trend.ts';
import { nearest } from './suggest.ts';

/** How the text of a flag or variable becomes a value. */
export type OptionKind = 'switch' | 'text' | 'number' | 'duration' | 'list';

/** A command as it is typed, without the program's name. */
export type CommandName = 'audit' | 'compare' | 'analyze' | 'trend' | 'report' | 'doctor';

/** One option. */
export interface Option {
  /** Key in the settings and in a configuration file. */
  readonly name: string;
  /** As typed: `--quiet-window`; `--no-sandbox` for a switch that turns something off. */
  readonly flag: string;
  /** Placeholder of its value in the help; none for a switch. */
  readonly argument?: string;
  /** One clause for the help. */
  readonly description: string;
  readonly group: OptionGroup;
  readonly kind: OptionKind;
  /** Checks a value that is parsed already; its messages read on after the option's name. */
  readonly schema: z.ZodType;
  readonly default?: unknown;
  /** The default in words, where the value itself would not say it. */
  readonly defaultText?: string;
  /** May be given several times; the values add up. */
  readonly repeatable?: boolean;
  /** What separates the values of a list inside one text. Applied to variables, and to flags unless repeatable. */
  readonly separator?: RegExp;
  /** A path: in a configuration file it is relative to that file. */
  readonly isPath?: boolean;
  /** What it steers: the job's settings, or only this command line. */
  readonly steers: 'job' | 'output' | 'lookup';
  readonly commands: readonly CommandName[];
  /** What is different behind a command: `optionsOf` gives it out. */
  readonly behind?: Partial<
    Record<CommandName, Partial<Pick<Option, 'description' | 'schema' | 'default' | 'defaultText'>>>
  >;
}

/** Headings of the help, in its order. */
export const OPTION_GROUPS = [
  'Measuring',
  'Comparing',
  'When the page is complete',
  'Results',
  'Browser',
  'Configuration and output',
] as const;
export type OptionGroup = (typeof OPTION_GROUPS)[number];

/** What is written when nobody says. */
const USUAL_FORMATS = ['html', 'json', 'har'] as const satisfies readonly ReportFormat[];
/** HARs are what an analysis reads. */
const ANALYSIS_FORMATS: readonly ReportFormat[] = reporters.map(({ format }) => format);
const TREND_FORMATS: readonly ReportFormat[] = trendReporters.map(({ format }) => format);
const FORMATS: readonly ReportFormat[] = [...new Set([...USUAL_FORMATS, ...ANALYSIS_FORMATS])];

/** Longer waits are a mistake in the unit; timers also overflow at 2^31 ms. */
const LONGEST_WAIT = 24 * 60 * 60 * 1000;

const wholeNumber = (min: number, max: number) => {
  const error =
    max === Number.MAX_SAFE_INTEGER
      ? `must be a whole number, ${min} or more`
      : `must be a whole number from ${min} to ${max}`;
  return z.number(error).refine((value) => Number.isInteger(value) && value >= min && value <= max, error);
};

/** The parts of a list are texts still. */
const numberIn = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;

const MOST = 1_000_000;

const duration = () => {
  const error = `must be a time in milliseconds, above 0 and at most ${LONGEST_WAIT} (24 h)`;
  return z.number(error).refine((value) => value > 0 && value <= LONGEST_WAIT, error);
};

const text = (error: string) => z.string(error).refine((value) => value.trim() !== '', error);

const onOff = () => z.boolean('must be true or false');

const urlPattern = text('must be a URL or a part of one, with * for anything');

const formats = (known: readonly ReportFormat[]) => {
  const error = `must be a list out of ${known.join(', ')}`;
  const format = z.custom<ReportFormat>((value) => known.some((each) => each === value), {
    error: ({ input }) => {
      const near = nearest(String(input), known);
      return near === undefined ? error : `${error} (did you mean ${near}?)`;
    },
  });
  return z
    .array(format, 'must be a list')
    .min(1, error)
    .transform((list) => [...new Set(list)]);
};

/** A policy that nobody asked for is that of the file. */
const asRecorded = (value: unknown) => ({ default: undefined, defaultText: `the file's, or ${value}` });

const completeOn = text('must be a CSS selector, mark:<name> or js:<expression>')
  .refine((value) => !/^(mark|js):\s*$/.test(value), 'needs a name after mark:, an expression after js:')
  .refine((value) => !value.startsWith('js:') || isExpression(value.slice(3)), 'must hold a JavaScript expression');

/** Compiled, never run: a slip of the keyboard should not cost a whole timeout in the page. */
function isExpression(source: string): boolean {
  try {
    new Script(`(${source}\n)`);
    return true;
  } catch {
    return false;
  }
}

/** The list. */
export const OPTIONS: readonly Option[] = [
  {
    name: 'runs',
    flag: '--runs',
    argument: '<n>',
    description: 'timed runs of each target',
    group: 'Measuring',
    kind: 'number',
    schema: wholeNumber(1, 1000),
    default: 5,
    steers: 'job',
    commands: ['audit'],
  },
  {
    name: 'timeout',
    flag: '--timeout',
    argument: '<ms>',
    description: 'give up waiting for a page after this long',
    group: 'Measuring',
    kind: 'duration',
    schema: duration(),
    default: 60_000,
    steers: 'job',
    commands: ['audit', 'compare', 'analyze'],
    behind: { analyze: { ...asRecorded(60_000), description: 'a page that is not done by then never is' } },
  },
  {
    name: 'evidence',
    flag: '--no-evidence',
    description: 'skip the untimed run that films the page, to prove what is background',
    group: 'Measuring',
    kind: 'switch',
    schema: onOff(),
    default: true,
    defaultText: 'on',
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'ablation',
    flag: '--no-ablation',
    description: 'skip the untimed run with the suspected background traffic held back',
    group: 'Measuring',
    kind: 'switch',
    schema: onOff(),
    default: true,
    defaultText: 'on',
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'aa',
    flag: '--aa',
    argument: '<url|dir>',
    description: 'also compare this page with itself: what can be told apart on this machine',
    group: 'Comparing',
    kind: 'text',
    schema: text('must be a URL, or a folder with a built site'),
    steers: 'job',
    commands: ['doctor'],
  },
  {
    name: 'maxPairs',
    flag: '--max-pairs',
    argument: '<n>',
    description: 'pairs of loads at most; a pair is one load of each build, and pairs come in twos',
    group: 'Comparing',
    kind: 'number',
    // What else a number of pairs must be is for the plan to say, which knows why.
    schema: wholeNumber(1, MOST),
    defaultText: 'the last look',
    steers: 'job',
    commands: ['compare', 'doctor'],
    behind: { doctor: { description: 'pairs of loads of --aa at most', defaultText: '40' } },
  },
  {
    name: 'looks',
    flag: '--looks',
    argument: '<list>',
    description: 'after how many pairs the answer is looked for',
    group: 'Comparing',
    kind: 'list',
    schema: z
      .array(z.preprocess(numberIn, wholeNumber(1, MOST)), 'must be a list of numbers of pairs')
      .min(1, 'must name a number of pairs'),
    defaultText: '10,16,22,28,34,40',
    separator: /[\s,]+/,
    steers: 'job',
    commands: ['compare'],
  },
  {
    name: 'minEffect',
    flag: '--min-effect',
    argument: '<effect>',
    description: 'smallest change that matters: a share, a time, or both (5%,10ms)',
    group: 'Comparing',
    kind: 'text',
    schema: text('must be a share such as 5%, a time such as 50ms, or both: 5%,10ms'),
    default: '5%,10ms',
    steers: 'job',
    commands: ['compare'],
  },
  {
    name: 'gate',
    flag: '--gate',
    argument: '<metric>',
    description: 'a metric that decides, by its name or abbreviation; repeatable',
    group: 'Comparing',
    kind: 'list',
    schema: z.array(text('must be the name of a metric'), 'must be a list of metrics').min(1, 'must name a metric'),
    default: ['page-complete', 'LCP'],
    separator: /[\s,]+/,
    steers: 'job',
    commands: ['compare'],
  },
  {
    name: 'alpha',
    flag: '--alpha',
    argument: '<p>',
    description: 'how often two equal builds may be called different, over all looks and gates',
    group: 'Comparing',
    kind: 'number',
    schema: z.number('must be a probability, such as 0.05'),
    default: 0.05,
    steers: 'job',
    commands: ['compare'],
  },
  {
    name: 'strict',
    flag: '--strict',
    description: 'fail a gate only when the whole interval is beyond the smallest change that matters',
    group: 'Comparing',
    kind: 'switch',
    schema: onOff(),
    default: false,
    steers: 'job',
    commands: ['compare'],
  },
  {
    name: 'seed',
    flag: '--seed',
    argument: '<n>',
    description: 'of the random order of the loads, to repeat it',
    group: 'Comparing',
    kind: 'number',
    schema: wholeNumber(0, 4_294_967_295),
    defaultText: 'drawn, and told',
    steers: 'job',
    commands: ['compare'],
  },
  {
    name: 'resume',
    flag: '--resume',
    description: 'go on with the comparison that was interrupted in --out',
    group: 'Comparing',
    kind: 'switch',
    schema: onOff(),
    default: false,
    steers: 'job',
    commands: ['compare'],
  },
  {
    name: 'by',
    flag: '--by',
    argument: '<order>',
    description: 'order of the results: time, or commit (as git knows it here)',
    group: 'Comparing',
    kind: 'text',
    schema: z.enum(['time', 'commit'], 'must be time or commit'),
    default: 'time',
    steers: 'job',
    commands: ['trend'],
  },
  {
    name: 'metric',
    flag: '--metric',
    argument: '<metric>',
    description: 'a metric to show, by its name or abbreviation; repeatable',
    group: 'Comparing',
    kind: 'list',
    schema: z.array(text('must be the name of a metric'), 'must be a list of metrics').min(1, 'must name a metric'),
    default: ['page-complete', 'LCP'],
    separator: /[\s,]+/,
    steers: 'job',
    commands: ['trend'],
  },
  {
    name: 'quietWindow',
    flag: '--quiet-window',
    argument: '<ms>',
    description: 'silence that proves the page complete; not part of the time',
    group: 'When the page is complete',
    kind: 'duration',
    schema: duration(),
    default: 3000,
    steers: 'job',
    commands: ['audit', 'compare', 'analyze'],
    behind: { analyze: asRecorded(3000) },
  },
  {
    name: 'maxInflight',
    flag: '--max-inflight',
    argument: '<n>',
    description: 'requests that may be open while it counts as silent',
    group: 'When the page is complete',
    kind: 'number',
    schema: wholeNumber(0, Number.MAX_SAFE_INTEGER),
    default: 0,
    steers: 'job',
    commands: ['audit', 'compare', 'analyze'],
    behind: { analyze: asRecorded(0) },
  },
  {
    name: 'background',
    flag: '--background',
    argument: '<pattern>',
    description: 'URLs that the page does not need, * for anything; repeatable',
    group: 'When the page is complete',
    kind: 'list',
    schema: z.array(urlPattern, 'must be a list of URL patterns'),
    default: [],
    repeatable: true,
    separator: /\s+/,
    steers: 'job',
    commands: ['audit', 'compare', 'analyze'],
    behind: { analyze: asRecorded('none') },
  },
  {
    name: 'foreground',
    flag: '--foreground',
    argument: '<pattern>',
    description: 'URLs that the page does need, * for anything; repeatable',
    group: 'When the page is complete',
    kind: 'list',
    schema: z.array(urlPattern, 'must be a list of URL patterns'),
    default: [],
    repeatable: true,
    separator: /\s+/,
    steers: 'job',
    commands: ['audit', 'compare', 'analyze'],
    behind: { analyze: asRecorded('none') },
  },
  {
    name: 'completeOn',
    flag: '--complete-on',
    argument: '<mark>',
    description: "the page's own sign: a CSS selector, mark:<name> of performance.mark, or js:<expression>",
    group: 'When the page is complete',
    kind: 'text',
    schema: completeOn,
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'out',
    flag: '--out',
    argument: '<dir>',
    description: 'folder for the results',
    group: 'Results',
    kind: 'text',
    schema: text('must be the path of a folder'),
    defaultText: 'reports/<name>-<time>',
    isPath: true,
    steers: 'job',
    commands: ['audit', 'compare', 'analyze', 'trend', 'report'],
    behind: {
      trend: { defaultText: 'reports/trend-<time>' },
      report: { description: 'folder for the reports', defaultText: 'beside the result' },
    },
  },
  {
    name: 'commit',
    flag: '--commit',
    argument: '<hash>',
    description: 'the commit that is measured, for quiesce trend',
    group: 'Results',
    kind: 'text',
    schema: z
      .string('must be the hash of a commit')
      .refine((value) => /^[0-9a-f]{7,64}$/i.test(value), 'must be the hash of a commit, 7 hexadecimal digits or more'),
    defaultText: "of the CI job, or of the folder's work tree",
    steers: 'job',
    commands: ['audit', 'compare', 'analyze'],
    behind: { analyze: { description: 'the commit that was recorded', defaultText: 'of the CI job' } },
  },
  {
    name: 'format',
    flag: '--format',
    argument: '<list>',
    description: `what to write, separated by commas: ${FORMATS.join(', ')}`,
    group: 'Results',
    kind: 'list',
    schema: formats(FORMATS),
    default: USUAL_FORMATS,
    separator: /[\s,]+/,
    steers: 'job',
    commands: ['audit', 'compare', 'analyze', 'trend', 'report'],
    behind: {
      analyze: {
        description: `what to write, separated by commas: ${ANALYSIS_FORMATS.join(', ')}`,
        schema: formats(ANALYSIS_FORMATS),
        default: USUAL_FORMATS.filter((format) => ANALYSIS_FORMATS.includes(format)),
      },
      trend: {
        description: `what to write, separated by commas: ${TREND_FORMATS.join(', ')}`,
        schema: formats(TREND_FORMATS),
        default: USUAL_FORMATS.filter((format) => TREND_FORMATS.includes(format)),
      },
      report: {
        description: `what to write, separated by commas: ${ANALYSIS_FORMATS.join(', ')}`,
        schema: formats(ANALYSIS_FORMATS),
        default: ['html'],
      },
    },
  },
  {
    name: 'harContent',
    flag: '--har-content',
    description: 'keep response bodies in the HAR',
    group: 'Results',
    kind: 'switch',
    schema: onOff(),
    default: false,
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'harSecrets',
    flag: '--har-secrets',
    description: 'keep cookies, tokens and payloads in the HAR',
    group: 'Results',
    kind: 'switch',
    schema: onOff(),
    default: false,
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'browser',
    flag: '--browser',
    argument: '<path>',
    description: 'the Chrome, Chromium or Edge to start',
    group: 'Browser',
    kind: 'text',
    schema: text('must be the path of a browser'),
    defaultText: 'found',
    isPath: true,
    steers: 'job',
    commands: ['audit', 'compare', 'doctor'],
  },
  {
    name: 'browserWs',
    flag: '--browser-ws',
    argument: '<url>',
    description: 'the DevTools address of a running browser (ws://…)',
    group: 'Browser',
    kind: 'text',
    schema: z
      .string('must be a ws:// or wss:// address')
      .refine((value) => /^wss?:\/\/[^\s/]+/.test(value) && URL.canParse(value), 'must be a ws:// or wss:// address'),
    steers: 'job',
    commands: ['audit', 'compare', 'doctor'],
  },
  {
    name: 'browserArg',
    flag: '--browser-arg',
    argument: '<arg>',
    description: 'one more argument for the browser; repeatable',
    group: 'Browser',
    kind: 'list',
    schema: z.array(
      z
        .string('must be an argument that begins with --')
        .refine((value) => /^--?\w/.test(value), 'must be an argument that begins with --'),
      'must be a list of arguments',
    ),
    default: [],
    repeatable: true,
    // An argument may hold blanks (--user-agent=A B); the next one begins with a dash.
    separator: /\s*\n\s*|\s+(?=--)/,
    steers: 'job',
    commands: ['audit', 'compare', 'doctor'],
  },
  {
    name: 'sandbox',
    flag: '--no-sandbox',
    description: "switch Chrome's sandbox off, where a container forbids it",
    group: 'Browser',
    kind: 'switch',
    schema: onOff(),
    defaultText: 'on, except for root',
    steers: 'job',
    commands: ['audit', 'compare', 'doctor'],
  },
  {
    name: 'config',
    flag: '--config',
    argument: '<file>',
    description: 'configuration file',
    group: 'Configuration and output',
    kind: 'text',
    schema: text('must be the path of a file'),
    defaultText: 'quiesce.config.{json,yaml,yml,js,mjs,ts}, here or further up',
    isPath: true,
    steers: 'lookup',
    commands: ['audit', 'compare', 'analyze', 'trend', 'report', 'doctor'],
  },
  {
    name: 'json',
    flag: '--json',
    description: 'print the result as JSON to stdout, everything else to stderr',
    group: 'Configuration and output',
    kind: 'switch',
    schema: onOff(),
    default: false,
    steers: 'output',
    commands: ['audit', 'compare', 'analyze', 'trend', 'report', 'doctor'],
  },
  {
    name: 'quiet',
    flag: '--quiet',
    description: 'no progress, only results and errors',
    group: 'Configuration and output',
    kind: 'switch',
    schema: onOff(),
    default: false,
    steers: 'output',
    commands: ['audit', 'compare', 'analyze', 'trend', 'report', 'doctor'],
  },
  {
    name: 'verbose',
    flag: '--verbose',
    description: "details: browser, settings, every run's numbers, stacks of errors",
    group: 'Configuration and output',
    kind: 'switch',
    schema: onOff(),
    default: false,
    steers: 'output',
    commands: ['audit', 'compare', 'analyze', 'trend', 'report', 'doctor'],
  },
];

/** Pairs that cannot both be given. Where one comes from a stronger source than the other, the stronger one stands. */
export const EXCLUSIVE: readonly { readonly pair: readonly [string, string]; readonly why: string }[] = [
  { pair: ['quiet', 'verbose'], why: 'leave one out' },
  { pair: ['browser', 'browserWs'], why: 'start a browser, or use a running one' },
  { pair: ['browserWs', 'browserArg'], why: 'a running browser takes no more arguments' },
  { pair: ['browserWs', 'sandbox'], why: 'a running browser keeps the sandbox that it was started with' },
];

/** The option of a name. */
export function optionNamed(name: string): Option {
  const option = OPTIONS.find((it) => it.name === name);
  if (option === undefined) throw new Error(`no option ${name}`);
  return option;
}

/** The options of a command as they are there, in the list's order. */
export function optionsOf(command: CommandName): readonly Option[] {
  return OPTIONS.filter((option) => option.commands.includes(command)).map((option) => ({
    ...option,
    ...option.behind?.[command],
  }));
}

/** The environment variable of an option: QUIESCE_QUIET_WINDOW. */
export function variableOf(option: Option): string {
  return `QUIESCE_${option.name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** A value out of text; what cannot be one comes back as something that the schema refuses. */
export function parseText(option: Option, given: string): unknown {
  switch (option.kind) {
    case 'switch':
      if (/^(1|true|yes|on)$/i.test(given)) return true;
      if (/^(0|false|no|off)$/i.test(given)) return false;
      return given;
    case 'text':
      return given;
    case 'number':
      return /^[-+]?\d+(\.\d+)?$/.test(given.trim()) ? Number(given) : Number.NaN;
    case 'duration': {
      const parts = /^([-+]?\d+(?:\.\d+)?)\s*(ms|s)?$/.exec(given.trim());
      return parts === null ? Number.NaN : Number(parts[1]) * (parts[2] === 's' ? 1000 : 1);
    }
    case 'list':
      return given.split(option.separator ?? '\n').filter((part) => part !== '');
  }
}
