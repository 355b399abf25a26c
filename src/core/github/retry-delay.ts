/** The parts of an answer that decide about a retry; header values as they are. */
export interface RateLimitAnswer {
  readonly status: number;
  /** The `message` of its body; empty where it has none. */
  readonly message: string;
  readonly retryAfter?: string | undefined;
  readonly remaining?: string | undefined;
  readonly reset?: string | undefined;
  /** The server's clock, which `reset` refers to. */
  readonly date?: string | undefined;
}

/** The first wait after a server error, ms, which doubles each time; and the shortest wait at a rate limit. */
const FIRST_WAIT = 1_000;
/** The first wait at a rate limit without a time in the answer, ms. Source: GitHub Docs, "Best practices for using the REST API". */
const LIMITED_WAIT = 60_000;
/** GitHub's headers count in seconds. */
const SECOND = 1_000;

/** Is the answer a rate limit? Secondary limits have the status 403, and may only say so in their message. */
export function isLimited({ status, message, retryAfter, remaining }: RateLimitAnswer): boolean {
  if (status === 429) return true;
  return status === 403 && (retryAfter !== undefined || remaining === '0' || /rate limit/i.test(message));
}

/**
 * How long to wait before a retry, ms; undefined when the answer is final.
 *
 * @param answered undefined when there was no answer
 * @param attempt from 1
 * @param now milliseconds since the Unix epoch
 * @param random from 0 to 1, so that machines which failed at the same time do not retry at the same time
 */
export function retryDelay(
  answered: RateLimitAnswer | undefined,
  attempt: number,
  now: number,
  random: number,
): number | undefined {
  const doubled = 2 ** (attempt - 1);
  if (answered === undefined || answered.status >= 500) return FIRST_WAIT * doubled * (0.5 + random / 2);
  if (!isLimited(answered)) return undefined;
  const { retryAfter, remaining, reset, date } = answered;
  if (isNumber(retryAfter)) return Math.max(Number(retryAfter) * SECOND, FIRST_WAIT);
  if (remaining === '0' && isNumber(reset)) {
    const clock = date === undefined ? Number.NaN : Date.parse(date);
    return Math.max(0, Number(reset) * SECOND - (Number.isNaN(clock) ? now : clock)) + SECOND;
  }
  return LIMITED_WAIT * doubled;
}

const isNumber = (text: string | undefined): text is string => text !== undefined && /^\d+$/.test(text);
