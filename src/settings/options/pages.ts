import { inGroup, type OptionRecords } from '../option.ts';
import { text, wholeNumber } from '../value-schemas.ts';

/** Which pages are audited. */
export const pages = inGroup('Pages', {
  urlsFile: {
    argument: '<file>',
    description: 'file with one page per line: a URL, optionally followed by a space and a name; - for stdin',
    kind: 'text',
    schema: text('must be the path of a file, or -'),
    isPath: true,
    notAPath: /^-$/,
    wholeAudit: true,
    commands: ['audit', 'capacity'],
    for: {
      capacity: {
        description: 'file with one path or URL of the server per line, optionally followed by a space and a weight',
      },
    },
  },
  sitemap: {
    argument: '<url|file>',
    description: 'sitemap.xml or sitemap index with pages of its own origin, gzipped or not',
    kind: 'text',
    schema: text('must be the URL or the path of a sitemap'),
    isPath: true,
    notAPath: /^https?:/i,
    wholeAudit: true,
    commands: ['audit'],
  },
  maxPages: {
    argument: '<n>',
    description: 'maximum number of pages from the sitemap',
    kind: 'number',
    schema: wholeNumber(1, 10_000),
    default: 25,
    wholeAudit: true,
    commands: ['audit'],
  },
} as const satisfies OptionRecords);
