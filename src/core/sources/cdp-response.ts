import type { Protocol } from 'devtools-protocol';
import type { CacheKind, Header, NetworkEvent, ResourceTiming } from '../../model/network/network.ts';
import type { Ms } from '../../model/units.ts';
import { toMicroseconds } from '../time/time.ts';
import type { Hop, ToMs } from './cdp-hop.ts';

/** An answer's headers, with the times that led to them. */
export function responseEvent(
  { id, servedFromMemory }: Pick<Hop, 'id'> & Partial<Hop>,
  at: Ms,
  response: Protocol.Network.Response,
  hasExtraInfo: boolean,
  ms: ToMs,
): Extract<NetworkEvent, { kind: 'response' }> {
  const fromCache = servedFromMemory ? 'memory' : cacheOf(response);
  const timing = response.timing && timingOf(response.timing, ms);
  const address = response.remoteIPAddress;
  return {
    kind: 'response',
    at,
    id,
    status: response.status,
    statusText: response.statusText,
    mimeType: response.mimeType,
    headers: headerList(response.headers),
    hasExtraInfo,
    connectionReused: response.connectionReused,
    connectionId: String(response.connectionId),
    ...(response.protocol !== undefined && { protocol: response.protocol }),
    ...(timing && { timing }),
    ...(address && { remoteAddress: address }),
    ...(fromCache && { fromCache }),
    ...(response.fromServiceWorker && { fromServiceWorker: true }),
    ...(response.encodedDataLength >= 0 && { encodedBytes: response.encodedDataLength }),
  };
}

function cacheOf({ fromPrefetchCache, fromDiskCache }: Protocol.Network.Response): CacheKind | undefined {
  if (fromPrefetchCache) return 'prefetch';
  return fromDiskCache ? 'disk' : undefined;
}

/** Headers as lines: Chrome joins repeated ones with a newline. */
export function headerList(headers: Protocol.Network.Headers): readonly Header[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    String(value)
      .split('\n')
      .map((line) => ({ name, value: line })),
  );
}

function timingOf(timing: Protocol.Network.ResourceTiming, ms: ToMs): ResourceTiming {
  const requestedAt = ms(timing.requestTime);
  const step = <N extends string>(name: N, offset: number): { readonly [K in N]?: Ms } =>
    (offset >= 0 ? { [name]: toMicroseconds(requestedAt + offset) } : {}) as { readonly [K in N]?: Ms };
  return {
    requestedAt,
    ...step('proxyStart', timing.proxyStart),
    ...step('proxyEnd', timing.proxyEnd),
    ...step('dnsStart', timing.dnsStart),
    ...step('dnsEnd', timing.dnsEnd),
    ...step('connectStart', timing.connectStart),
    ...step('connectEnd', timing.connectEnd),
    ...step('sslStart', timing.sslStart),
    ...step('sslEnd', timing.sslEnd),
    ...step('workerStart', timing.workerStart),
    ...step('workerReady', timing.workerReady),
    ...step('sendStart', timing.sendStart),
    ...step('sendEnd', timing.sendEnd),
    ...step('headersStart', timing.receiveHeadersStart ?? -1),
    ...step('headersEnd', timing.receiveHeadersEnd),
  };
}
