import type { FindingFacts } from '../model/result/finding.ts';
import type { TargetResult } from '../model/result/result.ts';
import { type Fault, faultsOf, isErrorDocument } from '../result/health.ts';
import { failedInWords, placeInWords } from './result/findings.ts';
import { formatCount, joined } from './text/format.ts';
import { nameOf } from './text/names.ts';

/** A line above the number: that the page does not work, or loaded without something. */
export interface HealthLine {
  readonly isBroken: boolean;
  /** "The page is broken". */
  readonly title: string;
  /** What follows the title: ": /api/items (HTTP 500) failed.". */
  readonly rest: string;
  /** One or two sentences: both together. */
  readonly sentence: string;
}

const line = (isBroken: boolean, title: string, why: string): HealthLine => {
  const rest = `: ${why}`;
  return { isBroken, title, rest, sentence: title + rest };
};

/** Faults and requests that a line names. */
const MAX_FAULTS = 3;

/** What a reader must know before reading the time of a page; undefined of a page that works. */
export function healthLine(target: Pick<TargetResult, 'runs' | 'url' | 'finalUrl'>): HealthLine | undefined {
  if (isErrorDocument(target)) return undefined;
  const pageUrl = target.finalUrl ?? target.url;
  const faults = faultsOf(target);
  const breaking = faults.filter(({ isBroken }) => isBroken);
  if (breaking.length > 0) {
    const reasons = breaking.map((fault) => faultInWords(fault, pageUrl));
    const more = reasons.length - MAX_FAULTS;
    const all = more > 0 ? [...reasons.slice(0, MAX_FAULTS), formatCount(more, 'more problem')] : reasons;
    const why = `${all.join('; ')}. Repair that first: the time below is not that of a page that works.`;
    return line(true, 'The page is broken', why);
  }
  const login = faults.find(({ finding }) => finding.code === 'login-page');
  if (login) return line(false, 'This is a login page', loginInWords(login.finding.facts, pageUrl));
  const [failed] = faults.filter((fault) => fault.failed.length > 0);
  if (failed) {
    const requests = requestsOf(failed);
    const title = `The page loaded with ${formatCount(requests, 'failed request')}`;
    return line(false, title, `${failedNames(failed, pageUrl)}${often(failed)}.`);
  }
  const [other] = faults;
  if (other === undefined) return undefined;
  return line(false, 'The page loaded with an error', `${faultInWords(other, pageUrl)}.`);
}

/** What breaks a page, in a few words for a list: "script error: cart is not defined"; undefined of a page that works. */
export function brokenBecause(target: Pick<TargetResult, 'runs' | 'url' | 'finalUrl'>): string | undefined {
  if (isErrorDocument(target)) {
    const { status } = target.runs[0]?.failure ?? {};
    return status === undefined ? 'error instead of the page' : `HTTP ${status}`;
  }
  const [fault, ...more] = faultsOf(target).filter(({ isBroken }) => isBroken);
  if (fault === undefined) return undefined;
  const others = more.length === 0 ? '' : `, and ${formatCount(more.length, 'more problem')}`;
  return `${inShort(fault, target.finalUrl ?? target.url)}${others}`;
}

function inShort(fault: Fault, pageUrl: string): string {
  const { code, facts } = fault.finding;
  const text = textOf(facts);
  switch (code) {
    case 'script-error':
      return facts && 'message' in facts ? `script error: ${withoutClass(facts.message)}` : 'script error';
    case 'blank-page':
      return 'blank page';
    case 'stopped-answering':
      return 'stopped answering';
    case 'error-page':
      return `error page: ${text}`;
    case 'error-shown':
      return `shows an error: ${text}`;
    case 'blocked-by-policy':
      return 'own script blocked by its Content-Security-Policy';
    default:
      return clauseOf(fault, pageUrl);
  }
}

/** "cart is not defined" of "Uncaught ReferenceError: cart is not defined": the class says no more. */
const withoutClass = (message: string): string => message.replace(/^(?:Uncaught )?(?:\w*Error: )?(?=.)/, '');

/** One fault as a clause: "it shows an error: “…”", "/api/items (HTTP 500) failed in 2 of 5 runs". */
function faultInWords(fault: Fault, pageUrl: string): string {
  return clauseOf(fault, pageUrl) + often(fault);
}

function clauseOf(fault: Fault, pageUrl: string): string {
  const { code, facts } = fault.finding;
  switch (code) {
    case 'stopped-answering':
      return 'it stopped answering';
    case 'blank-page':
      return 'it is blank';
    case 'error-page':
      return `it is an error page (“${textOf(facts)}”)`;
    case 'error-shown':
      return `it shows an error (“${textOf(facts)}”)`;
    case 'blocked-by-policy':
      return 'its Content-Security-Policy blocked one of its own scripts';
    case 'script-error':
      return scriptErrorInWords(facts, pageUrl);
    default:
      return `${failedNames(fault, pageUrl)} failed`;
  }
}

function loginInWords(facts: FindingFacts | undefined, pageUrl: string): string {
  const led =
    facts && 'asked' in facts && typeof facts.asked === 'string' ? `${nameOf(facts.asked, pageUrl)} led to it. ` : '';
  return `${led}To measure what is behind it, sign in with --script, --cookie or --header.`;
}

const textOf = (facts: FindingFacts | undefined): string => (facts && 'text' in facts ? facts.text : '');

function scriptErrorInWords(facts: FindingFacts | undefined, pageUrl: string): string {
  if (!facts || !('message' in facts)) return 'a script failed';
  const where = facts.url === undefined ? '' : ` (${placeInWords(facts.url, facts.line, pageUrl)})`;
  return `a script failed with “${facts.message}”${where}`;
}

/** How many requests a fault names: of one that breaks the page those that it needs. */
const requestsOf = (fault: Fault): number => named(fault).length;

function named({ failed, isBroken }: Fault): Fault['failed'] {
  return isBroken ? failed.filter(({ isNeeded }) => isNeeded) : failed;
}

function failedNames(fault: Fault, pageUrl: string): string {
  return joined([...new Set(named(fault).map((each) => failedInWords(each, pageUrl)))], MAX_FAULTS);
}

/** In how many runs, where not in all. */
function often({ runs, of }: Fault): string {
  if (runs === of || of <= 1) return '';
  return runs === 0 ? ' in the untimed run' : ` in ${runs} of ${of} runs`;
}
