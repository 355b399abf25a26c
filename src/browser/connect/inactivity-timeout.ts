/** A time limit that can be lifted for a while. */
export interface InactivityTimeout {
  /** Rejects with the error when the time is over; never resolves. */
  readonly expired: Promise<never>;
  /** Starts again, with the whole time. */
  restart(): void;
  stop(): void;
}

/** Starts a limit of `ms` milliseconds; `error` makes the error for when it is reached. */
export function startInactivityTimeout(ms: number, error: () => Error): InactivityTimeout {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  // It may expire when it is not awaited.
  expired.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearTimeout(timer);
  const restart = (): void => {
    stop();
    timer = setTimeout(() => reject(error()), ms);
  };
  restart();
  return { expired, restart, stop };
}
