import { defined } from './text/defined.ts';

/** What kept a browser from starting: `unknown` where its text does not tell. */
export type StartCause = 'library-missing' | 'sandbox' | 'open-files' | 'temporary-folder' | 'unknown';

/** Why a browser did not start. */
export interface StartTrouble {
  /** The line of the browser's own text that tells most. */
  readonly detail: string;
  readonly cause: StartCause;
}

/** Few open files were allowed when a browser died; `isReached`: its last words say that these were too few. */
export interface FileShortage {
  readonly isReached: boolean;
  readonly limit?: number;
}

/** More of a line that a program wrote pushes what is said of it out of sight. */
const MAX_LINE_LENGTH = 200;
/** What Chrome puts before each line of its log: process, time, severity, source. */
const LOG_HEAD = /^\[[^\]]*:(FATAL|ERROR|WARNING|INFO)[^\]]*\]\s*/;
const LIBRARY_MISSING = /error while loading shared libraries/;
const SANDBOX = /sandbox|user namespace/i;
/** Of the browser's text and of Node's. Sources: man 3 strerror, `EMFILE` and `ENFILE`; Chromium, base/posix/unix_domain_socket.cc. */
const OPEN_FILES = /too many open files|\bE[MN]FILE\b|\bFD exhaustion\b/i;
/** What systems allow a process at least. Source: Linux, `INR_OPEN_CUR`; Node.js raises lower limits of macOS. */
const USUAL_FILES = 1024;
const TEMPORARY_FOLDER = /socket path too long|\bmkdtemp\b/i;

/**
 * Finds what tells most in the text of a failed start: the line with which the browser ended itself, else what the loader or
 * the browser said last. `text`: what Puppeteer says, with the browser's standard error behind "stderr:".
 */
export function startTrouble(text: string): StartTrouble {
  const [head = '', said = ''] = text.split(/\n\s*stderr:\n/);
  const lines = (said.split(/\n\s*TROUBLESHOOTING:/)[0] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const line =
    lines.find((each) => LOG_HEAD.exec(each)?.[1] === 'FATAL') ??
    lines.find((each) => LIBRARY_MISSING.test(each)) ??
    lines.at(-1) ??
    head.split('\n')[0] ??
    '';
  const plain = line.replace(LOG_HEAD, '').replace(/\s+/g, ' ').replace(/[.!]$/, '');
  const detail = plain.length > MAX_LINE_LENGTH ? `${plain.slice(0, MAX_LINE_LENGTH - 1)}…` : plain;
  return { detail, cause: causeOf(plain) };
}

/** How few open files a browser that died may have had, by its last words and by the limit where that is known. */
export function fileShortage(said: string, limit: number | undefined): FileShortage | undefined {
  const isReached = OPEN_FILES.test(said);
  const isLow = limit !== undefined && limit < USUAL_FILES;
  return isReached || isLow ? defined({ isReached, limit }) : undefined;
}

function causeOf(line: string): StartCause {
  if (LIBRARY_MISSING.test(line)) return 'library-missing';
  if (OPEN_FILES.test(line)) return 'open-files';
  if (TEMPORARY_FOLDER.test(line)) return 'temporary-folder';
  return SANDBOX.test(line) ? 'sandbox' : 'unknown';
}
