import { classify } from '../../src/core/background/index.ts';
import { DEFAULT_POLICY } from '../../src/core/completion/default-policy.ts';
import { visitOf } from '../../src/core/measure.ts';
import { type HarRecording, readHar } from '../../src/core/sources/har.ts';
import { recordingOfHar } from '../../src/core/sources/har-recording.ts';
import type { Visit } from '../../src/model/network/visit.ts';

const START = Date.UTC(2025, 4, 5, 8);
const date = (at: number): string => new Date(START + at).toISOString();

/** One request as a file of another tool has it: what is not given is not in the file. */
export interface Written {
  /** A path of the page's own site, or an address. */
  readonly url: string;
  readonly at: number;
  readonly took?: number;
  readonly method?: string;
  readonly status?: number;
  readonly mimeType?: string;
  readonly size?: number;
  readonly sent?: Readonly<Record<string, string>>;
  readonly received?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Of the response, of its content, and of the entry. */
  readonly response?: object;
  readonly content?: object;
  readonly more?: object;
}

export const SITE = 'https://lamps.test';

const headersOf = (headers: Readonly<Record<string, string>> = {}): readonly object[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

function entryOf(written: Written): object {
  const { url, at, took = 40, method = 'GET', status = 200, mimeType = 'text/html', size = 5_000 } = written;
  return {
    startedDateTime: date(at),
    pageref: 'p',
    time: took,
    request: {
      method,
      url: URL.canParse(url) ? url : SITE + url,
      headers: headersOf(written.sent),
      ...(written.body !== undefined && { postData: { mimeType: 'application/json', text: written.body } }),
    },
    response: {
      status,
      headers: headersOf(written.received),
      content: { size, mimeType, ...written.content },
      bodySize: size,
      ...written.response,
    },
    timings: { blocked: 0, dns: -1, connect: -1, ssl: -1, send: 0, wait: took, receive: 0 },
    ...written.more,
  };
}

/** A script's request as DevTools writes it, with the calls that led there. */
export const byScript = (...files: readonly string[]): object => ({
  _resourceType: 'fetch',
  _initiator: { type: 'script', stack: { callFrames: files.map((url) => ({ url: SITE + url, lineNumber: 7 })) } },
});

/** The page of a file with these entries, as it is read; its load event fires at 400 ms. */
export function readEntries(entries: readonly Written[], page: object = {}, more: object = {}): HarRecording {
  const own = {
    id: 'p',
    title: `${SITE}/`,
    startedDateTime: date(0),
    pageTimings: { onContentLoad: 200, onLoad: 400 },
  };
  const log = {
    version: '1.2',
    creator: { name: 'x', version: '1' },
    pages: [{ ...own, ...page }],
    entries: entries.map(entryOf),
    ...more,
  };
  const [read] = readHar({ log }).recordings;
  if (!read) throw new Error('nothing read');
  return read;
}

/** The same page, judged. A later request shows that it was watched. */
export function visitOfHar(entries: readonly Written[], page: object = {}): Visit {
  const end: Written = { url: '/end.json', at: 30_000, mimeType: 'application/json' };
  return visitOf(recordingOfHar(readEntries([...entries, end], page)), DEFAULT_POLICY);
}

/** The document of the page. */
export const DOCUMENT: Written = {
  url: '/',
  at: 0,
  took: 100,
  sent: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
};

/** By path or address: the type of each request but the document and the last one. */
export function typesIn(...entries: readonly Written[]): Readonly<Record<string, string>> {
  const { requests } = visitOfHar([DOCUMENT, ...entries]).timeline;
  return Object.fromEntries(requests.slice(1, -1).map(({ url, type }) => [url.replace(SITE, ''), type]));
}

/** By path or address: kind and confidence of what is background. */
export function backgroundIn({ timeline }: Pick<Visit, 'timeline'>): Readonly<Record<string, string>> {
  const { verdicts } = classify(timeline, DEFAULT_POLICY);
  return Object.fromEntries(
    timeline.requests.flatMap(({ id, url }) => {
      const verdict = verdicts.get(id);
      return verdict ? [[url.replace(SITE, ''), `${verdict.kind} ${verdict.confidence}`]] : [];
    }),
  );
}
