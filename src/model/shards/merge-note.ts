import type { Failure } from '../result/failure.ts';
import type { Ms, Unit } from '../units.ts';

/** Why something was left out when shards were joined. */
export type LeftOut =
  /** A folder without the result of a shard. */
  | { readonly code: 'no-result'; readonly path: string }
  /** The result of another job, of a whole job, or of shards that were joined already. */
  | { readonly code: 'capacity' | 'whole' | 'merged'; readonly path: string }
  /** Shard `index` once more: the same as this other file. */
  | { readonly code: 'copy'; readonly path: string; readonly of: string; readonly index: number }
  | { readonly code: 'unreadable'; readonly failure: Failure };

/** By how much the candidate lies above the base on a machine. */
export interface Changed {
  readonly machine: number;
  readonly change: number;
}

/** A metric whose change is not the same on all machines: where it is least, and where it is most. */
export interface Disagreement {
  readonly metric: string;
  readonly unit: Unit;
  readonly scale: 'ratio' | 'shift';
  /** On the scale of the comparison: logarithms of ratios, or values. */
  readonly least: Changed;
  readonly most: Changed;
}

/** Shards that have the same of something. */
export interface AlikeShards {
  readonly value: string;
  readonly shards: readonly number[];
}

/** Shards whose source was in the same state. */
export interface AlikeSources extends AlikeShards {
  readonly value: 'unknown' | 'modified' | 'committed';
}

/** What a reader must know of shards that were joined. */
export type MergeNote =
  | { readonly code: 'left-out'; readonly reason: LeftOut }
  /** Metrics that no load has, by name. */
  | { readonly code: 'gates-not-measured'; readonly metrics: readonly string[] }
  | ({ readonly code: 'machines-disagree' } & Disagreement)
  /** Shards on machines that were busy in so many of their loads. */
  | {
      readonly code: 'busy-machines';
      readonly shards: readonly { readonly index: number; readonly unfit: number; readonly loads: number }[];
    }
  /** Shards that left out the same background traffic, group by group. */
  | { readonly code: 'unlike-rules'; readonly groups: readonly (readonly number[])[] }
  /** Shards of which it is not known what their loads asked for. */
  | { readonly code: 'no-inventories'; readonly shards: readonly number[] }
  | { readonly code: 'other-version'; readonly measured: string; readonly joined: string }
  | { readonly code: 'unlike-browsers' | 'unlike-arguments'; readonly groups: readonly AlikeShards[] }
  /** `what`: 'pages', 'base' or 'candidate'. */
  | { readonly code: 'unlike-sources'; readonly what: string; readonly groups: readonly AlikeSources[] }
  /** From the start of the first shard to that of the last. */
  | { readonly code: 'far-apart'; readonly apart: Ms }
  /** Pages were measured on several machines; or they may have been, where it is not known which. */
  | { readonly code: 'pages-apart'; readonly isKnown: boolean };
