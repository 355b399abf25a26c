import type { Build } from '../compare/build.ts';
import type { PageDifferenceFact } from '../compare/page-difference.ts';
import type { EndingDoubt } from '../completion/completion.ts';
import type { HostReason } from '../host/reason.ts';
import type { Bytes, Ms } from '../units.ts';
import type { DropReason, Failure } from './failure.ts';

/** What a reader should know of a browser that Quiesce has not started. */
export type BrowserNote =
  /** It does not tell with which arguments it was started. */
  | { readonly code: 'unknown-arguments' }
  /** It was started without these arguments, which change figures. */
  | { readonly code: 'missing-arguments'; readonly missing: readonly string[] }
  /** A command and its answer take about so long, rounded to one digit. */
  | { readonly code: 'far-browser'; readonly roundTrip: Ms };

/** How the list of pages of an audit came about, and what may be out of reach. */
export type PagesNote =
  /** A sitemap has more pages than are measured: so many, or at least so many. */
  | {
      readonly code: 'sitemap-cut';
      readonly source: string;
      readonly measured: number;
      readonly pages: number;
      readonly atLeast?: true;
    }
  /** So many pages of a sitemap are of other origins, most of them of this one. */
  | { readonly code: 'other-origins'; readonly pages: number; readonly origin: string }
  /** So many entries of a sitemap are no addresses of the web. */
  | { readonly code: 'unusable-entries'; readonly source: string; readonly entries: number }
  /** Pages that were named more than once, `times` times more in all. */
  | { readonly code: 'duplicate-pages'; readonly times: number; readonly names: readonly string[] }
  /** There are fewer pages than shards. */
  | { readonly code: 'empty-shard'; readonly index: number; readonly of: number; readonly pages: number }
  /** Addresses that a browser on another machine looks for there. */
  | { readonly code: 'loopback-elsewhere'; readonly urls: readonly string[] };

/** What a reader should know of the servers of a comparison. */
export type ServerNote =
  /** Both listen at this address, so that only one runs at a time. */
  | { readonly code: 'servers-in-turns'; readonly url: string }
  /** It was another process all at once, so often. */
  | { readonly code: 'server-restarted'; readonly build: Build; readonly times: number }
  /** So many lines of its log tell of errors; the first of them. */
  | { readonly code: 'server-errors'; readonly build: Build; readonly lines: number; readonly first: string }
  /** Its memory at the first load that may count, and at the last. */
  | { readonly code: 'server-grew'; readonly build: Build; readonly from: Bytes; readonly to: Bytes }
  /** It kept this share of a processor busy while the other build was loaded. */
  | { readonly code: 'server-restless'; readonly build: Build; readonly share: number };

/** What happens in a comparison between its loads. */
export type ComparisonNote =
  | ServerNote
  /** An interrupted one goes on. */
  | { readonly code: 'resumed'; readonly blocks: number }
  /** A page of several leads to another one in both builds. */
  | { readonly code: 'leads-elsewhere'; readonly path: string; readonly to: string }
  /** A page of several is not compared. */
  | { readonly code: 'left-out'; readonly sentence: string }
  /** Steps are done after each load; their times are not measured. */
  /** Metrics that no load of these pages has, by name. */
  | { readonly code: 'gates-not-measured'; readonly metrics: readonly string[] }
  | { readonly code: 'page-difference'; readonly difference: PageDifferenceFact }
  | { readonly code: 'block-dropped'; readonly block: number; readonly reason: DropReason }
  /** Loads with a CPU profile follow: of each build so many at most. */
  | { readonly code: 'profiling'; readonly loads: number }
  /** The work tree has no changes since the base. */
  | { readonly code: 'unchanged-tree'; readonly base: string }
  /** The base has commits that the work tree does not have; `point` is where they parted. */
  | { readonly code: 'parted'; readonly base: string; readonly point: string }
  /** After the build this file is the one of before. */
  | { readonly code: 'nothing-built'; readonly file: string; readonly candidate: string }
  /** The built base cannot be kept in this folder. */
  | { readonly code: 'build-not-kept'; readonly folder: string; readonly detail: string };

/** What happens while the capacity of a server is measured. */
export type CapacityNote =
  /** A server answers; `pids` are its processes, where they are known. */
  | {
      readonly code: 'server-answers';
      readonly url: string;
      readonly took: Ms;
      readonly isHere: boolean;
      readonly pids?: readonly number[];
    }
  /** `rate` and `throughput`: per second. */
  | {
      readonly code: 'level-measured';
      readonly server?: Build;
      readonly concurrency: number;
      readonly rate?: number;
      readonly pass: 1 | 2;
      readonly throughput: number;
      readonly mean?: Ms;
      readonly p90?: Ms;
      readonly errors: number;
    }
  | { readonly code: 'page-not-loaded'; readonly failure: Failure };

/** What a job tells between its loads. */
export type Note =
  | BrowserNote
  | PagesNote
  | ComparisonNote
  | CapacityNote
  /** Lighthouse inspects this page or build. */
  | { readonly code: 'lighthouse-run'; readonly index: number; readonly of: number; readonly name: string }
  /** A package that only this job needs is fetched. */
  | { readonly code: 'fetching-package'; readonly name: string; readonly version: string }
  | { readonly code: 'watching-machine' }
  | { readonly code: 'starting-browser' };

/** Why a load is made again. */
export type RetryReason =
  /** The browser of the last one died, or the connection to it. */
  | { readonly code: 'browser-died' }
  | { readonly code: 'browser-lost' }
  | { readonly code: 'load-failed'; readonly failure: Failure }
  /** It had ended early, and is not trusted. */
  | { readonly code: 'ending-doubted'; readonly doubt: EndingDoubt }
  | { readonly code: 'host-unfit'; readonly reasons: readonly HostReason[] };
