import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { isLimited, type RateLimitAnswer, retryDelay } from '../../core/github/retry-delay.ts';
import { originOf } from '../../core/requests/origin.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';

/** The clock, which tests replace. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** A random number from 0 to 1. */
  random(): number;
}

/** Address and token of GitHub's API. */
export interface GithubAccess {
  /** Base URL of the REST API, without a slash at the end. */
  readonly apiUrl: string;
  readonly token: string;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** How long one answer may take, ms. */
  readonly timeout?: number;
}

/** A request to the API. */
export interface GithubRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** A path below the API's base URL, or a whole URL of the API. */
  readonly path: string;
  readonly body?: unknown;
}

/** An answer of any status. */
export interface GithubAnswer extends RateLimitAnswer {
  readonly body: unknown;
  /** URL of the next page of a list. */
  readonly next?: string | undefined;
  /** URL of a redirect. */
  readonly location?: string | undefined;
}

/** No answer came: why, as a clause. */
interface Lost {
  readonly lost: string;
}

/** The version of the API that this was written for. Source: GitHub Docs, "API Versions". */
const API_VERSION = '2022-11-28';
/** How long one answer may take, ms. */
const ANSWER_TIMEOUT_MS = 30_000;
/** How long to retry in all, ms: a comment is not worth more of a job's time. */
const TOTAL_TIMEOUT_MS = 120_000;
/** A repository that was renamed or moved takes one redirect, sometimes two. */
const MAX_REDIRECTS = 3;
/** The largest answer, bytes: a page of a hundred comments of 65,536 characters each is smaller. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const USER_AGENT = 'quiesce';

const MACHINE_CLOCK: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => void (await wait(ms, undefined, { signal })),
  random: () => Math.random(),
};

/**
 * A client for GitHub's REST API. It retries, waits as long as GitHub asks for, and gives up after two minutes. The token is
 * only sent to the API's own origin.
 */
export class GithubClient {
  readonly #access: GithubAccess;
  readonly #clock: Clock;
  #since: number | undefined;

  /** @throws QuiesceError `github-unreachable` for an invalid address of the API */
  constructor(access: GithubAccess) {
    if (!/^https?:\/\//i.test(access.apiUrl) || !URL.canParse(access.apiUrl))
      throw new QuiesceError('github-unreachable', { detail: 'GITHUB_API_URL is not an http:// or https:// address' });
    this.#access = access;
    this.#clock = access.clock ?? MACHINE_CLOCK;
  }

  /**
   * Sends a request that may be repeated.
   *
   * @throws QuiesceError `github-unreachable` when there is no usable answer in time
   */
  async request(request: GithubRequest): Promise<GithubAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#attempt(request, attempt);
      if (answer !== 'again' && answer !== 'uncertain') return answer;
    }
  }

  /**
   * Sends a request that must not be repeated. Undefined when it is not known whether GitHub has executed it: then the wait
   * before a retry is over, and the caller has to look.
   *
   * @param attempt from 1
   * @throws QuiesceError `github-unreachable` when there is no time left
   */
  async requestOnce(request: GithubRequest, attempt: number): Promise<GithubAnswer | undefined> {
    for (;;) {
      const answer = await this.#attempt(request, attempt);
      if (answer === 'uncertain') return undefined;
      if (answer !== 'again') return answer;
    }
  }

  /** Sends it once and waits before the next attempt: 'again' when it was not executed, 'uncertain' when that is not known. */
  async #attempt(request: GithubRequest, attempt: number): Promise<GithubAnswer | 'again' | 'uncertain'> {
    const { signal } = this.#access;
    const since = this.#since ?? this.#clock.now();
    this.#since = since;
    const sent = await this.#follow(request);
    const answer = 'lost' in sent ? undefined : sent;
    const ms = retryDelay(answer, attempt, this.#clock.now(), this.#clock.random());
    if (ms === undefined) return answer as GithubAnswer;
    if (this.#clock.now() + ms - since > TOTAL_TIMEOUT_MS) {
      throw new QuiesceError('github-unreachable', { detail: reasonOf(sent) });
    }
    await this.#clock.sleep(ms, signal);
    return answer !== undefined && isLimited(answer) ? 'again' : 'uncertain';
  }

  /** Sends it, and follows redirects within the API's own origin. */
  async #follow(request: GithubRequest): Promise<GithubAnswer | Lost> {
    let { method, path } = request;
    for (let hop = 0; ; hop += 1) {
      const sent = await this.#send({ ...request, method, path });
      if ('lost' in sent || sent.location === undefined || hop === MAX_REDIRECTS) return sent;
      // 307 and 308 keep the method, and so do API clients at 301. Source: GitHub Docs, "Follow redirects".
      if (sent.status === 302 || sent.status === 303) method = 'GET';
      path = sent.location;
    }
  }

  async #send({ method, path, body }: GithubRequest): Promise<GithubAnswer | Lost> {
    const { apiUrl, token, signal, timeout = ANSWER_TIMEOUT_MS } = this.#access;
    const url = URL.canParse(path) ? path : `${apiUrl}${path}`;
    // No other server must get the token.
    if (originOf(url) !== originOf(apiUrl)) {
      throw new QuiesceError('github-refused', { detail: 'it leads to another address' });
    }
    try {
      const response = await fetch(url, {
        method,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
        headers: {
          accept: 'application/vnd.github+json',
          authorization: `Bearer ${token}`,
          'user-agent': USER_AGENT,
          'x-github-api-version': API_VERSION,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return answerOf(response, await textOf(response), url);
    } catch (error) {
      signal.throwIfAborted();
      // It would be as long again.
      if (error instanceof QuiesceError) throw error;
      return { lost: lossOf(error) };
    }
  }
}

/** The text of a response, up to the largest size. */
async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new QuiesceError('github-refused', { detail: 'its answer is too long' });
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function answerOf({ status, headers }: Response, text: string, url: string): GithubAnswer {
  const header = (name: string): string | undefined => headers.get(name) ?? undefined;
  const address = (named: string | undefined): string | undefined =>
    named !== undefined && URL.canParse(named, url) ? new URL(named, url).href : undefined;
  const body = jsonOf(text);
  const error = z.looseObject({ message: z.string() }).safeParse(body);
  return {
    status,
    body,
    message: error.success ? error.data.message : '',
    retryAfter: header('retry-after'),
    remaining: header('x-ratelimit-remaining'),
    reset: header('x-ratelimit-reset'),
    date: header('date'),
    next: address(nextOf(header('link'))),
    location: status >= 300 && status < 400 ? address(header('location')) : undefined,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The address of the next page. Source: RFC 8288, as GitHub writes it. */
function nextOf(link: string | undefined): string | undefined {
  return /<([^<>]+)>\s*;[^,<]*\brel="?next\b/.exec(link ?? '')?.[1];
}

/** The reason of a failed request, without its content. */
function lossOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'no answer in time';
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : 'the connection broke';
}

/** Why what came is of no use. */
function reasonOf(sent: GithubAnswer | Lost): string {
  if ('lost' in sent) return sent.lost;
  return isLimited(sent) ? 'too many requests' : `HTTP ${sent.status}`;
}

/** The status of an answer, and what GitHub says of it, if anything. */
export function statusInWords({ status, message }: Pick<GithubAnswer, 'status' | 'message'>): string {
  return `HTTP ${status}${message === '' ? '' : `, ${message}`}`;
}
