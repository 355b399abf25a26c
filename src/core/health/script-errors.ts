import type { ScriptError } from '../../model/health.ts';
import { siteOf } from '../requests/site.ts';
import { type Check, isOptional } from './check.ts';
import { ownSite } from './failed-requests.ts';

/** Findings of one load: a script that throws in a loop says the same a thousand times. */
const MAX_FINDINGS = 10;

/**
 * What browsers report as an error and what is none: a request that the page gave up, a video that waits for a click, and
 * a note on how elements are measured. Source: DOM "AbortError", HTML "NotAllowedError", Resize Observer "deliver
 * resize loop error".
 */
const HARMLESS = /AbortError|NotAllowedError|ResizeObserver loop|^Script error\.?$/i;

/** Errors that no script caught, each once. Those of the page's own scripts break it. */
export const scriptErrors: Check = (visit) => {
  const own = ownSite(visit);
  const harmful = (visit.recording.scriptErrors ?? []).filter(({ message }) => !HARMLESS.test(message));
  const alike = Map.groupBy(harmful, ({ message, url = '' }) => JSON.stringify([message, url]));
  return [...alike.values()].slice(0, MAX_FINDINGS).flatMap((errors) => {
    const [first] = errors;
    if (first === undefined) return [];
    const { message, url, line } = first;
    return [
      {
        code: 'script-error' as const,
        urls: url === undefined ? [] : [url],
        facts: { message, errors: errors.length, url, line, isBroken: isOwnFault(first, own) },
      },
    ];
  });
};

function isOwnFault({ message, url }: ScriptError, own: string): boolean {
  // What a page calls of a script that it can do without is not there when that script is not.
  const [, missing] = /ReferenceError: (?:Can't find variable: )?([\w$]+)/.exec(message) ?? [];
  if (missing !== undefined && isOptional(missing)) return false;
  if (url === undefined || !/^https?:/i.test(url)) return true;
  return (own === '' || siteOf(url) === own) && !isOptional(new URL(url).pathname);
}
