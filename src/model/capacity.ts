import type { BudgetSeverity, BudgetState } from './budgets.ts';
import type { Build } from './compare/build.ts';
import type { ResultHeader } from './result/result.ts';
import type { Ms } from './units.ts';

/**
 * result.json of `quiesce capacity`: how much the server behind a page can take. Throughput in requests per second, times in
 * milliseconds, shares from 0 to 1; absent means not known. With two servers the first is the base.
 */
export interface CapacityResult extends ResultHeader, CapacityFigures {
  readonly kind: 'capacity';
  /** What was asked for, or the file that was read. */
  readonly url: string;
  /** Requests that waited for the one before, or requests that came at a fixed rate; or figures of another tool. */
  readonly load: LoadKind;
  /** What made the load: 'autocannon 9.0.0', or the tool whose file was read. */
  readonly engine: string;
  /** True when the server runs on the machine that makes the load. */
  readonly shared: boolean;
  /** Why the ramp ended. */
  readonly ended?: RampEnd;
  /** What people see of the page while the server is under load; absent when it was not looked at. */
  readonly page?: PageUnderLoad;
  readonly budgets?: readonly CapacityBudgetResult[];
  /** The second server; only with two. */
  readonly candidate?: CapacityFigures & {
    readonly url: string;
    readonly ended?: RampEnd;
    readonly page?: PageUnderLoad;
  };
  readonly comparison?: CapacityComparison;
}

/** Each connection sends its next request once it has the answer · requests come at a fixed rate, answered or not. */
export type LoadKind = 'closed' | 'open';

/** Everything that is said of one server. */
export interface CapacityFigures {
  /** In the order of concurrency, or of the rate that was asked for. */
  readonly levels: readonly CapacityLevel[];
  readonly knee?: Knee;
  readonly max?: {
    readonly throughput: number;
    readonly low?: number;
    readonly high?: number;
    readonly concurrency: number;
  };
  /** The most with response times within the bound that was asked for. */
  readonly within?: WithinBound;
  readonly usl?: UslFit;
  readonly limit: CapacityLimit;
  /** Why, as figures. */
  readonly limitFacts: LimitFacts;
  readonly findings: readonly CapacityFinding[];
}

/** One level of load. */
export interface CapacityLevel {
  /** Connections that were used at a time. */
  readonly concurrency: number;
  /** The rate that was asked for; only in an open load. */
  readonly rate?: number;
  /** Requests per second that were answered without an error. */
  readonly throughput: number;
  /** Its 95% interval. */
  readonly throughputLow?: number;
  readonly throughputHigh?: number;
  readonly mean?: Ms;
  readonly meanLow?: Ms;
  readonly meanHigh?: Ms;
  readonly p50?: Ms;
  readonly p90?: Ms;
  readonly p90Low?: Ms;
  readonly p90High?: Ms;
  readonly p95?: Ms;
  readonly p99?: Ms;
  /** Requests that were answered in the measured time. */
  readonly requests?: number;
  /** How long was measured, over all passes. */
  readonly duration?: Ms;
  /** Requests that failed: no answer, a redirect, or a status of 400 and above. */
  readonly errors: number;
  readonly errorShare: number;
  /** How often each kind of error came up: 'HTTP 503', 'timeout', 'ECONNRESET'. */
  readonly errorKinds?: Readonly<Record<string, number>>;
  /** The busiest part of what makes the load, as a share of what it can do. */
  readonly driverBusy?: number;
  /** What the driver's machine did besides: all other programs but the server, stolen time, delay of timers, sockets. */
  readonly driver?: DriverUse;
  /** The server's share of all processors of its machine. */
  readonly serverCpu?: number;
  readonly server?: ServerUse;
  /** Little's law: requests at a time by throughput and response time, over the connections that were there. */
  readonly littlesLaw?: number;
  /** Whether its figures can be relied on, and why not. */
  readonly stable: boolean;
  readonly unstable?: readonly InstabilityCode[];
}

/**
 * Throughput × response time is not the number of connections · the interval stayed wide · two passes disagree · too many
 * errors · the driver was above half of what it can do · the driver was the limit.
 */
