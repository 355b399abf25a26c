import { z } from 'zod';
import { isExpression } from '../expression.ts';
import { inGroup, JUDGING, LOADING, type OptionRecords } from '../option.ts';
import { duration, text, urlPatterns, wholeNumber } from '../value-schemas.ts';

const completeOn = text('must be a CSS selector, mark:<name> or js:<expression>')
  .refine((value) => !/^(mark|js):\s*$/.test(value), 'needs a name after mark:, an expression after js:')
  .refine((value) => !value.startsWith('js:') || isExpression(value.slice(3)), 'must be a JavaScript expression');

/** Without options, a HAR is judged by the policy that it contains. */
const asRecorded = <const T extends string>(value: T) =>
  ({ default: undefined, defaultText: `the file's, or ${value}` }) as const;

/** When a page counts as complete. */
export const completion = inGroup('When the page is complete', {
  quietWindow: {
    argument: '<time>',
    description: 'how long the network must be silent to prove that the page is complete; not part of the time',
    kind: 'duration',
    schema: duration(),
    default: 3000,
    commands: JUDGING,
    for: { analyze: asRecorded('3s') },
  },
  maxInflight: {
    argument: '<n>',
    description: 'in-flight requests allowed in the quiet window',
    kind: 'number',
    schema: wholeNumber(0),
    default: 0,
    commands: JUDGING,
    for: { analyze: asRecorded('0') },
  },
  background: {
    argument: '<pattern>',
    brief: 'URLs that the page does not need',
    description: 'URLs that the page does not need, * for anything; repeatable',
    kind: 'list',
    schema: urlPatterns(),
    default: [],
    repeatable: true,
    separator: /\s+/,
    commands: JUDGING,
    for: { analyze: asRecorded('none') },
  },
  foreground: {
    argument: '<pattern>',
    description: 'URLs that the page does need, * for anything; repeatable',
    kind: 'list',
    schema: urlPatterns(),
    default: [],
    repeatable: true,
    separator: /\s+/,
    commands: JUDGING,
    for: { analyze: asRecorded('none') },
  },
  lateContent: {
    argument: '<how>',
    description:
      'content that arrives after a whole quiet window and changes the screen: report it, or include it in the time',
    choices: ['report', 'include'],
    kind: 'text',
    schema: z.enum(['report', 'include'], 'must be report or include'),
    default: 'report',
    commands: LOADING,
  },
  completeOn: {
    argument: '<mark>',
    description: "the page's own mark: a CSS selector, mark:<name> of performance.mark, or js:<expression>",
    kind: 'text',
    schema: completeOn,
    commands: LOADING,
  },
} as const satisfies OptionRecords);
