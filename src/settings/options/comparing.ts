import { z } from 'zod';
import { shownCommand } from '../../core/text/shown-command.ts';
import type { MinEffect } from '../../model/compare/comparison.ts';
import type { Gate } from '../../model/compare/gate.ts';
import { BETWEEN_GATES, gateNames, storedGate } from '../gates.ts';
import { parseMinEffect } from '../min-effect.ts';
import { asGiven, inGroup, type OptionRecords } from '../option.ts';
import { duration, type Parsed, parsed, SWITCHED_OFF, SWITCHED_ON, text, wholeNumber } from '../value-schemas.ts';

const MOST_PAIRS = 1_000_000;

const minEffect = parsed(
  text('must be a share such as 5%, a time such as 50ms, or both: 5%,10ms'),
  (given): Parsed<MinEffect> => {
    const effect = parseMinEffect(given);
    return 'problem' in effect ? { problem: effect.problem } : { value: effect };
  },
);

const gitRef = 'must be the name of a branch, a tag or a commit';

/** How builds are compared. */
export const comparing = inGroup('Comparing', {
  aa: {
    argument: '<url|dir>',
    description: 'also compare this page with itself, to see how small a change this machine can detect',
    kind: 'text',
    schema: text('must be a URL, or a folder with a built site'),
    commands: ['doctor'],
  },
  maxPairs: {
    argument: '<n>',
    description: 'maximum number of pairs, an even number; a pair is one load of each build',
    kind: 'number',
    // What else a number of pairs must be is for the plan to say, which knows why.
    schema: wholeNumber(1, MOST_PAIRS),
    defaultText: 'the last of --looks',
    commands: ['compare', 'doctor'],
    for: { doctor: { description: 'maximum number of pairs of --aa', defaultText: '40' } },
  },
  looks: {
    argument: '<list>',
    description: 'numbers of pairs after which the result is evaluated',
    kind: 'list',
    schema: z
      .array(
        z.union(
          [wholeNumber(1, MOST_PAIRS), z.string().regex(/^\d+$/).transform(Number).pipe(wholeNumber(1, MOST_PAIRS))],
          `must be a whole number from 1 to ${MOST_PAIRS}`,
        ),
        'must be a list of numbers of pairs',
      )
      .min(1, 'must name a number of pairs'),
    defaultText: '10,16,22,28,34,40',
    separator: /[\s,]+/,
    commands: ['compare'],
  },
  minEffect: {
    argument: '<effect>',
    description: 'smallest change that matters: a share (and 10 ms at least, 17 ms for paints), a time, or both',
    kind: 'text',
    schema: minEffect,
    stored: asGiven,
    default: '5%',
    commands: ['compare'],
  },
  gate: {
    argument: '<metric>',
    description: "metric that can fail the comparison, also of one step: 'add to basket: INP'; repeatable",
    kind: 'list',
    schema: gateNames(),
    stored: (gates) => (gates as readonly Gate[]).map(storedGate),
    default: ['page-complete', 'LCP'],
    separator: BETWEEN_GATES,
    commands: ['compare'],
  },
  alpha: {
    argument: '<p>',
    description: 'how often equal builds may be called different, over all looks and gates',
    kind: 'number',
    schema: z.number('must be a probability, such as 0.05'),
    default: 0.05,
    commands: ['compare'],
  },
  strict: {
    description: 'fail a gate only if the whole interval is beyond --min-effect',
    ...SWITCHED_OFF,
    commands: ['compare'],
  },
  failFast: {
    description: 'end the comparison as soon as a gate has failed, whatever the other gates say',
    ...SWITCHED_OFF,
    commands: ['compare'],
  },
  budgetTime: {
    argument: '<time>',
    description: 'how long the comparison may take: 10m; several pages get it where it decides most',
    kind: 'duration',
    schema: duration(),
    defaultText: 'no limit',
    commands: ['compare'],
  },
  seed: {
    argument: '<n>',
    description: 'random seed of the load order, to repeat it',
    kind: 'number',
    schema: wholeNumber(0, 4_294_967_295),
    defaultText: 'random, and printed',
    commands: ['compare', 'capacity'],
    for: {
      capacity: { description: 'random seed of the order of levels and of the intervals', defaultText: 'random' },
    },
  },
  resume: {
    description: 'continue the interrupted comparison in --out',
    ...SWITCHED_OFF,
    commands: ['compare'],
  },
  by: {
    argument: '<order>',
    choices: ['time', 'commit'],
    description: 'order of the results: time, or commit (by the history of this git repository)',
    kind: 'text',
    schema: z.enum(['time', 'commit'], 'must be time or commit'),
    default: 'time',
    commands: ['trend'],
  },
} as const satisfies OptionRecords);

/** How builds are built. */
export const building = inGroup('Building', {
  baseRef: {
    argument: '<ref>',
    description: 'compare the work tree with this branch, tag or commit, instead of two targets',
    kind: 'text',
    schema: text(gitRef).regex(/^[^-\s\p{Cc}][^\s\p{Cc}]*$/u, gitRef),
    commands: ['compare'],
  },
  build: {
    argument: '<command>',
    description: "command that builds base and candidate: 'npm ci && npm run build'",
    kind: 'text',
    schema: text('must be a command line, such as "npm run build"'),
    stored: shownCommand,
    defaultText: 'nothing is built',
    commands: ['compare'],
  },
  dist: {
    argument: '<dir>',
    description: 'folder with the built site, relative to this folder',
    kind: 'text',
    // Not `isPath`: it is a place in both work trees.
    schema: text('must be the path of a folder, such as dist'),
    commands: ['compare'],
  },
  buildCache: {
    negated: true,
    description: 'build the base again, even if the build of its commit is cached',
    ...SWITCHED_ON,
    defaultText: 'the cache is used',
    commands: ['compare'],
  },
} as const satisfies OptionRecords);
