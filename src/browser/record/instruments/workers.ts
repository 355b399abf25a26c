import { createWorkerClocks } from '../clocks/workers.ts';
import type { Instrument, MeasuredLoad } from './instrument.ts';

/** The clocks of workers' threads. */
export function createWorkers({ browser, clock }: MeasuredLoad): Instrument {
  const clocks = createWorkerClocks(browser.isConnected ? undefined : browser.root, () =>
    clock.isKnown() ? clock.now() : undefined,
  );
  return {
    beforeStart: [clocks.beforeStart],
    read() {
      const workerThreads = clocks.threads();
      return workerThreads.length > 0 ? { workerThreads } : {};
    },
    stop: () => clocks.stop(),
  };
}
