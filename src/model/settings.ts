import type { BudgetEntry } from './budget.ts';
import type { View } from './conditions.ts';

/** The reports that can be written; `reporters` in `report/index.ts` holds one for each. */
export type ReportFormat = 'html' | 'json' | 'har' | 'junit' | 'md' | 'csv';

/** Which browser, and how it is started. */
export interface BrowserSettings {
  /** Path of an executable; found when absent. */
  readonly browser?: string;
  /**
   * WebSocket address of a running browser, or the HTTP address of its DevTools; nothing is started or ended then. What
   * lets one in (a token, a login) is secret.
   */
  readonly browserWs?: string;
  /** Chrome's own sandbox. Off only where it cannot work (root) or when asked. */
  readonly sandbox: boolean;
  /** More arguments for the executable. */
  readonly browserArg: readonly string[];
}

/** What a load finds, and what gets it into the page; all as typed. What is absent is as on an ordinary desktop. */
export interface LabSettings {
  /** 'desktop', 'phone', 'tablet', or a device by its name. */
  readonly device?: string;
  /** A preset's name, or `latency,down,up` in ms and kbit/s. */
  readonly network?: string;
  /** How many times slower pages compute. */
  readonly cpu?: number;
  /** Measure the first visit, or the one after it. */
  readonly view?: View;
  readonly userAgent?: string;
  readonly locale?: string;
  readonly timezone?: string;
  /** `latitude,longitude`. */
  readonly geolocation?: string;
  /** URL patterns of requests that are refused. */
  readonly block?: readonly string[];
  /** `Name: value`, for the target's own origin. Secret. */
  readonly header?: readonly string[];
  /** `name=value`, for the target's own host. Secret. */
  readonly cookie?: readonly string[];
  /** `user:password`, for the target's own origin. Secret. */
  readonly basicAuth?: string;
  readonly ignoreCertificateErrors?: boolean;
  /** Path of a module that is run before each load, and after it. */
  readonly script?: string;
  /** How long the script may take at a time, ms. */
  readonly scriptTimeout?: number;
}

/** What audits and comparisons can be told alike: how pages are loaded, judged and written down. Times in milliseconds. */
export interface LoadSettings extends BrowserSettings, LabSettings {
  /** Folder for the results; `reports/<name>-<time>` when absent. */
  readonly out?: string;
  /** Hash of the commit that is measured; looked for in the environment and in the target's folder when absent. */
  readonly commit?: string;
  readonly quietWindow: number;
  readonly maxInflight: number;
  readonly timeout: number;
  readonly background: readonly string[];
  readonly foreground: readonly string[];
  readonly completeOn?: string;
  /** One untimed run of each page that films it, to prove what is background. */
  readonly evidence: boolean;
  /** One untimed run with the suspected background held back. */
  readonly ablation: boolean;
  readonly format: readonly ReportFormat[];
  /** Keep response bodies in the HAR. */
  readonly harContent: boolean;
  /** Keep cookies, tokens and payloads in the HAR. */
  readonly harSecrets: boolean;
  /** Lighthouse runs of each page, or of each build, apart from the timed ones; 0 or absent for none. */
  readonly lighthouse?: number;
  /** Limits for figures of the page, as typed: 'page-complete=2s:warn'. In comparisons the candidate's. */
  readonly budget?: readonly (string | BudgetEntry)[];
  /** This machine's share of the work, as typed: '2/4'. All of it when absent. */
  readonly shard?: string;
}

/** Where the pages of an audit come from besides its targets; all of them add up. */
export interface PageSources {
  /** Pages with settings of their own. */
  readonly pages?: readonly PageSettings[];
  /** A file with a target a line and, behind a blank, its name; `-` is the standard input. */
  readonly urlsFile?: string;
  /** URL or file of a sitemap or of an index of sitemaps, gzipped or not. */
  readonly sitemap?: string;
  /** Pages of the sitemap that are taken at most, in its order. */
  readonly maxPages?: number;
}

/** The server under test, when Quiesce is to start it. Both or neither of command and address. */
export interface ServeSettings {
  /** A line for the shell. */
  readonly serveCommand?: string;
  /** Where it answers once it is up; targets that begin with a slash are paths there. */
  readonly serveUrl?: string;
  /** How long it may take to answer, ms. */
  readonly serveTimeout?: number;
}

/** What cannot differ between the pages of one audit: it has one folder, one browser, one server. */
export type WholeAudit =
  | 'targets'
  | 'out'
  | 'commit'
  | 'format'
  | 'harContent'
  | 'harSecrets'
  | 'shard'
  | keyof BrowserSettings
  | keyof PageSources
  | keyof ServeSettings;

/** One page of an audit; what is absent is as the audit has it. */
export interface PageSettings extends Partial<Omit<AuditSettings, WholeAudit>> {
  /** What reports and files call it; no other page of the audit has the same. */
  readonly name?: string;
  /** A URL, a folder with a built site, or, with a server under test, a path on it. */
  readonly url: string;
}

/** Everything that an audit can be told, defaults resolved. */
export interface AuditSettings extends LoadSettings, PageSources, ServeSettings {
  readonly targets: readonly string[];
  /** Timed runs a target. */
  readonly runs: number;
}

/** Two states of one repository, when Quiesce is to build what it compares. */
export interface RefSettings {
  /** What git calls the base: a branch, a tag, a commit. The candidate is the work tree as it stands. */
  readonly baseRef?: string;
  /** A line for the shell that builds either, run in the same folder of both; nothing is built when absent. */
  readonly build?: string;
  /** The folder with the built site, relative to where the command is run. */
  readonly dist?: string;
  /** Keep the base's build, and take it from there the next time. */
  readonly buildCache?: boolean;
}

/** Everything that a comparison can be told, defaults resolved. */
export interface CompareSettings extends LoadSettings, RefSettings {
  /** The base, then the candidate; none with `baseRef`. */
  readonly targets: readonly string[];
  /** The most pairs of loads; the last look when absent. */
  readonly maxPairs?: number;
  /** After how many pairs the intervals are looked at; the default looks up to `maxPairs` when absent. */
  readonly looks?: readonly number[];
  /** The smallest effect of interest as typed: '5%', '50ms' or '5%,10ms'. */
  readonly minEffect: string;
  readonly alpha: number;
  /** Names of the metrics that decide, as typed: 'page-complete', 'LCP'. */
  readonly gate: readonly string[];
  readonly strict: boolean;
  /** Drawn when absent. */
  readonly seed?: number;
  /** Go on with the comparison that was interrupted in `out`. */
  readonly resume: boolean;
}

/** What joining shards can be told. */
export interface MergeSettings {
  /** Folders or files with results of shards; folders may hold several. */
  readonly dirs: readonly string[];
  /** Folder for the merged result; `reports/merged-<time>` when absent. */
  readonly out?: string;
  readonly format: readonly Exclude<ReportFormat, 'har'>[];
}

/** Which outcomes fail a job on GitHub: gates and budgets, budgets alone, or none. */
export type FailOn = 'slower' | 'budget' | 'never';

/** What telling GitHub of a result can be told. */
export interface GithubSettings {
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
}
