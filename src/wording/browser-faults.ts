import type {
  ConnectionFault,
  ExecutableFault,
  FileShortage,
  InstallFault,
  LighthouseFault,
  ScriptFault,
  ScriptPart,
} from '../model/browser-fault.ts';

/** Why a file cannot be started as a browser. */
export const EXECUTABLE_FAULTS: Readonly<Record<ExecutableFault, string>> = {
  'no-file': 'no such file',
  'not-a-file': 'not a file',
  'not-executable': 'not executable',
};

/** What to do about a status that has one reason only. */
const STATUS_ADVICE: Readonly<Record<number, string>> = {
  200: ', and no WebSocket is there',
  401: ': it needs a login or a token in the address',
  403: ': it needs another login or token in the address',
};

/** Why a running browser cannot be measured in, a clause. */
export function connectionFaultInWords(fault: ConnectionFault): string {
  switch (fault.code) {
    case 'no-browser':
      return 'the program that answers is not a browser';
    case 'ended':
      return 'the connection ended before the browser had shown what it can do';
    case 'no-session':
      return 'the browser gave no session';
    case 'no-page-session':
      return 'it refuses sessions with a page';
    case 'status':
      return `it answered HTTP ${fault.status}${STATUS_ADVICE[fault.status] ?? ''}`;
    case 'silent':
      return `it sent nothing more within ${fault.limit / 1000} s`;
    case 'other-protocol':
      return `the program that answers does not speak the DevTools protocol of a browser${fault.said === undefined ? '' : `: ${fault.said}`}`;
    case 'no-root-session':
      return `it refuses a session with the whole browser, as the address of a page does: ${fault.why}`;
    case 'no-context':
      return `it refuses a page in a context of its own: ${fault.why}`;
  }
}

/** Why a browser cannot be installed, a clause. */
export function installFaultInWords(fault: InstallFault): string {
  switch (fault.code) {
    case 'no-build':
      return `no Chrome for Testing is made for ${fault.platform} ${fault.architecture}`;
    case 'no-stable-build':
      return `${fault.url} names no stable build`;
    case 'no-browser-inside':
      return `the archive at ${fault.url} contains no browser`;
    case 'empty':
      return `${fault.url} is empty`;
    case 'status':
      return `HTTP ${fault.status} from ${fault.url}`;
    case 'cut':
      return `${fault.received} of ${fault.total} bytes arrived from ${fault.url}`;
  }
}

/** A part of a script, as in "failed in the step …". */
export function scriptPartInWords(part: ScriptPart): string {
  return typeof part === 'string' ? `${part}()` : `the step "${part.step}"`;
}

/** What is wrong with a script, a clause. */
export function scriptFaultInWords(fault: ScriptFault): string {
  switch (fault.code) {
    case 'late':
      return `it did not finish within ${Math.round(fault.limit / 100) / 10} s (--script-timeout)`;
    case 'over':
      return 'the script has finished';
    case 'not-opened-again':
      return 'it had to be ended before, and could not be opened again';
    case 'exited':
      return `it ended its process${fault.exit === undefined ? '' : ` (process.exit(${fault.exit}))`} before it finished`;
    case 'step-unnamed':
      return 'a step needs a name: step("open the menu", async () => …)';
    case 'step-without-action':
      return `the step "${fault.step}" needs a function: step("${fault.step}", async () => …)`;
    case 'step-twice':
      return `two steps are called "${fault.step}"`;
    case 'step-inside-another':
      return `the step "${fault.step}" begins inside another one: wait for each, await step(…)`;
  }
}

/** Why Lighthouse gave nothing, a clause. */
export function lighthouseFaultInWords(fault: LighthouseFault): string {
  switch (fault.code) {
    case 'not-chrome':
      return 'it needs Chrome';
    case 'thrown':
      return fault.why;
    case 'browser-died':
      return 'the browser died';
    case 'no-result':
      return 'it gave no result';
    case 'late':
      return `it took longer than ${fault.limit / 1000} s`;
  }
}

/** What few open files have to do with the end of a browser, a sentence. */
export function fileShortageInWords({ isReached, limit }: FileShortage): string {
  const allowed = limit === undefined ? '' : ` (ulimit -n ${limit})`;
  return `${isReached ? 'It had' : 'It may have had'} too many open files${allowed}.`;
}
