import { EXIT, UsageError } from '../core/messages.ts';
import type { World } from './world.ts';

/** Watches for Ctrl-C and SIGTERM while a job works. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** The exit code that goes with what came; undefined while nothing did. */
  readonly exit: () => number | undefined;
  /** What to throw of what broke: after a signal it broke because of that, which is said with what became of the work. */
  readonly because: (error: unknown, detail?: string) => unknown;
  readonly stop: () => void;
}

// 128 + the signal's number, as shells have it.
const EXIT_CODES = { SIGINT: EXIT.interrupted, SIGTERM: 143 } as const;

/** The first signal asks the job to end with what it has, the second ends the process. */
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
      const isTold = error instanceof UsageError && error.code === 'interrupted';
      const details = isTold ? error.details : detail === undefined ? {} : { detail };
      return new UsageError('interrupted', details, { cause: isTold ? error.cause : error, exit });
    },
    stop: () => {
      world.signals.off('SIGINT', listeners.SIGINT);
      world.signals.off('SIGTERM', listeners.SIGTERM);
    },
  };
}
