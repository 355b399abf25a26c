/**
 * Every option of the command line, once. Commander's options, the help text, QUIESCE_* variables, the keys of a
 * configuration file and the settings of a job are all read off this list: a new option is one entry.
 */

import { Script } from 'node:vm';
import { z } from 'zod';
import { budgetProblem } from '../app/budgets.ts';
import { NETWORK_NAMES, type ProblemOf, problemWith } from '../app/typed-conditions.ts';
import type { BudgetEntry } from '../model/budget.ts';
import type { ReportFormat } from '../model/settings.ts';
import type { TrendFormat } from '../model/trend.ts';
import { nearest } from './suggest.ts';

/** How the text of a flag or variable becomes a value. */
export type OptionKind = 'switch' | 'text' | 'number' | 'duration' | 'list';

/** A command as it is typed, without the program's name. */
export type CommandName = 'audit' | 'compare' | 'analyze' | 'trend' | 'report' | 'merge' | 'github' | 'init' | 'doctor';

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
  /** A password may stand in it: its value is told nowhere. */
  readonly secret?: boolean;
  /** What is no path all the same: a name on the PATH, a URL, the standard input. */
  readonly unlessPath?: RegExp;
  /** What it steers: the job's settings, only this command line, or what has to do with the configuration file itself. */
  readonly steers: 'job' | 'output' | 'lookup';
  readonly commands: readonly CommandName[];
  /** What is different behind a command: `optionsOf` gives it out. */
  readonly behind?: Partial<
    Record<CommandName, Partial<Pick<Option, 'description' | 'schema' | 'default' | 'defaultText'>>>
  >;
}

/** Headings of the help, in its order. */
export const OPTION_GROUPS = [
  'Pages',
  'Server under test',
  'Measuring',
  'Comparing',
  'Building what is compared',
  'Lab conditions',
  'Getting at the page',
  'When the page is complete',
  'Several machines',
  'Results',
  'On GitHub',
  'Browser',
  'Configuration and output',
] as const;
export type OptionGroup = (typeof OPTION_GROUPS)[number];

/** What is written when nobody says. */
const USUAL_FORMATS = ['html', 'json', 'har'] as const satisfies readonly ReportFormat[];
const FORMATS = [...USUAL_FORMATS, 'junit', 'md', 'csv'] as const satisfies readonly ReportFormat[];
/** HARs are what an analysis reads. */
const ANALYSIS_FORMATS: readonly ReportFormat[] = FORMATS.filter((format) => format !== 'har');
const TREND_FORMATS: readonly ReportFormat[] = ['html', 'json', 'csv'] satisfies readonly TrendFormat[];

/** Longer waits are a mistake in the unit; timers also overflow at 2^31 ms. */
const LONGEST_WAIT = 24 * 60 * 60 * 1000;

const wholeNumber = (min: number, max: number) => {
  const error =
    max === Number.MAX_SAFE_INTEGER
      ? `must be a whole number, ${min} or more`
      : `must be a whole number from ${min} to ${max}`;
  return z.int(error).min(min, error).max(max, error);
};

/** The parts of a list are texts still. */
const numberIn = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;

const MOST = 1_000_000;

const duration = () => {
  const error = `must be a time in milliseconds, above 0 and at most ${LONGEST_WAIT} (24 h)`;
  return z.number(error).gt(0, error).max(LONGEST_WAIT, error);
};

const text = (error: string) => z.string(error).regex(/\S/, error);

const onOff = () => z.boolean('must be true or false');

const urlPattern = text('must be a URL or a part of one, with * for anything');

