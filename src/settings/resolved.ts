/** What jobs get: every option read, checked and made a value of its own type. Made once, at the front door. */

import type { Secrecy } from '../core/har/secrecy.ts';
import type { Access } from '../model/access.ts';
import type { Policy } from '../model/background/verdict.ts';
import type { Budget } from '../model/budgets.ts';
import type { CapacityBudget } from '../model/capacity.ts';
import type { PerBuild } from '../model/compare/build.ts';
import type { Gate } from '../model/compare/gate.ts';
import type { Conditions } from '../model/host/conditions.ts';
import type { OwnMetric } from '../model/metrics/metrics.ts';
import type { Settings, Source } from '../model/result/result.ts';
import type { BrowserSettings, EnvironmentVariable, FailOn } from '../model/settings.ts';
import type { Shard } from '../model/shards/shard.ts';
import type { Ms } from '../model/units.ts';
import type { CapacityFormat, FileFormat, ReportFormat, TrendFormat } from '../reporters/formats.ts';
import type { Environment } from './gather.ts';
import type { capacity } from './options/capacity.ts';
import type { comparing } from './options/comparing.ts';
import type { measuring } from './options/measuring.ts';
import type { ValuesOf } from './options.ts';
import type { ValuesIn } from './values-in.ts';

/** Which browser, how it is started, and where it is looked for. */
export interface ResolvedBrowser extends BrowserSettings {
  readonly env: Environment;
  /** Fetch packages that are missing also in continuous integration. */
  readonly install: boolean;
}

/** A module that is run before each load, and after it. */
export interface ResolvedScript {
  /** As it was named. */
  readonly path: string;
  /** How long it may take at a time. */
  readonly timeout: Ms;
  /** What the module is shown of the environment. */
  readonly env: Environment;
}

/** What each load is asked for. */
export interface LoadOptions {
  readonly conditions: Conditions;
  readonly access: Access;
  /** The user's own metrics; none when absent. */
  readonly metrics?: readonly OwnMetric[];
}

/** How pages are loaded and judged: the options under "Measuring" as they are, and what others were made into. */
export interface Loading
  extends Omit<ValuesIn<'compare', typeof measuring>, 'timeout' | 'metric' | 'budget' | 'lighthouse' | 'install'> {
  readonly policy: Policy;
  /** What each load is asked for beside its address and how it is judged. */
  readonly options: LoadOptions;
  readonly script?: ResolvedScript;
  readonly budgets: readonly Budget[];
  /** How often Lighthouse is run, apart from the timed runs. */
  readonly lighthouseRuns: number;
  /** Content that comes after a whole quiet window counts. */
  readonly includesLate: boolean;
}

/** What is written, and where. */
export interface Writing<F extends string = ReportFormat> {
  /** Folder for the results; one of its own name in `reports/` when absent. */
  readonly out?: string;
  readonly formats: readonly F[];
  /** Write also into a folder that has files of other programs. */
  readonly force: boolean;
}

/** What is kept of a HAR. */
export interface HarOptions {
  /** Response bodies. */
  readonly content: boolean;
  /** Cookies, tokens and payloads. */
  readonly secrets: boolean;
}

/** What audits and comparisons have in common. */
export interface ResolvedJob extends Secrecy, Writing {
  /** The options as results store them. */
  readonly stored: Settings;
  readonly har: HarOptions;
  /** The commit that the user says is measured. */
  readonly commit?: Source;
  /** What a job of continuous integration has checked out. */
  readonly ci?: Source;
  /** What makes the exit code 1. */
  readonly failOn: FailOn;
  /** This machine's share of the work; all of it when absent. */
  readonly shard?: Shard;
  /** The variable that it comes from, where the user did not name it. */
  readonly shardFrom?: string;
  readonly browser: ResolvedBrowser;
}

/** How one page of an audit is measured. */
export interface PageLoading extends Loading {
  /** Timed runs. */
  readonly runs: number;
}

/** One page of an audit as it was named. */
export interface ResolvedPage {
  readonly loading: PageLoading;
  /** What reports and files call it; no other page of the audit has the same. */
  readonly name?: string;
  /** A URL, a folder with a built site, or, with a server under test, a path on it. */
  readonly url: string;
  /** Where it was named, for messages; empty for a word on the command line. */
  readonly place: string;
}

/** The server under test. */
export interface ResolvedServer {
  /** A line for the shell. */
  readonly command: string;
  /** Where it answers once it is up; targets that begin with a slash are paths there. */
  readonly url: string;
  /** How long it may take to answer. */
  readonly timeout: Ms;
}

/** The server of each build of a comparison. */
export interface ResolvedServers extends ResolvedServer {
  /** A line for the shell that is run once before they start. */
  readonly setup?: string;
  /** What each finds in its environment beside what Quiesce was started with. */
  readonly env: PerBuild<readonly EnvironmentVariable[]>;
}

/** Where pages come from that are not named one by one. */
interface PageLists {
  /** One target per line: a URL, then an optional name. `-` is the standard input. */
  readonly urlsFile?: string;
  /** URL or file of a sitemap or of an index of sitemaps, gzipped or not. */
  readonly sitemap?: string;
  /** Pages of the sitemap that are taken at most, in its order. */
  readonly maxPages: number;
}

/** An audit. */
export interface ResolvedAudit extends ResolvedJob {
  /** Those that were named one by one. */
  readonly pages: readonly ResolvedPage[];
  readonly lists: PageLists;
  /** How pages of the lists are measured. */
  readonly loading: PageLoading;
  readonly server?: ResolvedServer;
}

