import type { FilmedSuspect } from '../../src/core/background/content/evidence-rules.ts';
import type { Impact } from '../../src/core/visual/impact.ts';
import type { Mark, Request, Response, Timeline } from '../../src/model/network/timeline.ts';
import type { VisualChange } from '../../src/model/recording/picture.ts';
import type { Recording } from '../../src/model/recording/recording.ts';

/** A response that says nothing unusual. */
export function response(parts: Partial<Response> = {}): Response {
  return {
    at: 50,
    status: 200,
    statusText: 'OK',
    mimeType: 'text/plain',
    headers: [],
    protocol: 'h2',
    ...parts,
  };
}

/**
 * One hop, 100 ms from 0, answered whole. The id is also the browser's unless that is given; `endedAt: undefined`
 * makes an open one and `response: undefined` an unanswered one.
 */
export function request(
  parts: Omit<Partial<Request>, 'endedAt' | 'response'> & {
    readonly endedAt?: number | undefined;
    readonly response?: Response | undefined;
  } = {},
): Request {
  const id = parts.id ?? 'r1';
  const {
    endedAt,
    response: answer,
    ...rest
  } = {
    endedAt: 100,
    response: response({ at: Math.min(parts.endedAt ?? 50, (parts.startedAt ?? 0) + 50) }),
    ...parts,
  };
  return {
    id,
    requestId: id.split(':')[0] ?? id,
    hop: 0,
    url: 'https://example.com/',
    method: 'GET',
    type: 'fetch',
    target: 'page',
    mainDocument: false,
    keepalive: false,
    requestHeaders: [],
    startedAt: 0,
    outcome: endedAt === undefined ? 'open' : 'finished',
    chunks: [],
    messages: [],
    contentSize: 0,
    fromPreviousDocument: false,
    ...rest,
    ...(endedAt !== undefined && { endedAt }),
    ...(answer && { response: answer }),
  };
}

/** Requests in order of start, seen until 10 s unless said otherwise. */
export function timeline(
  requests: readonly Request[] = [],
  parts: { readonly marks?: readonly Mark[]; readonly observedUntil?: number } = {},
): Timeline {
  return {
    requests: [...requests].sort((a, b) => a.startedAt - b.startedAt),
    marks: parts.marks ?? [],
    observedUntil: parts.observedUntil ?? 10_000,
  };
}

/** A recording of https://example.com/ without any evidence. */
export function recording(parts: Partial<Recording> = {}): Recording {
  return {
    navigation: {
      url: 'https://example.com/',
      startedAt: Date.UTC(2025, 0, 2, 3, 4, 5, 678),
      browser: 'HeadlessChrome/156.0.1.2',
      userAgent: 'Mozilla/5.0 (test)',
    },
    events: [],
    marks: [],
    frames: [],
    hostSamples: [],
    mainThread: [],
    incidents: [],
    bodies: [],
    observedUntil: 10_000,
    announcedHops: 0,
    ...parts,
  };
}

/** Makes changes of a picture that paint one place anew, as far as nothing else is said of one. */
export const repainting =
  (cells: ReadonlySet<number>) =>
  (at: number, more: Partial<VisualChange> = {}): VisualChange => ({ at, share: 0.2, cells, covered: 0.5, ...more });

/** What a film says of one suspect, as far as nothing is asked of its times. */
export const filmed = (impact: Impact['impact']): FilmedSuspect => ({
  endpoint: '',
  impact,
  reason: { code: 'nothing-came' },
  effects: [],
  shapes: new Map(),
});
