import { z } from 'zod';
import {
  capacityFormats,
  fileFormats,
  type ReportFormat,
  reportFormats,
  trendFormats,
} from '../../reporters/formats.ts';
import { inGroup, JUDGING, LOADING, type OptionRecords, WRITING } from '../option.ts';
import { namesOutOf, SWITCHED_OFF, text } from '../value-schemas.ts';

/** Written by default, and listed first. */
const USUAL = ['html', 'json', 'har'] as const satisfies readonly ReportFormat[];
const FORMATS = [...new Set([...USUAL, ...reportFormats.map(({ format }) => format)])];
/** For commands that read HARs, or have none. */
const FILE_FORMATS = fileFormats.map(({ format }) => format);
const TREND_FORMATS = trendFormats.map(({ format }) => format);
const CAPACITY_FORMATS = capacityFormats.map(({ format }) => format);

const listOf = (formats: readonly string[]) => `formats to write, separated by commas: ${formats.join(', ')}`;

/** Where results are written, and in which formats. */
export const results = inGroup('Results', {
  out: {
    short: 'o',
    argument: '<dir>',
    brief: 'result folder',
    description: 'folder for the results',
    kind: 'text',
    schema: text('must be the path of a folder'),
    defaultText: 'reports/<name>-<time>',
    isPath: true,
    wholeAudit: true,
    commands: WRITING,
    for: {
      trend: { defaultText: 'reports/trend-<time>' },
      capacity: { defaultText: 'reports/capacity-<host>-<time>' },
      merge: { defaultText: 'reports/merged-<time>' },
      report: { description: 'folder for the reports', defaultText: 'next to the result' },
    },
  },
  failOn: {
    argument: '<what>',
    choices: ['broken', 'slower', 'budget', 'never'],
    description:
      'what exits with 1: broken (a broken page, a gate or a budget), slower (a gate or a budget), budget, never',
    kind: 'text',
    schema: z.enum(['broken', 'slower', 'budget', 'never'], 'must be broken, slower, budget or never'),
    default: 'slower',
    wholeAudit: true,
    commands: [...JUDGING, 'merge', 'trend', 'github'],
    for: {
      audit: { description: 'what exits with 1: budget (a budget or a broken page) or never' },
      trend: {
        description: 'what exits with 1: slower (a metric became worse at its last change) or never',
        schema: z.enum(['slower', 'never'], 'must be slower or never'),
        default: 'never',
      },
    },
  },
  allowBroken: {
    description: 'exit with 0 also if a page is broken',
    ...SWITCHED_OFF,
    wholeAudit: true,
    commands: ['audit'],
  },
  commit: {
    argument: '<hash>',
    description: 'commit that is measured, for quiesce trend',
    kind: 'text',
    schema: z
      .string('must be the hash of a commit')
      .refine((value) => /^[0-9a-f]{7,64}$/i.test(value), 'must be the hash of a commit, 7 hexadecimal digits or more'),
    defaultText: "from the CI job, or from the folder's work tree",
    wholeAudit: true,
    commands: [...JUDGING, 'capacity'],
    for: { analyze: { description: 'commit that was recorded', defaultText: 'from the CI job' } },
  },
  format: {
    argument: '<list>',
    choices: FORMATS,
    brief: 'also md, junit, csv',
    description: listOf(FORMATS),
    kind: 'list',
    schema: namesOutOf(FORMATS),
    default: USUAL,
    separator: /[\s,]+/,
    wholeAudit: true,
    commands: WRITING,
    for: {
      merge: {
        description: listOf(FILE_FORMATS),
        schema: namesOutOf(FILE_FORMATS),
        default: ['html', 'json'],
      },
      analyze: {
        description: listOf(FILE_FORMATS),
        schema: namesOutOf(FILE_FORMATS),
        default: ['html', 'json'],
      },
      capacity: {
        description: listOf(CAPACITY_FORMATS),
        schema: namesOutOf(CAPACITY_FORMATS),
        default: ['html', 'json'],
      },
      trend: {
        description: listOf(TREND_FORMATS),
        schema: namesOutOf(TREND_FORMATS),
        default: ['html', 'json'],
      },
      report: {
        description: listOf(FILE_FORMATS),
        schema: namesOutOf(FILE_FORMATS),
        default: ['html'],
      },
    },
  },
  harContent: {
    description: 'keep response bodies in the HAR',
    ...SWITCHED_OFF,
    wholeAudit: true,
    commands: LOADING,
  },
  harSecrets: {
    description: 'keep cookies, tokens and payloads in the HAR',
    ...SWITCHED_OFF,
    wholeAudit: true,
    commands: LOADING,
  },
} as const satisfies OptionRecords);
