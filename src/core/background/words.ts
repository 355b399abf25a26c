import type { Initiator } from '../../model/network.ts';
import type { Request } from '../../model/timeline.ts';
import { amount } from '../experiment/figures.ts';
import { median } from './rhythm.ts';

/** "1 message", "3 messages". */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}

/** Milliseconds as every report writes them: "340 ms", "1.00 s". */
export function duration(ms: number): string {
  return amount(ms, 'ms');
}

/** ", 38 B each": how large the answers were; empty when none is known. */
export function sizes(requests: readonly Request[]): string {
  const known = requests.filter((request) => request.outcome === 'finished').map((request) => request.contentSize);
  if (known.length === 0) return '';
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return least === most
    ? `, ${amount(least, 'bytes')} each`
    : `, about ${amount(Math.round(median(known)), 'bytes')} each`;
}

/** Timers by the names that Chrome gives to what scheduled a script. */
const TIMERS: ReadonlySet<string> = new Set([
  'setInterval',
  'setTimeout',
  'requestAnimationFrame',
  'requestIdleCallback',
]);

/** Was a request started by a timer, and by which? Known only where asynchronous stacks were recorded. */
export function timerOf(initiator: Initiator | undefined): string | undefined {
  const name = initiator?.scheduledBy;
  return name !== undefined && TIMERS.has(name) ? name : undefined;
}

/** ", from a timer in app.js:41": where in the page a request came from; empty when that is not known. */
export function origin({ initiator }: Pick<Request, 'initiator'>): string {
  const frame = initiator?.stack?.find(({ url }) => url !== '');
  const where = frame ? `${fileOf(frame.url)}:${frame.line}` : undefined;
  const timer = timerOf(initiator);
  if (timer !== undefined) return `, from a timer (${timer})${where === undefined ? '' : ` in ${where}`}`;
  return where === undefined ? '' : `, from ${where}`;
}

/** The last part of a path; a page's own script is "the page". */
function fileOf(url: string): string {
  const path = url.replace(/[?#].*$/s, '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name === '' ? 'the page' : name.length > 60 ? `${name.slice(0, 30)}…${name.slice(-29)}` : name;
}
