import { z } from 'zod';
import { asGiven, inGroup, type OptionRecords } from '../option.ts';
import { duration, parsed, text, wholeNumber } from '../value-schemas.ts';

/** More connections than this no machine has sockets for. */
const MOST_CONNECTIONS = 60_000;

const levels = parsed(
  z.array(z.union([z.number(), z.string()]), 'must be a list of numbers of connections'),
  (given) => {
    const all = given.map(Number);
    const isRising = all.every((level, i) => i === 0 || level > (all[i - 1] ?? 0));
    if (all.every((level) => Number.isInteger(level) && level >= 1 && level <= MOST_CONNECTIONS) && isRising) {
      return { value: all };
    }
    return { problem: `must be rising numbers of connections from 1 to ${MOST_CONNECTIONS}, such as 1,10,50` };
  },
);

/** '100/s', '6000/m', or a number for each second; several separated by commas. */
const rates = parsed(z.array(z.union([z.number(), z.string()]), 'must be a list of rates'), (given) => {
  const all = given.map((each) => {
    const [, figure, unit = 's'] = /^(\d+(?:\.\d+)?)\s*(?:\/\s*(s|sec|m|min))?$/.exec(String(each).trim()) ?? [];
    return figure === undefined ? Number.NaN : Number(figure) / (unit.startsWith('m') ? 60 : 1);
  });
  const isRising = all.every((rate, i) => i === 0 || rate > (all[i - 1] ?? 0));
  if (all.every((rate) => rate > 0 && rate <= 1e6) && isRising) return { value: all };
  return { problem: 'must be rising rates such as 100/s, or 100/s,200/s,400/s' };
});

/** How a server is loaded, and what is watched. */
export const capacity = inGroup('Load', {
  levels: {
    argument: '<list>',
    description: 'exactly these numbers of connections: 1,10,50',
    kind: 'list',
    schema: levels,
    stored: asGiven,
    defaultText: '1, 2, 4, … until throughput no longer grows',
    separator: /[\s,]+/,
    commands: ['capacity'],
  },
  maxConcurrency: {
    argument: '<n>',
    description: 'the most connections',
    kind: 'number',
    schema: wholeNumber(1, MOST_CONNECTIONS),
    defaultText: 'found, 4096 at most',
    commands: ['capacity'],
  },
  levelTime: {
    argument: '<time>',
    description: 'measure a level at most this long in each pass',
    kind: 'duration',
    schema: duration(),
    default: 10_000,
    commands: ['capacity'],
  },
  requests: {
    argument: '<n>',
    description: 'measure this many requests at each level and pass, instead of until the precision is 5%',
    kind: 'number',
    schema: wholeNumber(1),
    commands: ['capacity'],
  },
  maxRequests: {
    argument: '<n>',
    description: 'the most requests altogether',
    kind: 'number',
    schema: wholeNumber(1),
    default: 5_000_000,
    commands: ['capacity'],
  },
  rate: {
    argument: '<list>',
    description: 'open load: send requests at these rates, answered or not: 100/s,200/s',
    kind: 'list',
    schema: rates,
    stored: asGiven,
    defaultText: 'each connection waits for its answer',
    separator: /[\s,]+/,
    commands: ['capacity'],
  },
  thinkTime: {
    argument: '<time>',
    description: 'pause of each connection between an answer and its next request',
    kind: 'duration',
    schema: duration(),
    defaultText: 'none',
    commands: ['capacity'],
  },
  method: {
    argument: '<name>',
    description: 'HTTP method',
    kind: 'text',
    schema: z
      .string('must be an HTTP method')
      .regex(/^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/i, 'must be GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS')
      .transform((name) => name.toUpperCase()),
    default: 'GET',
    commands: ['capacity'],
  },
  body: {
    argument: '<text>',
    description: 'what requests send',
    kind: 'text',
    schema: z.string('must be a text'),
    stored: () => '(given)',
    secret: true,
    commands: ['capacity'],
  },
  p90: {
    argument: '<time>',
    description: 'find the highest throughput with this 90th percentile at most',
    kind: 'duration',
    schema: duration(),
    commands: ['capacity'],
  },
  page: {
    negated: true,
    description: 'do not load the page in a browser while the server is under load',
    kind: 'switch',
    schema: z.boolean('must be true or false (a list of pages is called pages)'),
    default: true,
    defaultText: 'it is loaded, if the URL is a page',
    commands: ['capacity'],
  },
  engine: {
    argument: '<name>',
    choices: ['autocannon', 'k6'],
    description: 'load generator: autocannon, or an installed k6',
    kind: 'text',
    schema: z.enum(['autocannon', 'k6'], 'must be autocannon or k6'),
    default: 'autocannon',
    commands: ['capacity'],
  },
  drivers: {
    argument: '<n>',
    description: 'processes that share the connections',
    kind: 'number',
    schema: wholeNumber(1, 64),
    defaultText: '1, or half of the CPUs if the server is elsewhere',
    commands: ['capacity'],
  },
  import: {
    argument: '<file>',
    description: 'judge what k6 or autocannon measured, or a table (CSV); repeatable',
    kind: 'list',
    schema: z.array(text('must be the path of a file'), 'must be a list of files'),
    repeatable: true,
    separator: /\n/,
    default: [],
    commands: ['capacity'],
  },
  serverPid: {
    argument: '<pid>',
    description: 'process of the server on this machine',
    kind: 'number',
    schema: wholeNumber(1),
    defaultText: 'found by its port',
    commands: ['capacity'],
  },
  serverCores: {
    argument: '<n>',
    description: "CPUs of the server, if it is elsewhere or in another tool's file",
    kind: 'number',
    schema: wholeNumber(1, 4096),
    commands: ['capacity'],
  },
  iMayLoadThisHost: {
    argument: '<host>',
    description: 'permission to load a host that is not on this machine or in a private network; repeatable',
    kind: 'list',
    schema: z.array(text('must be the name of a host'), 'must be a list of hosts'),
    repeatable: true,
    separator: /[\s,]+/,
    default: [],
    commands: ['capacity'],
  },
} as const satisfies OptionRecords);
