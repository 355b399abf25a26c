import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { type Answered, isLimited, waitBefore } from '../../core/github/waiting.ts';
import { UsageError } from '../../core/messages.ts';
import { originOf } from '../../core/origin.ts';

/** The time, and how it passes; a test has its own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 to 1. */
  chance(): number;
}

/** How GitHub is reached. */
export interface GithubAccess {
  /** Where its REST API begins, without a slash at the end. */
  readonly apiUrl: string;
  readonly token: string;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  /** How long one answer may take, ms. */
  readonly answerWithin?: number;
}

/** What is asked of the API. */
export interface GithubRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Behind the API's address, or one of its own addresses. */
  readonly path: string;
  readonly body?: unknown;
}

/** An answer that was given, whatever it says. */
export interface GithubAnswer extends Answered {
  readonly body: unknown;
  /** The next page of a list. */
  readonly next?: string | undefined;
  /** Where it is now. */
  readonly location?: string | undefined;
}

/** The version of the API that this was written for. Source: GitHub Docs, "API Versions". */
const API_VERSION = '2022-11-28';
/** How long one answer may take, ms. */
const ANSWER_WITHIN = 30_000;
/** How long GitHub is waited for in all, ms: a comment is not worth more of a job's time. */
const PATIENCE = 120_000;
/** A repository that was renamed or moved is one redirection away, sometimes two. */
const MOST_REDIRECTS = 3;
/** Larger answers are none of a list of comments: a hundred comments of 65,536 letters each, and what stands around them. */
const LARGEST_ANSWER = 32 * 1024 * 1024;
const USER_AGENT = 'quiesce';

const MACHINE_CLOCK: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => void (await wait(ms, undefined, { signal })),
  chance: () => Math.random(),
};

/**
 * GitHub's REST API: retries what may be retried, waits as long as it is told to, and gives up after two minutes. The
 * token is sent to the API's own origin and written nowhere.
 */
export class GithubClient {
  readonly #access: GithubAccess;
  readonly #clock: Clock;
  #since: number | undefined;

  /** @throws UsageError `github-unreachable` for an API without an address, which no retry would mend */
  constructor(access: GithubAccess) {
    if (!/^https?:\/\//i.test(access.apiUrl) || !URL.canParse(access.apiUrl))
      throw new UsageError('github-unreachable', { detail: 'GITHUB_API_URL is not an http:// or https:// address' });
    this.#access = access;
    this.#clock = access.clock ?? MACHINE_CLOCK;
  }

  /**
   * What GitHub says to something that can be asked any number of times.
   *
   * @throws UsageError `github-unreachable` when it says nothing of use in time
   */
  async ask(request: GithubRequest): Promise<GithubAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#attempt(request, attempt);
      if (answer !== 'again' && answer !== 'uncertain') return answer;
    }
  }

  /**
   * The same for what must not be done twice. Undefined when nobody knows whether it was done: the time that GitHub needs
   * has passed then, and it is for the caller to look.
   *
   * @param attempt from 1
   * @throws UsageError `github-unreachable` when there is no time left
   */
  async askOnce(request: GithubRequest, attempt: number): Promise<GithubAnswer | undefined> {
    for (;;) {
      const answer = await this.#attempt(request, attempt);
      if (answer === 'uncertain') return undefined;
      if (answer !== 'again') return answer;
    }
  }

  /** Once, and the wait after it: 'again' when it certainly was not done, 'uncertain' when nobody knows. */
  async #attempt(request: GithubRequest, attempt: number): Promise<GithubAnswer | 'again' | 'uncertain'> {
    const { signal } = this.#access;
    const since = this.#since ?? this.#clock.now();
    this.#since = since;
    const sent = await this.#follow(request);
    const answer = 'lost' in sent ? undefined : sent;
    const ms = waitBefore(answer, attempt, this.#clock.now(), this.#clock.chance());
    if (ms === undefined) return answer as GithubAnswer;
    if (this.#clock.now() + ms - since > PATIENCE) {
      const why = 'lost' in sent ? sent.lost : isLimited(sent) ? 'too many requests' : `HTTP ${sent.status}`;
      throw new UsageError('github-unreachable', { detail: why });
    }
    await this.#clock.sleep(ms, signal);
    return answer !== undefined && isLimited(answer) ? 'again' : 'uncertain';
  }

  /** Sends it, also to where the API says that it has moved to on its own origin. */
  async #follow(request: GithubRequest): Promise<GithubAnswer | { readonly lost: string }> {
    let { method, path } = request;
    for (let hop = 0; ; hop += 1) {
      const sent = await this.#send({ ...request, method, path });
      if ('lost' in sent || sent.location === undefined || hop === MOST_REDIRECTS) return sent;
      // 307 and 308 keep the method, and so do API clients at 301. Source: GitHub Docs, "Follow redirects".
      if (sent.status === 302 || sent.status === 303) method = 'GET';
      path = sent.location;
    }
  }

  async #send({ method, path, body }: GithubRequest): Promise<GithubAnswer | { readonly lost: string }> {
    const { apiUrl, token, signal, answerWithin = ANSWER_WITHIN } = this.#access;
    const url = URL.canParse(path) ? path : `${apiUrl}${path}`;
    // Whoever else an answer names must not get the token.
    if (originOf(url) !== originOf(apiUrl))
      throw new UsageError('github-refused', { detail: 'it leads to another address' });
    try {
      const response = await fetch(url, {
        method,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithin)]),
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
      return { lost: reasonOf(error) };
    }
  }
}

/** The text of a response of bearable size. */
async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.byteLength;
    if (size > LARGEST_ANSWER) throw new Error('the answer is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function answerOf({ status, headers }: Response, text: string, url: string): GithubAnswer {
  const header = (name: string): string | undefined => headers.get(name) ?? undefined;
  const address = (named: string | undefined): string | undefined =>
    named !== undefined && URL.canParse(named, url) ? new URL(named, url).href : undefined;
  const body = jsonOf(text);
  const said = z.looseObject({ message: z.string() }).safeParse(body);
  return {
    status,
    body,
    message: said.success ? said.data.message : '',
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

/** What broke, without what was sent. */
function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'no answer in time';
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : 'the connection broke';
}
