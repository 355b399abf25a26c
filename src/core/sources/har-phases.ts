import type { ResourceTiming } from '../../model/network/network.ts';
import type { Ms } from '../../model/units.ts';
import { duration, type Fields, fields, finite, moment } from '../requests/har-fields.ts';
import type { Entry } from './har-entry.ts';
import type { Maker } from './har-producers.ts';

/** Where a page begins on the clock of its file. */
export interface Zero {
  /** Milliseconds since the Unix epoch. */
  readonly navigationStart: number;
  /** How long after the date of the page that is, ms: what the file counts from that date is less by as much. */
  readonly shift: Ms;
}

/**
 * Where the time of a TLS handshake is. HAR says that `ssl` lies in `connect`. Firefox and mitmproxy write it behind `connect`, and
 * `time` is the sum of all. Playwright's lies in `connect`, and is in the sum all the same. Undefined: each entry's `time` shows it.
 */
export type Handshake = 'after-connect' | 'added-twice' | undefined;

/** How the tool that wrote these entries notes handshakes: one that took longer than its connection cannot lie in it. */
export function handshakeOf({ creator, product }: Maker, entries: readonly Entry[]): Handshake {
  if (creator === 'Playwright') return 'added-twice';
  const isFirefox = creator === 'Firefox' || (creator === 'Browsertime' && /^firefox/i.test(product));
  const isLonger = ({ fields: own }: Entry): boolean => {
    const { ssl, connect } = fields(own.timings);
    return (duration(ssl) ?? 0) > (duration(connect) ?? Number.POSITIVE_INFINITY);
  };
  return isFirefox || creator === 'mitmproxy' || entries.some(isLonger) ? 'after-connect' : undefined;
}

/** When the page asked for it. WebPageTest's date is that of the sending, after the connection was made. */
export function startOf({ fields: own, startedAt }: Entry, zero: Zero): Ms {
  const all = wholeOf(own, zero);
  if (all) return all.start;
  const start = Number.isFinite(startedAt) ? startedAt - zero.navigationStart : (moment(own._startedAt) ?? 0);
  return start - (duration(fields(own.timings)._queued) ?? 0);
}

/** WebPageTest says when all of an exchange began and ended, counted from the date of the page. */
function wholeOf(own: Fields, { shift }: Zero): { readonly start: Ms; readonly end: Ms } | undefined {
  const start = moment(own._all_start);
  const end = moment(own._all_end);
  return start !== undefined && end !== undefined && end > start
    ? { start: start - shift, end: end - shift }
    : undefined;
}

/** The phases of an entry as moments. `end` is absent when the entry does not say how long it took: null (NaN, once it is JSON), −1, or nothing. */
export interface Phases {
  readonly timing: ResourceTiming;
  readonly headersEnd: Ms;
  readonly end?: Ms;
}

/** Tools round to a millisecond or two, ms. */
const ROUNDING_MS = 1;

/** The phases of HAR laid one after the other. */
export function phasesOf(own: Fields, start: Ms, zero: Zero, handshake: Handshake): Phases {
  const timings = fields(own.timings);
  const phase = (name: string): number | undefined => duration(timings[name]);
  const queued = phase('_queued') ?? 0;
  // chrome-har's date is when the network stack took the request, and `_queued` what it had waited before.
  const requestedAt = start + (phase('_blocked_queueing') ?? phase('_queued') ?? 0);
  const [dns, connect, ssl] = [phase('dns'), phase('connect'), phase('ssl') ?? 0];
  const kept = keptFor(own);
  const receive = kept > 0 ? 0 : phase('receive');
  const written = duration(own.time);
  const time = written === undefined ? undefined : Math.max(0, written - kept);
  const dnsStart = Math.max(requestedAt, queued + start + (phase('blocked') ?? 0));
  const connectStart = dnsStart + (dns ?? 0);
  const answerTime = (phase('send') ?? 0) + (phase('wait') ?? 0) + (receive ?? 0);
  const sum = connectStart - start - queued + (connect ?? 0) + answerTime;
  const explains = (other: number): boolean => time !== undefined && Math.abs(time - other) <= ROUNDING_MS;
  const isAfter = handshake === 'after-connect' || (handshake === undefined && !explains(sum) && explains(sum + ssl));
  const connectEnd = connectStart + (connect ?? 0) + (isAfter ? ssl : 0);
  const sendEnd = connectEnd + (phase('send') ?? 0);
  const headersEnd = sendEnd + (phase('wait') ?? 0);
  const last = headersEnd + (receive ?? 0);
  const isTwice = handshake === 'added-twice' && explains(sum + ssl);
  // Some tools write phases that sum to less than the time: Charles rounds.
  const end = wholeOf(own, zero)?.end ?? (isTwice ? last : Math.max(last, start + queued + (time ?? 0)));
  const hasConnection = connect !== undefined || (isAfter && ssl > 0);
  const hasHandshake = hasConnection && phase('ssl') !== undefined;
  return {
    timing: {
      requestedAt,
      ...(dns !== undefined && { dnsStart, dnsEnd: connectStart }),
      ...(hasConnection && { connectStart, connectEnd }),
      ...(hasHandshake && { sslStart: Math.max(connectStart, connectEnd - ssl), sslEnd: connectEnd }),
      sendStart: connectEnd,
      sendEnd,
      headersEnd,
    },
    headersEnd,
    ...((time !== undefined || receive !== undefined) && { end }),
  };
}

/** What comes out of a cache comes in less, ms. */
const LONGEST_READ_MS = 1_000;

/**
 * How long an answer had been in a cache, where a tool takes that for the time that its body took, ms; else 0. chrome-har counts from
 * when it was put there. Source: https://github.com/sitespeedio/chrome-har/issues/62
 */
function keptFor(own: Fields): Ms {
  const receive = duration(fields(own.timings).receive) ?? 0;
  const response = fields(own.response);
  const isSent = [response.bodySize, response._transferSize].some((size) => (finite(size) ?? 0) > 0);
  const before = fields(own.cache).beforeRequest;
  const isCached = own._fromCache !== undefined || (typeof before === 'object' && before !== null);
  return isCached && !isSent && receive > LONGEST_READ_MS ? receive : 0;
}