export type InstabilityCode = 'littles-law' | 'wide-interval' | 'drift' | 'errors' | 'driver-busy' | 'driver-limit';

/** What the driver's machine did. */
export interface DriverUse {
  /** CPU time of the driver's busiest process, as a share of one processor; of all of them where that process uses all (k6). */
  readonly own: number;
  /** Processors that all its processes use together, 1 for one of them. */
  readonly processors?: number;
  /** Time in which that process wanted a processor and had none. */
  readonly waiting?: number;
  /** All other programs but the server, as a share of all processors. */
  readonly others?: number;
  readonly steal?: number;
  /** 99th percentile of how late timers were. */
  readonly eventLoopDelay?: Ms;
  /** Connections that were open at the end. */
  readonly sockets?: number;
}

/** What the server's processes used. */
export interface ServerUse {
  /** CPU time per request. */
  readonly cpuPerRequest?: Ms;
  /** Response time without it. */
  readonly waitPerRequest?: Ms;
  /** Processors in use, 1 for one of them. */
  readonly processors: number;
  readonly processes: number;
  /** Processes or threads that used at least 85% of one processor. */
  readonly fullThreads: number;
  /** Processes that used the CPU while the level ran. */
  readonly workers: number;
  /** Resident memory before the first pass and after the last, bytes. */
  readonly memoryBefore?: number;
  readonly memory?: number;
  /** Connections that waited to be accepted, at most. */
  readonly acceptQueue?: number;
}

/** The lowest level that has at least 95% of the highest throughput. */
export interface Knee {
  readonly concurrency: number;
  readonly throughput: number;
  readonly p90?: Ms;
}

/** The highest throughput within a bound. */
export interface WithinBound {
  readonly percentile: 'p90';
  readonly bound: Ms;
  /** Absent when no level is within it. */
  readonly throughput?: number;
  readonly concurrency?: number;
  readonly p90?: Ms;
  /** True when every level is within it: more load may be, too. */
  readonly all?: boolean;
}

/**
 * The Universal Scalability Law, X(N) = λN / (1 + σ(N − 1) + κN(N − 1)), with 95% intervals by bootstrap.
 * Source: Gunther, "A General Theory of Computational Scalability Based on Rational Functions", 2008.
 */
export interface UslFit {
  /** Throughput of one connection, 1/s. */
  readonly lambda: number;
  /** Contention: the share of the work that one request must do after another. */
  readonly sigma: number;
  readonly sigmaLow: number;
  readonly sigmaHigh: number;
  /** Coherence: the cost of agreement, which grows with the number of pairs. */
  readonly kappa: number;
  readonly kappaLow: number;
  readonly kappaHigh: number;
  /** The concurrency with the highest throughput; absent without a maximum up to twice the highest level. */
  readonly peak?: number;
  readonly peakLow?: number;
  readonly peakHigh?: number;
  /** Highest throughput of the curve up to twice the highest level. */
  readonly ceiling: number;
  readonly r2: number;
  /** The curve at the levels, for drawing; up to twice the highest level. */
  readonly curve: readonly { readonly concurrency: number; readonly throughput: number }[];
}

/**
 * What stands in the way: the CPU · something that is waited for: workers, a pool, another service · the same, with a round
 * number that somebody configured · what makes the load · work that only one request can do at a time · agreement among many
 * · nothing yet · saturated below the lowest level.
 */
export type CapacityLimit =
  | 'cpu'
  | 'wait'
  | 'configured'
  | 'driver'
  | 'contention'
  | 'coherence'
  | 'not-reached'
  | 'already-saturated';

/** The figures behind a limit. What a limit does not rest on is absent. */
export interface LimitFacts {
  /** The throughput that the limit allows, 1/s. */
  readonly ceiling?: number;
  /** Processors that the server can use. */
  readonly cores?: number;
  readonly cpuPerRequest?: Ms;
  /** Share of the server's processors that was idle at the plateau. */
  readonly idle?: number;
  /** The number of requests at a time that the limit allows. */
  readonly concurrency?: number;
  /** Throughput falls above it. */
  readonly falls?: boolean;
  /** The server uses so many threads fully, and not more. */
  readonly threads?: number;
  /** From which level on requests fail, before throughput has stopped growing. */
  readonly failingFrom?: number;
  /** From which level on the driver is the limit. */
  readonly from?: number;
  /** What kept the driver busy. */
  readonly driver?: 'own' | 'others' | 'steal';
  /** Levels that are worth a try. */
  readonly tryLevels?: readonly number[];
}

