import type { Decision } from '../compare/comparison.ts';
import type { HostResult, ResultHeader } from '../result/result.ts';
import type { Bytes, Ms } from '../units.ts';

/** What could be read of the measuring machine. Whatever this system does not tell is absent. */
export interface HostFacts {
  readonly system: {
    /** 'Debian GNU/Linux 13 (trixie)', 'Darwin'. */
    readonly name: string;
    /** 'Linux 6.12.0'. */
    readonly kernel: string;
    /** 'x64'. */
    readonly architecture: string;
  };
  readonly processors: ProcessorFacts;
  /** Mean number of tasks that ran or wanted to over 1, 5 and 15 minutes; absent on Windows. */
  readonly load?: readonly [number, number, number];
  readonly memory: {
    readonly total: Bytes;
    /** What programs can have without anything being written out first. */
    readonly available: Bytes;
  };
  /** The machine left to itself, with no browser of ours. */
  readonly idle: IdleFacts;
  /** How long the micro-benchmark took each time, ms, in the order in which it was run. */
  readonly microBenchmark: readonly Ms[];
  readonly power?: 'mains' | 'battery';
  /** 'Docker', 'Kubernetes', …; absent when there is no sign of a container. */
  readonly container?: string;
  /** The maker of the virtual machine, or 'unknown maker'; absent when there is no sign of one. */
  readonly virtualMachine?: string;
}

/** The processors, and what keeps them from running as they could. */
export interface ProcessorFacts {
  /** Logical processors of the machine. */
  readonly count: number;
  /** How many of them this program may use. */
  readonly available: number;
  readonly model?: string;
  /** How many processors' worth of time the container may use; absent when there is no limit. */
  readonly limit?: number;
  /** Who sets the clock, each name once: 'performance', 'powersave', 'schedutil'. */
  readonly governors?: readonly string[];
  /** Whether the clock may rise above its nominal rate. */
  readonly turbo?: boolean;
}

/** What was going on for about a second in which Quiesce did nothing. */
export interface IdleFacts {
  readonly watchedFor: Ms;
  /** Share of all processors, 0 to 1, without this program; absent where nothing is reported. */
  readonly busy?: number;
  readonly steal?: number;
  readonly pressure?: HostResult['pressure'];
  /** Programs that used the most CPU time, the greediest first; absent where the system does not tell. */
  readonly greediest?: readonly ProcessorUser[];
}

/** Processes of one name. */
export interface ProcessorUser {
  /** As the kernel names it. Any program can call itself anything. */
  readonly name: string;
  /** In processors: 1 keeps one of them busy all the time. */
  readonly processors: number;
}

/** ok · worth mending · not to be measured on before it is mended · this system does not tell. */
export type DoctorLevel = 'ok' | 'warning' | 'problem' | 'unknown';

/** One thing that was looked at. */
export interface DoctorFinding {
  readonly code:
    | 'browser'
    /** Set when the browser runs on another machine. */
    | 'browser-machine'
    | 'system'
    | 'processors'
    | 'processor-limit'
    | 'governor'
    | 'turbo'
    | 'power'
    | 'memory'
    | 'load'
    | 'busy'
    | 'steal'
    | 'pressure'
    | 'noise'
    | 'self-comparison'
    | 'resolution';
  readonly level: DoctorLevel;
  /** A plain sentence. */
  readonly what: string;
  /** What to do next; a plain sentence, with the command where there is one. */
  readonly advice?: string;
}

/** A page compared with itself. */
export interface SelfComparison {
  readonly url: string;
  /** Anything but `same` says that this machine, or this page, is too restless. */
  readonly decision: Decision | 'invalid';
  /** The decision in plain words, with figures. */
  readonly sentence: string;
  /** Loads of each side that count. */
  readonly pairs: number;
  /** The smallest change that so many pairs find on this machine in four of five comparisons, as a share: 0.03 for 3 %. */
  readonly smallestChange?: number;
  /** How many pairs it takes to find a change of 5 % as often. */
  readonly pairsForFivePercent?: number;
  /** The folder with its results. */
  readonly out?: string;
}

/** The JSON of `quiesce doctor`. */
export interface DoctorResult extends ResultHeader {
  readonly kind: 'doctor';
  /** unfit: there is a problem. */
  readonly verdict: 'fit' | 'unfit';
  readonly facts: HostFacts;
  readonly findings: readonly DoctorFinding[];
  readonly selfComparison?: SelfComparison;
}
