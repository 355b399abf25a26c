import type { PassFigures } from '../../core/capacity/pass.ts';
import type { LoadPlan, LoadTick } from '../../model/network/load.ts';
import type { Ms } from '../../model/units.ts';

/** What makes the load, and tells while it does. */
export interface LiveEngine {
  readonly kind: 'live';
  /** With its version: 'autocannon 9.0.0'. */
  readonly name: string;
  /** Begins a load. Rejects when the processes that make it cannot be started. */
  start(plan: LoadPlan, onTick: (tick: LoadTick) => void): Promise<RunningLoad>;
}

/** A load that goes on until it is stopped. */
export interface RunningLoad {
  /** Process ids of what makes it. */
  readonly pids: readonly number[];
  /** Rejects when a process of it ends by itself. */
  readonly broken: Promise<never>;
  stop(): Promise<void>;
}

/** What makes the load for a time that is known before, and tells afterwards. */
export interface BatchEngine {
  readonly kind: 'batch';
  readonly name: string;
  /**
   * Rejects with a `QuiesceError` when it fails, and with the signal's reason.
   *
   * @param onWarm called when the warm-up is over, with the process that makes the load
   */
  measure(
    plan: LoadPlan,
    time: { readonly warmUp: Ms; readonly measured: Ms },
    signal: AbortSignal,
    onWarm: (pid: number) => void,
  ): Promise<BatchPass>;
}

/** What a batch engine tells of a pass. */
export interface BatchPass {
  readonly figures: PassFigures;
  /** All answers, those of the warm-up too. */
  readonly answered: number;
  /** It ended before its time, because no more requests might be sent. */
  readonly isCut?: true;
}

export type LoadEngine = LiveEngine | BatchEngine;
