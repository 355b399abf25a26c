import type { NetworkEvent } from '../../src/model/network/network.ts';
import type { Recording } from '../../src/model/recording/recording.ts';

/** A page with `count` requests: mostly components, a poll, a stream, some redirects and failures. Always the same. */
export function syntheticRecording(count: number): Recording {
  const origin = 'https://bench.test';
  const events: NetworkEvent[] = [];
  const types = ['script', 'stylesheet', 'image', 'image', 'fetch', 'font'] as const;
  for (let i = 0; i < count; i += 1) {
    const id = `${i}`;
    const at = i === 0 ? 0 : 20 + (i * 2_000) / count;
    const length = 20 + ((i * 37) % 180);
    const isStream = i === 5;
    const isPoll = i % 50 === 49;
    events.push({
      kind: 'request',
      at,
      id,
      requestId: id,
      url:
        i === 0 ? `${origin}/` : isPoll ? `${origin}/api/stock?t=${i}` : `${origin}/assets/${i}/component-${i}.bin?v=3`,
      method: 'GET',
      type: i === 0 ? 'document' : isStream ? 'eventsource' : isPoll ? 'fetch' : (types[i % types.length] ?? 'other'),
      headers: [
        { name: 'accept', value: '*/*' },
        { name: 'referer', value: `${origin}/` },
      ],
      target: 'page',
      initiator: { type: 'script', url: `${origin}/app.js`, line: (i % 400) + 1 },
      mainDocument: i === 0,
      wallTime: 1_700_000_000_000 + at,
    });
    events.push({
      kind: 'response',
      at: at + length / 2,
      id,
      status: 200,
      statusText: 'OK',
      mimeType: i === 0 ? 'text/html' : 'application/octet-stream',
      headers: [{ name: 'content-type', value: 'application/octet-stream' }],
      hasExtraInfo: false,
      protocol: 'h2',
      encodedBytes: 120,
      timing: {
        requestedAt: at + 1,
        sendStart: at + 2,
        sendEnd: at + 2.2,
        headersStart: at + length / 2 - 1,
        headersEnd: at + length / 2,
      },
    });
    events.push({ kind: 'data', at: at + length * 0.8, id, bytes: 2_000 });
    if (!isStream) events.push({ kind: 'finished', at: at + length, id, encodedBytes: 1_200 });
  }
  events.sort((a, b) => a.at - b.at);
  return {
    navigation: { url: `${origin}/`, startedAt: 1_700_000_000_000, browser: 'Chrome/0', userAgent: 'bench' },
    events,
    marks: [
      { name: 'dom-content-loaded', at: 400 },
      { name: 'load', at: 2_300 },
      { name: 'largest-contentful-paint', at: 900 },
    ],
    frames: [],
    hostSamples: [],
    mainThread: [{ at: 6_000, taskTime: 700 }],
    page: {
      finalUrl: `${origin}/`,
      title: 'Synthetic',
      responseStart: 12,
      loadEnd: 2_300,
      longTasks: [],
      layoutShifts: [],
    },
    incidents: [],
    bodies: [],
    observedUntil: 6_000,
    announcedHops: count,
  };
}