/** Two states of one repository that are built and compared. */
export interface ResolvedRefs {
  /** What git calls the base: a branch, a tag, a commit. The candidate is the work tree as it stands. */
  readonly baseRef: string;
  /** A line for the shell that builds either; nothing is built when absent. */
  readonly build?: string;
  /** The folder with the built site, relative to where the command is run; absent where servers are started. */
  readonly dist?: string;
  /** Take the base's build from before, where it is kept. */
  readonly useCache: boolean;
  /** Where builds of the base are kept, or its whole built work trees where servers are started. */
  readonly cacheFolder: string;
}

/** How a comparison is decided. */
interface ResolvedDesign
  extends Omit<ValuesIn<'compare', typeof comparing>, 'gate' | 'resume' | 'failFast' | 'budgetTime'> {
  /** What decides. */
  readonly gates: readonly Gate[];
}

/** How one side of a comparison is loaded: as the other, or with something of its own. */
export interface ResolvedSide {
  readonly access: Access;
  readonly script?: ResolvedScript;
  /** Added to its address: 'flag=on'. */
  readonly query?: string;
}

/** One of several pages of a comparison, as it was named. */
export interface ResolvedComparedPage {
  /** A path of both builds. */
  readonly path: string;
  /** What reports and files call it; no other page of the comparison has the same. */
  readonly name?: string;
  /** Where it was named, for messages; empty for the command line. */
  readonly place: string;
  readonly loading: Loading;
  readonly sides: PerBuild<ResolvedSide>;
  readonly design: ResolvedDesign;
  /** As `ResolvedCompare` has it. */
  readonly lab: Settings;
}

/** A comparison. */
export interface ResolvedCompare extends ResolvedJob {
  /** The base, then the candidate; or two states of a repository. */
  readonly builds: { readonly targets: readonly [base: string, candidate: string] } | { readonly refs: ResolvedRefs };
  /** How the server of each build is started; then targets are folders to start it in. */
  readonly servers?: ResolvedServers;
  readonly loading: Loading;
  readonly sides: PerBuild<ResolvedSide>;
  readonly design: ResolvedDesign;
  /** Which pages are compared; absent where a build is one page. */
  readonly pages?: { readonly named: readonly ResolvedComparedPage[]; readonly lists: PageLists };
  /** How long all loads may take. */
  readonly budgetTime?: Ms;
  /** Go on with the comparison that was interrupted in `out`. */
  readonly resume: boolean;
  /** End as soon as a gate has failed. */
  readonly failFast: boolean;
  /** The options that make loads what they are, as results store them: a comparison goes on only with the same. */
  readonly lab: Settings;
}

/** An analysis of HARs. */
export interface ResolvedAnalyze extends Writing<FileFormat> {
  readonly stored: Settings;
  /** HAR files, gzipped or not, folders with some, and `-` for the standard input. */
  readonly files: readonly string[];
  /** Where these say nothing, HARs are judged by the policy that they carry, or by the default one. */
  readonly policy: Partial<Policy>;
  /** The user's own metrics, as far as the files have them. */
  readonly metrics: readonly OwnMetric[];
  readonly budgets: readonly Budget[];
  readonly failOn: FailOn;
  readonly source?: Source;
}

/** How much a server can take. */
export interface ResolvedCapacity
  extends Omit<ValuesIn<'capacity', typeof capacity>, 'import' | 'rate' | 'iMayLoadThisHost'>,
    Pick<ValuesOf<'capacity'>, 'urlsFile' | 'timeout' | 'seed'>,
    Writing<CapacityFormat>,
    Secrecy {
  readonly stored: Settings;
  /** The server, and with two the candidate; none with files of other tools. */
  readonly urls: readonly string[];
  readonly imports: readonly string[];
  /** An open load at these rates, 1/s. */
  readonly rates?: readonly number[];
  readonly access: Access;
  /** How the page is loaded while its server is under load. */
  readonly pageOptions: LoadOptions;
  /** Hosts that the user says may be loaded. */
  readonly permitted: readonly string[];
  readonly budgets: readonly CapacityBudget[];
  readonly commit?: Source;
  readonly ci?: Source;
  readonly browser: ResolvedBrowser;
}

/** A trend. */
export interface ResolvedTrend extends Writing<TrendFormat> {
  readonly stored: Settings;
  /** Folders with stored results at any depth, and files of results. */
  readonly paths: readonly string[];
  /** The order of points: when they were measured, or as their commits follow each other. */
  readonly by: 'time' | 'commit';
  readonly metrics: readonly string[];
  readonly failOn: 'slower' | 'never';
}

/** Reports of a stored result. */
export interface ResolvedReport extends Writing<FileFormat> {
  /** A result.json, or the folder that holds one. */
  readonly result: string;
}

/** Joining shards. */
export interface ResolvedMerge extends Writing<FileFormat> {
  /** Folders or files with results of shards; folders may hold several. */
  readonly dirs: readonly string[];
  readonly failOn: FailOn;
}

/** Telling GitHub of a result. */
export interface ResolvedGithub {
  /** A result.json, or the folder that holds one. */
  readonly result: string;
  readonly failOn: FailOn;
  /** Write a comment on the pull request, or keep the one with this key up to date. */
  readonly comment: boolean;
  readonly commentKey: string;
  /** Number of the pull request; that of the event when absent. */
  readonly pull?: number;
  /** Where the report can be fetched. */
  readonly reportUrl?: string;
  /** Where a job of GitHub says what it is. */
  readonly env: Environment;
}

/** Examining this machine. */
export interface ResolvedDoctor {
  readonly stored: Settings;
  readonly browser: ResolvedBrowser;
  /** How a page is compared with itself; absent when none was named. */
  readonly self?: ResolvedCompare;
}