const formats = (known: readonly ReportFormat[]) => {
  const error = `must be a list out of ${known.join(', ')}`;
  const format = z.enum(known, {
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

/** A text that the job will read; what is wrong with it is said before anything is started. */
const typed = (error: string, problemOf: ProblemOf) =>
  text(error).superRefine((value, context) => {
    const message = problemOf(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

const completeOn = text('must be a CSS selector, mark:<name> or js:<expression>')
  .refine((value) => !/^(mark|js):\s*$/.test(value), 'needs a name after mark:, an expression after js:')
  .refine((value) => !value.startsWith('js:') || isExpression(value.slice(3)), 'must hold a JavaScript expression');

const limit = z.union([z.number(), z.string()]).optional();
/** A budget as typed, or as an object of a configuration file. */
const budget = z
  .union(
    [
      z.string(),
      z.strictObject({ metric: z.string(), max: limit, min: limit, severity: z.enum(['warn', 'error']).optional() }),
    ],
    'must be a budget such as page-complete=2s, or { metric: "page-complete", max: "2s", severity: "warn" }',
  )
  .superRefine((value, context) => {
    const message = budgetProblem(value as string | BudgetEntry);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

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
    name: 'urlsFile',
    flag: '--urls-file',
    argument: '<file>',
    description: 'pages, one on each line: a URL and, behind a blank, its name; - for the standard input',
    group: 'Pages',
    kind: 'text',
    schema: text('must be the path of a file, or -'),
    isPath: true,
    unlessPath: /^-$/,
    steers: 'job',
    commands: ['audit'],
  },
  {
    name: 'sitemap',
    flag: '--sitemap',
    argument: '<url|file>',
    description: 'pages of its own origin in a sitemap.xml or an index of them, gzipped or not',
    group: 'Pages',
    kind: 'text',
    schema: text('must be the URL or the path of a sitemap'),
    isPath: true,
    unlessPath: /^https?:/i,
    steers: 'job',
    commands: ['audit'],
  },
  {
    name: 'maxPages',
    flag: '--max-pages',
    argument: '<n>',
    description: 'pages of the sitemap at most, in its order',
    group: 'Pages',
    kind: 'number',
    schema: wholeNumber(1, 10_000),
    default: 25,
    steers: 'job',
    commands: ['audit'],
  },
  {
    name: 'serveCommand',
    flag: '--serve-command',
    argument: '<command>',
    description: 'starts the server under test, and ends it afterwards with all its children',
    group: 'Server under test',
    kind: 'text',
    schema: text('must be a command line, such as "npm start"'),
    steers: 'job',
    commands: ['audit'],
  },
  {
    name: 'serveUrl',
    flag: '--serve-url',
    argument: '<url>',
    description: 'where it answers once it is up; targets may be paths there: /shop/',
    group: 'Server under test',
    kind: 'text',
    schema: z
      .string('must be an http:// or https:// address')
      .regex(/^https?:\/\/[^\s/@]+(\/[^\s]*)?$/i, 'must be an http:// or https:// address, without a password')
      .refine((value) => URL.canParse(value), 'must be an http:// or https:// address'),
    steers: 'job',
    commands: ['audit'],
  },
  {
    name: 'serveTimeout',
    flag: '--serve-timeout',
    argument: '<ms>',
    description: 'how long it may take to answer',
    group: 'Server under test',
    kind: 'duration',
    schema: duration(),
    default: 60_000,
    steers: 'job',
    commands: ['audit'],
  },
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
    name: 'lighthouse',
    flag: '--lighthouse',
    argument: '[n]',
    description: 'run Lighthouse too, n times, apart from the timed runs: its scores, metrics and report',
    group: 'Measuring',
    kind: 'number',
    schema: z.preprocess((value) => (typeof value === 'boolean' ? Number(value) : value), wholeNumber(0, 100)),
    defaultText: 'off; once where a budget asks for it',
    steers: 'job',
    commands: ['audit', 'compare'],
    behind: {
      compare: { description: 'run Lighthouse on both builds, n times each, once it is decided; informs only' },
    },
  },
  {
    name: 'budget',
    flag: '--budget',
    argument: '<limit>',
    description: 'page-complete=2s, requests:script=20:warn, lighthouse:performance=0.9; repeatable',
    group: 'Measuring',
    kind: 'list',
    schema: z.array(budget, 'must be a list of budgets'),
    defaultText: 'none',
    repeatable: true,
    separator: /\s+/,
    steers: 'job',
    commands: ['audit', 'compare', 'analyze'],
    behind: { compare: { description: 'of the candidate: page-complete=2s, requests:script=20:warn; repeatable' } },
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
    name: 'baseRef',
    flag: '--base-ref',
    argument: '<ref>',
    description: 'compare this branch, tag or commit with the work tree as it stands, instead of two targets',
    group: 'Building what is compared',
    kind: 'text',
    schema: text('must be the name of a branch, a tag or a commit').regex(
      /^[^-\s\p{Cc}][^\s\p{Cc}]*$/u,
      'must be the name of a branch, a tag or a commit',
    ),
    steers: 'job',
    commands: ['compare'],
  },
  {
    name: 'build',
    flag: '--build',
    argument: '<command>',
    description: "builds either: 'npm ci && npm run build'",
    group: 'Building what is compared',
    kind: 'text',
    schema: text('must be a command line, such as "npm run build"'),
    defaultText: 'nothing is built',
    steers: 'job',
    commands: ['compare'],
  },
  {
    name: 'dist',
    flag: '--dist',
    argument: '<dir>',
    description: 'the folder that holds the built site afterwards, relative to this one',
    group: 'Building what is compared',
    kind: 'text',
    // Not `isPath`: it is a place in both work trees.
    schema: text('must be the path of a folder, such as dist'),
    steers: 'job',
    commands: ['compare'],
  },
  {
    name: 'buildCache',
    flag: '--no-build-cache',
    description: "build the base again, though its commit's build is kept from before",
    group: 'Building what is compared',
    kind: 'switch',
    schema: onOff(),
    default: true,
    defaultText: 'on',
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
    name: 'device',
    flag: '--device',
    argument: '<name>',
    description: 'desktop, phone (Moto G Power), tablet (Galaxy Tab S4), or a device of DevTools: "iPhone 15"',
    group: 'Lab conditions',
    kind: 'text',
    schema: text('must be the name of a device'),
    default: 'desktop',
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'network',
    flag: '--network',
    argument: '<name>',
    description: `${NETWORK_NAMES.join(', ')}, or latency,down,up: 150ms,1.6Mbps,750kbps`,
    group: 'Lab conditions',
    kind: 'text',
    schema: typed('must be the name of a network', problemWith.network),
    default: 'none',
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'cpu',
    flag: '--cpu',
    argument: '<factor>',
    description: 'how many times slower pages compute; not for their workers',
    group: 'Lab conditions',
    kind: 'number',
    schema: z.number('must be a number from 1 to 100').min(1, 'must be 1 or more').max(100, 'must be at most 100'),
    default: 1,
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'view',
    flag: '--view',
    argument: '<view>',
    description: 'cold: the first visit; warm: the visit after it, with its caches, cookies and service worker',
    group: 'Lab conditions',
    kind: 'text',
    schema: z.enum(['cold', 'warm'], 'must be cold or warm'),
    default: 'cold',
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'locale',
    flag: '--locale',
    argument: '<tag>',
    description: 'language of the browser: de-DE',
    group: 'Lab conditions',
    kind: 'text',
    schema: typed('must be a language such as de-DE', problemWith.locale),
    defaultText: "the machine's",
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'timezone',
    flag: '--timezone',
    argument: '<name>',
    description: 'time zone of the browser: Asia/Tokyo',
    group: 'Lab conditions',
    kind: 'text',
    schema: typed('must be a time zone such as Asia/Tokyo', problemWith.timezone),
    defaultText: "the machine's",
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'geolocation',
    flag: '--geolocation',
    argument: '<lat,long>',
    description: 'where the device is, when the page asks; it is allowed to',
    group: 'Lab conditions',
    kind: 'text',
    schema: typed('must be latitude,longitude', problemWith.geolocation),
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'userAgent',
    flag: '--user-agent',
    argument: '<text>',
    description: 'how the browser introduces itself',
    group: 'Lab conditions',
    kind: 'text',
    schema: text('must be a user agent').regex(/^[\t\x20-\x7e]*$/, 'must be one line of plain characters'),
    defaultText: "the device's",
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'header',
    flag: '--header',
    argument: '<line>',
    description: "'Name: value', sent to the target's own origin and to no other; repeatable",
    group: 'Getting at the page',
    kind: 'list',
    schema: z.array(typed('must be a header: Name: value', problemWith.header), 'must be a list of headers'),
    default: [],
    repeatable: true,
    separator: /\s*\n\s*/,
    secret: true,
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'cookie',
    flag: '--cookie',
    argument: '<pair>',
    description: "name=value, for the target's own host; repeatable",
    group: 'Getting at the page',
    kind: 'list',
    schema: z.array(typed('must be a cookie: name=value', problemWith.cookie), 'must be a list of cookies'),
    default: [],
    repeatable: true,
    separator: /\s*[;\n]\s*/,
    secret: true,
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'basicAuth',
    flag: '--basic-auth',
    argument: '<user:password>',
    description: "login for the target's own origin, given when it asks for one; better as QUIESCE_BASIC_AUTH",
    group: 'Getting at the page',
    kind: 'text',
    schema: typed('must be user:password', problemWith.basicAuth),
    secret: true,
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'block',
    flag: '--block',
    argument: '<pattern>',
    description: 'requests that are refused inside the browser, * for anything; repeatable',
    group: 'Getting at the page',
    kind: 'list',
    schema: z.array(urlPattern, 'must be a list of URL patterns'),
    default: [],
    repeatable: true,
    separator: /\s+/,
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'ignoreCertificateErrors',
    flag: '--ignore-certificate-errors',
    description: 'load pages whose certificates are not valid; for test servers',
    group: 'Getting at the page',
    kind: 'switch',
    schema: onOff(),
    default: false,
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'script',
    flag: '--script',
    argument: '<file>',
    description: 'module with before(page), to log in, and measure(page, step), for what comes after the load',
    group: 'Getting at the page',
    kind: 'text',
    schema: text('must be the path of a module'),
    isPath: true,
    steers: 'job',
    commands: ['audit', 'compare'],
  },
  {
    name: 'scriptTimeout',
    flag: '--script-timeout',
    argument: '<ms>',
    description: 'how long the script may take at a time: before a load, in a step, between steps',
    group: 'Getting at the page',
    kind: 'duration',
    schema: duration(),
    default: 60_000,
    steers: 'job',
    commands: ['audit', 'compare'],
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
    name: 'shard',
    flag: '--shard',
    argument: '<i/n>',
    description: "this machine's share of the pages: 2/4; auto/4 counts by JOB_COMPLETION_INDEX; for quiesce merge",
    group: 'Several machines',
    kind: 'text',
    schema: typed('must be a share such as 2/4', problemWith.shard),
    defaultText: 'of CI_NODE_INDEX, or everything',
    steers: 'job',
    commands: ['audit', 'compare'],
    behind: {
      compare: {
        description:
          "this machine's share of the blocks of loads: 2/4; auto/4 counts by JOB_COMPLETION_INDEX; for quiesce merge",
      },
    },
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
    commands: ['audit', 'compare', 'analyze', 'trend', 'report', 'merge'],
    behind: {
      trend: { defaultText: 'reports/trend-<time>' },
      merge: { defaultText: 'reports/merged-<time>' },
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
    commands: ['audit', 'compare', 'analyze', 'trend', 'report', 'merge'],
    behind: {
      merge: {
        description: `what to write, separated by commas: ${ANALYSIS_FORMATS.join(', ')}`,
        schema: formats(ANALYSIS_FORMATS),
        default: USUAL_FORMATS.filter((format) => ANALYSIS_FORMATS.includes(format)),
      },
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
    name: 'failOn',
    flag: '--fail-on',
    argument: '<what>',
    description: 'what fails the job: slower (a gate or a budget), budget, or never',
    group: 'On GitHub',
    kind: 'text',
    schema: z.enum(['slower', 'budget', 'never'], 'must be slower, budget or never'),
    default: 'slower',
    steers: 'job',
    commands: ['github'],
  },
  {
    name: 'comment',
    flag: '--no-comment',
    description: 'write no comment on the pull request',
    group: 'On GitHub',
    kind: 'switch',
    schema: onOff(),
    default: true,
    defaultText: 'on',
    steers: 'job',
    commands: ['github'],
  },
  {
    name: 'commentKey',
    flag: '--comment-key',
    argument: '<key>',
    description: 'which comment of a pull request is kept up to date: one for each key',
    group: 'On GitHub',
    kind: 'text',
    schema: z
      .string('must be up to 64 letters, digits, dots, dashes or underscores')
      .regex(/^[\w.-]{1,64}$/, 'must be up to 64 letters, digits, dots, dashes or underscores'),
    default: 'quiesce',
    steers: 'job',
    commands: ['github'],
  },
  {
    name: 'pull',
    flag: '--pull',
    argument: '<number>',
    description: 'the pull request to comment on',
    group: 'On GitHub',
    kind: 'number',
    schema: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    defaultText: "the event's",
    steers: 'job',
    commands: ['github'],
  },
  {
    name: 'reportUrl',
    flag: '--report-url',
    argument: '<url>',
    description: 'where the report can be fetched: the address of the uploaded artifact',
    group: 'On GitHub',
    kind: 'text',
    schema: z
      .string('must be an http:// or https:// address')
      .regex(/^https?:\/\/[^\s/]+/i, 'must be an http:// or https:// address')
      .refine((value) => URL.canParse(value), 'must be an http:// or https:// address'),
    steers: 'job',
    commands: ['github'],
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
    unlessPath: /^[^\\/]+$/,
    steers: 'job',
    commands: ['audit', 'compare', 'doctor'],
  },
  {
    name: 'browserWs',
    flag: '--browser-ws',
    argument: '<url>',
    description: 'the DevTools address of a running browser, here or elsewhere (ws://…, http://…)',
    group: 'Browser',
    kind: 'text',
    schema: z
      .string('must be a ws://, wss://, http:// or https:// address')
      .regex(/^(?:ws|http)s?:\/\/[^\s/]+/, 'must be a ws://, wss://, http:// or https:// address')
      .refine((value) => URL.canParse(value), 'must be a ws://, wss://, http:// or https:// address'),
    secret: true,
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
      z.string('must be an argument that begins with --').regex(/^--?\w/, 'must be an argument that begins with --'),
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
    commands: ['audit', 'compare', 'analyze', 'trend', 'report', 'merge', 'github', 'doctor'],
  },
  {
    name: 'force',
    flag: '--force',
    description: 'write over the file that is there',
    group: 'Configuration and output',
    kind: 'switch',
    schema: onOff(),
    default: false,
    steers: 'lookup',
    commands: ['init'],
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
    commands: ['audit', 'compare', 'analyze', 'trend', 'report', 'merge', 'github', 'doctor'],
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
    commands: ['audit', 'compare', 'analyze', 'trend', 'report', 'merge', 'github', 'doctor'],
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
    commands: ['audit', 'compare', 'analyze', 'trend', 'report', 'merge', 'github', 'doctor'],
  },
];

/** Pairs that cannot both be given. Where one comes from a stronger source than the other, the stronger one stands. */
export const EXCLUSIVE: readonly { readonly pair: readonly [string, string]; readonly why: string }[] = [
  { pair: ['quiet', 'verbose'], why: 'leave one out' },
  { pair: ['browser', 'browserWs'], why: 'start a browser, or use a running one' },
  { pair: ['resume', 'baseRef'], why: 'name the two folders that were built' },
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
