import { z } from 'zod';
import { inGroup, type OptionRecords } from '../option.ts';
import { text, wholeNumber } from '../value-schemas.ts';

/** Which pages are audited, or compared. */
export const pages = inGroup('Pages', {
  pages: {
    argument: '<path...>',
    description:
      'pages to compare: paths that both builds have, up to the next option; a name of pages in the configuration file',
    kind: 'list',
    schema: z
      .array(text('must be the path of a page, such as /products'), 'must be a list of paths')
      .min(1, 'must name a page'),
    separator: /\s+/,
    defaultText: 'the address of each build',
    commands: ['compare'],
  },
  urlsFile: {
    argument: '<file>',
    description: 'file with one page per line: a URL, optionally followed by a space and a name; - for stdin',
    kind: 'text',
    schema: text('must be the path of a file, or -'),
    isPath: true,
    notAPath: /^-$/,
    wholeAudit: true,
    commands: ['audit', 'capacity', 'compare'],
    for: {
      compare: {
        description: 'file with one page per line: a path, optionally followed by a space and a name; - for stdin',
      },
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
    commands: ['audit', 'compare'],
    for: { compare: { description: 'sitemap of the base: its pages are compared' } },
  },
  maxPages: {
    argument: '<n>',
    description: 'maximum number of pages from the sitemap',
    kind: 'number',
    schema: wholeNumber(1, 10_000),
    default: 25,
    wholeAudit: true,
    commands: ['audit', 'compare'],
  },
} as const satisfies OptionRecords);
