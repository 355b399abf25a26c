/** The reports that can be written; `reporters` in `report/index.ts` holds one for each. */
export type ReportFormat = 'html' | 'json' | 'har' | 'junit' | 'md' | 'csv';

/** Which browser, and how it is started. */
export interface BrowserSettings {
  /** Path of an executable; found when absent. */
  readonly browser?: string;
  /** WebSocket address of a running browser; nothing is started or ended then. */
  readonly browserWs?: string;
  /** Chrome's own sandbox. Off only where it cannot work (root) or when asked. */
  readonly sandbox: boolean;
  /** More arguments for the executable. */
  readonly browserArg: readonly string[];
}

/** What audits and comparisons can be told alike: how pages are loaded, judged and written down. Times in milliseconds. */
export interface LoadSettings extends BrowserSettings {
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
}

/** Everything that an audit can be told, defaults resolved. */
export interface AuditSettings extends LoadSettings {
  readonly targets: readonly string[];
  /** Timed runs a target. */
  readonly runs: number;
}

/** Everything that a comparison can be told, defaults resolved. */
export interface CompareSettings extends LoadSettings {
  /** The base, then the candidate. */
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
