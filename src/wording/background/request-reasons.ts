import type { RequestReason, RequestSource } from '../../model/background/request-reason.ts';
import { formatValue } from '../text/format.ts';
import { nameOf } from '../text/names.ts';

/** Longer names of files are cut as addresses are. */
const LONGEST_FILE = 40;

/** How a request came to be asked for, as a clause: "requested by app.js:12 after /api/list finished". */
export function requestReasonInWords(reason: RequestReason, pageUrl: string): string {
  const { awaited, preflight } = reason;
  const came = awaited === undefined ? '' : ` after ${awaitedInWords(awaited, pageUrl)}`;
  const clause = causeInWords(reason, pageUrl) + came;
  return preflight ? `a preflight, which asks the server for permission (CORS); ${clause}` : clause;
}

const timerOf = ({ timer }: RequestReason): string => (timer ? 'a timer of ' : '');

function awaitedInWords(awaited: NonNullable<RequestReason['awaited']>, pageUrl: string): string {
  const name = calledOf(awaited, pageUrl);
  if (awaited.message) return `a message of ${name}`;
  return `${name} ${awaited.failed ? 'failed' : 'finished'}`;
}

function causeInWords(reason: RequestReason, pageUrl: string): string {
  switch (reason.code) {
    case 'navigation':
      return 'the start of the navigation';
    case 'preflight-answered':
      return 'sent after its preflight';
    case 'redirected':
      return 'redirected';
    case 'replaced':
      return `replaced ${calledOf(reason.by, pageUrl)}`;
    case 'parser':
      return reason.by === undefined
        ? 'found by the parser'
        : `found by the parser in ${fileAndLine(reason.by, reason.line, pageUrl)}`;
    case 'preload':
      return `preloaded by ${fileAndLine(reason.by, reason.line, pageUrl)}`;
    case 'file':
      return `requested by ${timerOf(reason)}${fileAndLine(reason.by, reason.line, pageUrl)}`;
    case 'inline-script':
      return `requested by ${timerOf(reason)}a script in ${fileAndLine(reason.by, reason.line, pageUrl)}`;
    case 'script':
      return `requested by ${timerOf(reason)}a script`;
    case 'after':
      return unknownInWords(reason, pageUrl);
  }
}

/** Time alone shows nothing. */
function unknownInWords({ by, since }: Extract<RequestReason, { readonly code: 'after' }>, pageUrl: string): string {
  const name = calledOf(by, pageUrl);
  const when =
    since === undefined
      ? `after ${name}`
      : `${formatValue(since, 'ms')} after ${name} ${by.failed ? 'failed' : 'ended'}`;
  return `started ${when}; nothing shows that one led to the other`;
}

/** A file with its line is written as everybody writes it; a page is no file. */
export function fileAndLine(by: RequestSource, line: number | undefined, pageUrl: string): string {
  const name = calledOf(by, pageUrl);
  if (line === undefined) return name;
  return /\.\w+$/.test(name) ? `${name}:${line}` : `${name}, line ${line}`;
}

/** "the page", the name of a file where an address ends with one, or what a sentence calls the address. */
function calledOf({ url, isPage }: RequestSource, pageUrl: string): string {
  if (isPage) return 'the page';
  const file = /^[a-z][\w+.-]*:\/\/[^?#]*\/([^/?#]+\.[a-z]\w{0,9})(?:[?#]|$)/i.exec(url)?.[1];
  return file !== undefined && file.length <= LONGEST_FILE ? file : nameOf(url, pageUrl);
}
