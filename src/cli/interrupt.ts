import { EXIT, QuiesceError } from '../wording/messages/messages.ts';
import type { SignalName, World } from './world.ts';

/** Watches for Ctrl-C, SIGTERM, the end of the terminal and an error that nothing caught while a job works. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** The exit code that goes with what was heard; undefined while there was none. */
  readonly exit: () => number | undefined;
  /** The error to throw: after a signal, an error of the job is reported as an interruption, with what became of the work. */
  readonly because: (error: unknown, detail?: string) => unknown;
  readonly stop: () => void;
}

// 128 + the number of the signal, as in shells.
const EXIT_CODES = {
  SIGINT: EXIT.interrupted,
  SIGTERM: 143,
  SIGHUP: 129,
  crash: EXIT.unmeasured,
} as const satisfies Record<SignalName, number>;
const NAMES = Object.keys(EXIT_CODES) as readonly SignalName[];

/** The first signal asks the job to stop and keep its results, the second ends the process. */
export function watchSignals(
  world: World,
  on: { readonly first: (name: SignalName) => void; readonly second: () => void },
): Interrupt {
  const controller = new AbortController();
  let exit: number | undefined;
  const hear = (name: SignalName) => () => {
    if (exit !== undefined) {
      // It stops already.
      if (name === 'crash') return;
      on.second();
      world.exit(EXIT_CODES[name]);
      return;
    }
    exit = EXIT_CODES[name];
    on.first(name);
    controller.abort();
  };
  const listeners = NAMES.map((name) => [name, hear(name)] as const);
  for (const [name, listener] of listeners) world.signals.on(name, listener);
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
      for (const [name, listener] of listeners) world.signals.off(name, listener);
    },
  };
}
