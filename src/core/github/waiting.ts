/** What an answer of GitHub says of when to come back; header values as they came. */
export interface Answered {
  readonly status: number;
  /** The `message` of its body; empty where it has none. */
  readonly message: string;
  readonly retryAfter?: string | undefined;
  readonly remaining?: string | undefined;
  readonly reset?: string | undefined;
  /** The server's clock, by which `reset` is meant. */
  readonly date?: string | undefined;
}

/** The first wait after a server's error, ms, which doubles with every further one; and the shortest at a limit. */
const FIRST_WAIT = 1_000;
/** Without a word on when to come back. Source: GitHub Docs, "Best practices for using the REST API". */
const LIMITED_WAIT = 60_000;
/** Clocks count in whole seconds there. */
const SECOND = 1_000;

/** Is the answer that too much was asked for? Secondary limits have the status of a refusal and only say so in words. */
export function isLimited({ status, message, retryAfter, remaining }: Answered): boolean {
  if (status === 429) return true;
  return status === 403 && (retryAfter !== undefined || remaining === '0' || /rate limit/i.test(message));
}

/**
 * How long to wait before the same is asked again, ms; undefined when the answer stands.
 *
 * @param answered undefined when none came
 * @param attempt from 1
 * @param now milliseconds since 1970
 * @param chance from 0 to 1, so that machines which failed together do not come back together
 */
export function waitBefore(
  answered: Answered | undefined,
  attempt: number,
  now: number,
  chance: number,
): number | undefined {
  const doubled = 2 ** (attempt - 1);
  if (answered === undefined || answered.status >= 500) return FIRST_WAIT * doubled * (0.5 + chance / 2);
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
