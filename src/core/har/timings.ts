import type { Request } from '../../model/network/timeline.ts';
import type { Ms } from '../../model/units.ts';
import { measured } from '../har-codec.ts';
import type { QuiesceTimings } from './format.ts';

/**
 * The phases of a hop as DevTools exports them: queueing lies inside `blocked`, `ssl` inside `connect`, what did not
 * happen is −1, and `send`, `wait`, `receive` are never −1.
 *
 * ```
 * start        first of dns/connect/send    dnsEnd      connectEnd      sendEnd      headers         end
 *   |--- blocked ------|------- dns ----------|-- connect --|--- send -----|--- wait ----|- receive --|
 *   |-queueing-|                                  |-- ssl --|
 * ```
 *
 * The phases tile the time from start to end without gap or overlap. There this departs from DevTools, which counts
 * the DNS time twice when a connection was opened (`connectStart` is the smaller of `dnsEnd` and the end of blocked),
 * loses a millisecond when queueing is −1, and so exports entries whose sum is not their duration.
 * Source: chrome-devtools-frontend `models/har/Log.ts`, `buildTimings`.
 */
export function harTimings(request: Request, start: Ms, end: Ms): QuiesceTimings {
  const { timing, response } = request;
  if (!timing && !response) return { ...NOTHING, blocked: end - start };

  let cursor = start;
  /** The time up to `at`; out-of-order steps, which QUIC reports, take no time. */
  const until = (at: Ms): Ms => {
    const from = cursor;
    cursor = Math.min(end, Math.max(cursor, at));
    return cursor - from;
  };
  const result: QuiesceTimings = { ...NOTHING };

  if (timing) {
    const requestedAt = measured(timing.requestedAt);
    const queueing = requestedAt === undefined ? 0 : until(requestedAt);
    if (queueing > 0) {
      result._blocked_queueing = queueing;
      result.blocked = queueing;
    }
    const begun = leastOf([timing.dnsStart, timing.connectStart, timing.sendStart]) ?? measured(timing.proxyEnd);
    if (begun !== undefined) result.blocked = queueing + until(begun);

    const proxyStart = measured(timing.proxyStart);
    const proxyEnd = measured(timing.proxyEnd);
    if (proxyStart !== undefined && proxyEnd !== undefined) result._blocked_proxy = Math.max(0, proxyEnd - proxyStart);

    const dnsEnd = measured(timing.dnsEnd);
    if (dnsEnd !== undefined) result.dns = until(dnsEnd);

    const connectEnd = measured(timing.connectEnd);
    if (connectEnd !== undefined) {
      const connectFrom = cursor;
      result.connect = until(connectEnd);
      const sslStart = measured(timing.sslStart);
      const sslEnd = measured(timing.sslEnd);
      if (sslStart !== undefined && sslEnd !== undefined) {
        const within = (at: Ms): Ms => Math.min(cursor, Math.max(connectFrom, at));
        result.ssl = Math.max(0, within(sslEnd) - within(sslStart));
      }
    }
    const sendEnd = measured(timing.sendEnd);
    if (sendEnd !== undefined) result.send = until(sendEnd);

    const base = requestedAt ?? start;
    const workerStart = measured(timing.workerStart);
    const workerReady = measured(timing.workerReady);
    if (workerStart !== undefined) result._workerStart = Math.max(-1, workerStart - base);
    if (workerReady !== undefined) result._workerReady = Math.max(-1, workerReady - base);
  }

  // DevTools takes the headers' own time where it is earlier than the event that told of them.
  result.wait = until(leastOf([response?.at, timing?.headersEnd]) ?? end);
  result.receive = until(end);
  return result;
}

/** The duration that HAR 1.2 demands: all phases, without `ssl`, which is part of `connect`. */
export function harTime(timings: QuiesceTimings): Ms {
  const { blocked, dns, connect, send, wait, receive } = timings;
  let time = 0;
  for (const phase of [blocked, dns, connect, send, wait, receive]) time += Math.max(0, phase);
  return time;
}

const NOTHING: QuiesceTimings = {
  blocked: -1,
  dns: -1,
  connect: -1,
  ssl: -1,
  send: 0,
  wait: 0,
  receive: 0,
  _blocked_queueing: -1,
};

function leastOf(values: readonly (number | undefined)[]): number | undefined {
  let least: number | undefined;
  for (const value of values) {
    const known = measured(value);
    if (known !== undefined && (least === undefined || known < least)) least = known;
  }
  return least;
}
