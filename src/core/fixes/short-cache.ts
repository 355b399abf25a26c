import type { ResourceType } from '../../model/network/network.ts';
import type { Response } from '../../model/network/timeline.ts';
import { headerOf } from '../text/header.ts';
import { type Fix, isFetched, sizeOf, urlsOf } from './fix.ts';

/**
 * For so long a browser should keep a file that does not change, seconds. Source: Chrome DevTools, performance insight
 * "Use efficient cache lifetimes" (`models/trace/insights/Cache.ts`): from 30 days on nothing is reported.
 */
const LONG_S = 30 * 24 * 60 * 60;
/** Fewer bytes than come in the first round trip of a connection gain little, bytes. Source: RFC 6928, ten segments. */
const WORTH_BYTES = 14_600;
const FILES: ReadonlySet<ResourceType> = new Set(['script', 'stylesheet', 'font', 'image']);

/** Files that a browser may not keep, or not for long. The first visit is as fast with them; the next is not. */
export const shortCache: Fix = (load) => {
  const short = load.steps.flatMap((step) => {
    const seconds =
      FILES.has(step.request.type) && isFetched(step.request) ? lifetimeOf(step.request.response) : undefined;
    return seconds === undefined || seconds >= LONG_S ? [] : [{ step, seconds }];
  });
  const bytes = short.reduce((sum, { step }) => sum + sizeOf(step), 0);
  if (bytes < WORTH_BYTES) return [];
  const largestFirst = short.map(({ step }) => step).toSorted((a, b) => sizeOf(b) - sizeOf(a));
  const unkept = short.filter(({ seconds }) => seconds <= 0).length;
  return [
    { code: 'short-cache', urls: urlsOf(largestFirst), savesMs: 0, facts: { requests: short.length, unkept, bytes } },
  ];
};

/** For how long an answer may be used without asking again, seconds; undefined where the recording has no headers. */
function lifetimeOf({ headers }: Pick<Response, 'headers'> = { headers: [] }): number | undefined {
  if (headers.length === 0) return undefined;
  const control = (headerOf(headers, 'cache-control') ?? '').toLowerCase();
  if (/\bno-(?:store|cache)\b/.test(control)) return 0;
  const age = /\bmax-age\s*=\s*"?(\d+)/.exec(control)?.[1];
  if (age !== undefined) return Number(age);
  const expires = Date.parse(headerOf(headers, 'expires') ?? '');
  const date = Date.parse(headerOf(headers, 'date') ?? '');
  return Number.isFinite(expires - date) ? (expires - date) / 1000 : 0;
}
