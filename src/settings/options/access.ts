import { z } from 'zod';
import { parseCookie, parseHeader, parseLogin } from '../../core/access/headers.ts';
import { REDACTED } from '../../core/har/redact.ts';
import type { Cookie } from '../../model/access.ts';
import type { Header } from '../../model/network/network.ts';
import { inGroup, LOADING, type OptionRecords } from '../option.ts';
import { duration, parsed, SWITCHED_OFF, text, urlPatterns } from '../value-schemas.ts';

const header = parsed(text('must be a header: Name: value'), parseHeader);
const cookie = parsed(text('must be a cookie: name=value'), parseCookie);
const basicAuth = parsed(text('must be user:password'), parseLogin);

/** Commands that ask a server for something that may need a login. */
const ASKING = [...LOADING, 'capacity'] as const;

/** Access to the page, and requests that are blocked. */
export const access = inGroup('Access', {
  header: {
    short: 'H',
    argument: '<line>',
    brief: "'Name: value', such as a login",
    description: "'Name: value', sent only to the target's own origin; repeatable",
    kind: 'list',
    schema: z.array(header, 'must be a list of headers'),
    stored: (headers: readonly Header[]) => headers.map(({ name }) => `${name}: ${REDACTED}`),
    default: [],
    repeatable: true,
    separator: /\s*\n\s*/,
    secret: true,
    commands: ASKING,
  },
  cookie: {
    argument: '<pair>',
    description: "name=value, for the target's own host; repeatable",
    kind: 'list',
    schema: z.array(cookie, 'must be a list of cookies'),
    stored: (cookies: readonly Cookie[]) => cookies.map(({ name }) => `${name}=${REDACTED}`),
    default: [],
    repeatable: true,
    separator: /\s*[;\n]\s*/,
    secret: true,
    commands: ASKING,
  },
  basicAuth: {
    argument: '<user:password>',
    description: "login for the target's own origin; better set as QUIESCE_BASIC_AUTH",
    kind: 'text',
    schema: basicAuth,
    stored: () => REDACTED,
    secret: true,
    commands: ASKING,
  },
  storageState: {
    argument: '<file>',
    description: 'cookies and storage that each load begins with, saved by Playwright: auth.json',
    kind: 'text',
    schema: text('must be the path of a file'),
    isPath: true,
    commands: ASKING,
  },
  block: {
    argument: '<pattern>',
    description: 'block requests whose URL matches, * for anything; repeatable',
    kind: 'list',
    schema: urlPatterns(),
    default: [],
    repeatable: true,
    separator: /\s+/,
    commands: LOADING,
  },
  ignoreCertificateErrors: {
    description: 'load pages with invalid certificates, for test servers',
    ...SWITCHED_OFF,
    commands: ASKING,
  },
  script: {
    argument: '<file>',
    description: 'module with before(page) to log in, and measure(page, step) for steps after the load',
    kind: 'text',
    schema: text('must be the path of a module'),
    isPath: true,
    commands: LOADING,
  },
  scriptTimeout: {
    argument: '<time>',
    description: 'limit for each part of the script: before a load, in a step, between steps',
    kind: 'duration',
    schema: duration(),
    default: 60_000,
    commands: LOADING,
  },
} as const satisfies OptionRecords);
