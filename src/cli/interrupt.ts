import { EXIT, QuiesceError } from '../wording/messages.ts';
import type { World } from './world.ts';

/** Watches for Ctrl-C and SIGTERM while a job works. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** The exit code of the signal that was received; undefined while there was none. */
  readonly exit: () => number | undefined;
  /** The error to throw: after a signal, an error of the job is reported as an interruption, with what became of the work. */
  readonly because: (error: unknown, detail?: string) => unknown;
  readonly stop: () => void;
}

// 128 + the number of the signal, as in shells.
const EXIT_CODES = { SIGINT: EXIT.interrupted, SIGTERM: 143 } as const;

/** The first signal asks the job to stop and keep its results, the second ends the process. */
export function watchSignals(
  world: World,
  on: { readonly first: (name: 'SIGINT' | 'SIGTERM') => void; readonly second: () => void },
): Interrupt {
  const controller = new AbortController();
  let exit: number | undefined;
  const hear = (name: keyof typeof EXIT_CODES) => () => {
    if (exit !== undefined) {
      on.second();
      world.exit(EXIT_CODES[name]);
      return;
    }
    exit = EXIT_CODES[name];
    on.first(name);
    controller.abort();
  };
  const listeners = { SIGINT: hear('SIGINT'), SIGTERM: hear('SIGTERM') };
  world.signals.on('SIGINT', listeners.SIGINT);
  world.signals.on('SIGTERM', listeners.SIGTERM);
  return {
    signal: controller.signal,
    exit: () => exit,
    because: (error, detail) => {
      if (exit === undefined) return error;
      const isInterrupted = error instanceof QuiesceError && error.code === 'interrupted';
      const details = isInterrupted ? error.details : detail === undefined ? {} : { detail };
      return new QuiesceError('interrupted', details, { cause: isInterrupted ? error.cause : error, exit });
    },
    stop: () => {
      world.signals.off('SIGINT', listeners.SIGINT);
      world.signals.off('SIGTERM', listeners.SIGTERM);
    },
  };
}