/** Why no higher level was tried: throughput does not grow any more · … · the list of levels is done. */
export interface RampEnd {
  readonly code:
    | 'flat'
    | 'errors'
    | 'timeouts'
    | 'driver'
    | 'max-concurrency'
    | 'levels-done'
    | 'max-requests'
    | 'interrupted'
    | 'imported';
  readonly concurrency?: number;
}

/** A remarkable fact, with its figures. */
export interface CapacityFinding {
  readonly code: CapacityFindingCode;
  readonly level: 'note' | 'warning';
  readonly message: string;
  readonly facts: Readonly<Record<string, number | string | readonly number[]>>;
}

/** The same before it is put into words. */
export type CapacityFindingFacts = Omit<CapacityFinding, 'message'>;

/** Codes of findings. */
export type CapacityFindingCode =
  | 'already-saturated'
  | 'few-levels'
  | 'past-the-knee'
  | 'queue'
  | 'configured-limit'
  | 'cpu-idle'
  | 'errors'
  | 'timeouts'
  | 'driver-busy'
  | 'driver-limit'
  | 'others-busy'
  | 'stolen-time'
  | 'shared-machine'
  | 'server-unknown'
  | 'unstable-levels'
  | 'drift'
  | 'memory-growth'
  | 'accept-queue'
  | 'open-load'
  | 'usl-poor';

/** What people see of the page at one load of its server. */
export interface PageUnderLoad {
  readonly points: readonly PageAtLoad[];
}

/** The page at one load of its server. */
export interface PageAtLoad {
  readonly load: 'none' | 'half' | 'knee';
  /** Connections that load the server besides the browser. */
  readonly concurrency: number;
  /** Loads of the page that were complete, and all. */
  readonly n: number;
  readonly of: number;
  readonly pageComplete?: Ms;
  readonly low?: Ms;
  readonly high?: Ms;
  /** Its part that is spent on the document: from navigation start until it has arrived. */
  readonly basePage?: Ms;
}

/** What a budget of a server limits. */
export type CapacityBudgetFigure =
  | { readonly kind: 'capacity' }
  | { readonly kind: 'percentile'; readonly percentile: 'mean' | 'p50' | 'p90' | 'p95' | 'p99'; readonly rate: number };

/** A limit for a figure of a server. */
export interface CapacityBudget {
  /** As it is typed: 'capacity', 'p90@500/s'. */
  readonly metric: string;
  readonly figure: CapacityBudgetFigure;
  readonly bound: 'max' | 'min';
  readonly limit: number;
  readonly severity: BudgetSeverity;
}

/** A budget, judged. */
export interface CapacityBudgetResult {
  readonly metric: string;
  readonly unit: '1/s' | 'ms';
  readonly bound: 'max' | 'min';
  readonly limit: number;
  readonly severity: BudgetSeverity;
  readonly value?: number;
  readonly low?: number;
  readonly high?: number;
  readonly state: BudgetState;
  /** Why there is no figure, or none of a level that was measured. */
  readonly because?: 'rate-not-reached' | 'nothing-measured';
  readonly sentence: string;
}

/** The same before it is put into words. */
export type CapacityBudgetFacts = Omit<CapacityBudgetResult, 'sentence'>;

/** The candidate against the base. */
export interface CapacityComparison {
  /** Of highest throughputs: above 1 the candidate can take more. */
  readonly maxRatio: Ratio;
  /** Whose limit was not reached: its highest throughput is the highest that was tried. */
  readonly notReached?: readonly Build[];
  /** Of 90th percentiles at an equal rate: above 1 the candidate is slower. */
  readonly p90Ratio?: Ratio & { readonly rate: number };
  readonly decision: 'better' | 'worse' | 'same' | 'unsure';
  readonly sentence: string;
}

/** A ratio with its 95% interval. */
export interface Ratio {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}
