import { describe, expect, it } from 'vitest';
import { type CdpMessage, createCdpSource } from '../../../src/core/sources/cdp.ts';
import { foldTimeline } from '../../../src/core/timeline/fold.ts';
import type { NetworkEvent } from '../../../src/model/network/network.ts';

const ORIGIN = 100;
const message = (method: string, params: object, sessionId = 'page'): CdpMessage => ({
  method: `Network.${method}`,
  params,
  sessionId,
  target: 'page',
  arrivedAt: ORIGIN + 9,
});
const sent = (
  requestId: string,
  at: number,
  more: { url?: string; redirectResponse?: object } & Record<string, unknown> = {},
) => {
  const { url = `https://x.test/${requestId}`, ...rest } = more;
  return message('requestWillBeSent', {
    requestId,
    loaderId: 'L',
    timestamp: ORIGIN + at,
    wallTime: 1_700_000_000 + at,
    type: 'Fetch',
    initiator: { type: 'script' },
    request: { url, method: 'GET', headers: {}, initialPriority: 'High' },
    redirectHasExtraInfo: false,
    ...rest,
  });
};
const response = (more: Record<string, unknown> = {}) => ({
  status: 200,
  statusText: '',
  mimeType: 'text/plain',
  headers: { 'set-cookie': 'a=1\nb=2' },
  connectionReused: false,
  connectionId: 4,
  encodedDataLength: 120,
  ...more,
});
const finished = (requestId: string, at: number, sessionId = 'page') =>
  message('loadingFinished', { requestId, timestamp: ORIGIN + at, encodedDataLength: 500 }, sessionId);
const run = (messages: readonly CdpMessage[]) => {
  const source = createCdpSource(ORIGIN);
  const events = messages.flatMap((each) => source.accept(each));
  return { source, events, requests: foldTimeline(events, [], 10_000).requests };
};

