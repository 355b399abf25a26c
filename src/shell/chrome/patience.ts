/** A limit on how long somebody else may take, which can be lifted for a while. */
export interface Patience {
  /** Rejects with what `error` gives when it was waited for too long; never resolves. */
  readonly lost: Promise<never>;
  /** Waits from now on, for the whole time again. */
  restart(): void;
  stop(): void;
}

/** Patience for `ms` milliseconds, from now on. */
export function createPatience(ms: number, error: () => Error): Patience {
  let timer: NodeJS.Timeout | undefined;
  let lose: (error: Error) => void = () => undefined;
  const lost = new Promise<never>((_, reject) => {
    lose = reject;
  });
  // Whoever waits for it is told; that nobody does is no error.
  lost.catch(() => undefined);
  const stop = (): void => clearTimeout(timer);
  const restart = (): void => {
    stop();
    timer = setTimeout(() => lose(error()), ms);
  };
  restart();
  return { lost, restart, stop };
}
