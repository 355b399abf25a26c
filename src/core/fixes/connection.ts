import type { Ms } from '../../model/units.ts';
import { originOf } from '../requests/origin.ts';
import type { Load, Step } from './replay/load.ts';

/** How long a request looked up a name, connected and encrypted, ms; 0 on a connection that was open. */
export function connectionTimeOf({ request: { timing } }: Step): Ms {
  const { dnsStart, dnsEnd, connectStart, connectEnd } = timing ?? {};
  const lookup = dnsStart !== undefined && dnsEnd !== undefined ? dnsEnd - dnsStart : 0;
  const connect = connectStart !== undefined && connectEnd !== undefined ? connectEnd - connectStart : 0;
  return Math.max(0, lookup) + Math.max(0, connect);
}

/**
 * How long a request would take to connect, were it sent first, ms: one that used the connection of an earlier request
 * needs its own then. Nothing where a connection that was open by then carries several requests at once (HTTP/2).
 */
export function ownConnectionOf(load: Load, step: Step): Ms {
  if (connectionTimeOf(step) > 0) return 0;
  const origin = originOf(step.request.url);
  if (origin === originOf(load.document.request.url) && !/^http\/1/i.test(step.request.response?.protocol ?? ''))
    return 0;
  const others = load.steps.filter(({ request }) => originOf(request.url) === origin);
  return others.reduce((most, other) => Math.max(most, connectionTimeOf(other)), 0);
}
