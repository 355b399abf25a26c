import { z } from 'zod';
import { inGroup, type OptionRecords } from '../option.ts';
import { address, SWITCHED_ON, wholeNumber } from '../value-schemas.ts';

const commentKey = 'must be up to 64 letters, digits, dots, dashes or underscores';

/** How a result is published on GitHub. */
export const github = inGroup('On GitHub', {
  comment: {
    negated: true,
    description: 'do not comment on the pull request',
    ...SWITCHED_ON,
    defaultText: 'Quiesce comments',
    commands: ['github'],
  },
  commentKey: {
    argument: '<key>',
    description: 'name of the comment to keep up to date; each key has its own comment',
    kind: 'text',
    schema: z.string(commentKey).regex(/^[\w.-]{1,64}$/, commentKey),
    default: 'quiesce',
    commands: ['github'],
  },
  pull: {
    argument: '<number>',
    description: 'number of the pull request to comment on',
    kind: 'number',
    schema: wholeNumber(1),
    defaultText: "the event's",
    commands: ['github'],
  },
  reportUrl: {
    argument: '<url>',
    description: 'address of the report, such as the uploaded artifact',
    kind: 'text',
    schema: address(/^https?:\/\/[^\s/]+/i, 'must be an http:// or https:// address'),
    commands: ['github'],
  },
} as const satisfies OptionRecords);