describe('createCdpSource', () => {
  it('puts times on the axis of the navigation', () => {
    const { events } = run([sent('1', 0.25), finished('1', 0.5)]);
    expect(events.map(({ kind, at }) => [kind, at])).toEqual([
      ['request', 250],
      ['finished', 500],
    ]);
  });

  it('starts the next hop before it ends the one that redirects: no false quiet between them', () => {
    const { events, requests } = run([
      sent('1', 0.1),
      sent('1', 0.2, { url: 'https://x.test/b', redirectResponse: response({ status: 302 }) }),
      finished('1', 0.3),
    ]);
    expect(events.map(({ kind }) => kind)).toEqual(['request', 'request', 'response', 'finished', 'finished']);
    expect(requests.map(({ id, url, outcome }) => [id, url, outcome])).toEqual([
      ['1', 'https://x.test/1', 'redirected'],
      ['1:1', 'https://x.test/b', 'finished'],
    ]);
  });

  it('merges sessions: a frame that starts on its parent and ends on its own', () => {
    const { requests } = run([sent('1', 0.1), finished('1', 0.3, 'frame')]);
    expect(requests[0]).toMatchObject({ outcome: 'finished', endedAt: 300 });
  });

  it('keeps what comes before its start', () => {
    const { requests } = run([
      message('responseReceivedExtraInfo', { requestId: '1', statusCode: 304, headers: {} }),
      finished('1', 0.3),
      sent('1', 0.1),
    ]);
    expect(requests[0]).toMatchObject({ outcome: 'finished', endedAt: 300 });
  });

  it('counts a request that two sessions announce once', () => {
    const { source, requests } = run([sent('1', 0.1), { ...sent('1', 0.1), sessionId: 'worker' }]);
    expect(requests).toHaveLength(1);
    expect(source.announcedHops()).toBe(1);
  });

  it('drops what never touches the network', () => {
    const urls = [
      'data:text/plain,x',
      'blob:https://x.test/1',
      'file:///etc/hosts',
      'chrome-extension://a/b',
      'about:blank',
    ];
    const { events } = run(urls.flatMap((url, i) => [sent(String(i), 0, { url }), finished(String(i), 1)]));
    expect(events).toEqual([]);
  });

  it('loses the open requests of a target that goes away, and only those', () => {
    const source = createCdpSource(ORIGIN);
    const events: NetworkEvent[] = [
      ...source.accept({ ...sent('1', 0.1), sessionId: 'worker' }),
      ...source.accept({ ...sent('2', 0.1), sessionId: 'worker' }),
      ...source.accept(finished('2', 0.2, 'worker')),
      ...source.accept(sent('3', 0.1)),
      ...source.targetGone('worker', ORIGIN + 1),
    ];
    const outcomes = foldTimeline(events, [], 10_000).requests.map(({ id, outcome }) => [id, outcome]);
    expect(outcomes).toEqual([
      ['1', 'lost'],
      ['2', 'finished'],
      ['3', 'open'],
    ]);
  });

  it('keeps a socket and its messages, sized by what they carry', () => {
    const frame = (name: string, at: number, opcode: number, payloadData: string) =>
      message(name, { requestId: 's', timestamp: ORIGIN + at, response: { opcode, mask: false, payloadData } });
    const { requests } = run([
      message('webSocketCreated', { requestId: 's', url: 'wss://x.test/' }),
      message('webSocketHandshakeResponseReceived', {
        requestId: 's',
        timestamp: ORIGIN + 9.1,
        response: { status: 101, statusText: '', headers: {} },
      }),
      frame('webSocketFrameSent', 9.2, 1, 'grüß'),
      frame('webSocketFrameReceived', 9.3, 2, 'AQIDBA=='),
      message('webSocketClosed', { requestId: 's', timestamp: ORIGIN + 9.5 }),
    ]);
    expect(requests[0]).toMatchObject({ type: 'websocket', outcome: 'finished', response: { status: 101 } });
    expect(requests[0]?.messages.map(({ direction, bytes }) => [direction, bytes])).toEqual([
      ['sent', 6],
      ['received', 4],
    ]);
  });

  it('splits headers that Chrome joined, and reads timings as absolute steps', () => {
    const timing = {
      requestTime: ORIGIN + 0.1,
      dnsStart: -1,
      dnsEnd: -1,
      proxyStart: -1,
      proxyEnd: -1,
      connectStart: 1,
      connectEnd: 5,
      sslStart: 2,
      sslEnd: 5,
      workerStart: -1,
      workerReady: -1,
      sendStart: 5,
      sendEnd: 6,
      receiveHeadersStart: 20,
      receiveHeadersEnd: 21,
    };
    const { requests } = run([
      sent('1', 0.1),
      message('responseReceived', {
        requestId: '1',
        timestamp: ORIGIN + 0.13,
        hasExtraInfo: false,
        response: response({ timing }),
      }),
      finished('1', 0.14),
    ]);
    const [request] = requests;
    expect(request?.response?.headers).toEqual([
      { name: 'set-cookie', value: 'a=1' },
      { name: 'set-cookie', value: 'b=2' },
    ]);
    expect(request?.timing).not.toHaveProperty('dnsStart');
    expect(request?.timing?.connectStart).toBeCloseTo(101);
    expect(request?.timing?.headersEnd).toBeCloseTo(121);
    expect(request).toMatchObject({ transferSize: 500, bodySize: 380 });
  });

  it('knows the document of a navigation from a speculative prefetch that shares its loader', () => {
    const { events } = run([
      sent('L', 0, { type: 'Document', frameId: 'main' }),
      sent('2', 0, { type: 'Prefetch', frameId: 'main' }),
      sent('3', 0, { type: 'Document', frameId: 'child' }),
    ]);
    expect(events.map((event) => event.kind === 'request' && event.mainDocument)).toEqual([true, false, false]);
  });

  it.each([
    [['setTimeout', 'Promise.then', 'setInterval'], 'setTimeout'],
    [['Promise.then', 'await', 'setInterval'], 'setInterval'],
    [['await', 'requestAnimationFrame'], 'requestAnimationFrame'],
    // What an answer or a message set going is not the timer's that asked.
    [['XMLHttpRequest.send', 'setTimeout'], 'XMLHttpRequest.send'],
    [['Promise.then', 'postMessage', 'setTimeout'], 'Promise.then'],
    [['Promise.then', 'await'], 'Promise.then'],
    [['EventSource.onmessage'], 'EventSource.onmessage'],
    [[], undefined],
  ])('says of a script after %j that it was set going by %s', (steps, expected) => {
    const parent = steps.reduceRight<object | undefined>(
      (next, description) => ({ description, callFrames: [], ...(next && { parent: next }) }),
      undefined,
    );
    const stack = { callFrames: [], ...(parent && { parent }) };
    const [request] = run([sent('1', 0, { initiator: { type: 'script', stack } })]).requests;
    expect(request?.initiator?.scheduledBy).toBe(expected);
  });
});
