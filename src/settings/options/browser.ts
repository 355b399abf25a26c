import { z } from 'zod';
import { shownAddress } from '../../core/access/browser-address.ts';
import { BROWSING, inGroup, type OptionRecords } from '../option.ts';
import { address, onOff, text } from '../value-schemas.ts';

const argument = 'must be an argument that begins with --';

/** Which browser, and how it is started. */
export const browser = inGroup('Browser', {
  browser: {
    short: 'b',
    argument: '<path>',
    description: 'the Chrome, Chromium or Edge to start',
    kind: 'text',
    schema: text('must be the path of a browser'),
    defaultText: 'an installed one',
    isPath: true,
    notAPath: /^[^\\/]+$/,
    wholeAudit: true,
    commands: BROWSING,
  },
  browserWs: {
    argument: '<url>',
    description: 'DevTools address of a running browser, local or remote (ws://…, http://…)',
    kind: 'text',
    schema: address(/^(?:ws|http)s?:\/\/[^\s/]+/, 'must be a ws://, wss://, http:// or https:// address'),
    secret: true,
    stored: shownAddress,
    wholeAudit: true,
    commands: BROWSING,
  },
  browserArg: {
    argument: '<arg>',
    description: 'argument for the browser; repeatable',
    kind: 'list',
    schema: z.array(z.string(argument).regex(/^--?\w/, argument), 'must be a list of arguments'),
    default: [],
    repeatable: true,
    // An argument may contain spaces (--user-agent=A B); the next one begins with a dash.
    separator: /\s*\n\s*|\s+(?=--)/,
    wholeAudit: true,
    commands: BROWSING,
  },
  sandbox: {
    negated: true,
    description: "switch off Chrome's sandbox, if a container forbids it",
    kind: 'switch',
    schema: onOff(),
    defaultText: 'the sandbox is on, except as root',
    wholeAudit: true,
    commands: BROWSING,
  },
} as const satisfies OptionRecords);
