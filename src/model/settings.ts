/** The reports that can be written; `reporters` in `report/index.ts` holds one for each. */
export type ReportFormat = 'html' | 'json' | 'har';

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

/** Everything that an audit can be told, defaults resolved. Times in milliseconds. */
export interface AuditSettings extends BrowserSettings {
  readonly targets: readonly string[];
  /** Folder for the results; `reports/<name>-<time>` when absent. */
  readonly out?: string;
  /** Timed runs a target. */
  readonly runs: number;
  readonly quietWindow: number;
  readonly maxInflight: number;
  readonly timeout: number;
  readonly background: readonly string[];
  readonly foreground: readonly string[];
  readonly completeOn?: string;
  /** One untimed run that films the page, to prove what is background. */
  readonly evidence: boolean;
  /** One untimed run with the suspected background held back. */
  readonly ablation: boolean;
  readonly format: readonly ReportFormat[];
  /** Keep response bodies in the HAR. */
  readonly harContent: boolean;
  /** Keep cookies, tokens and payloads in the HAR. */
  readonly harSecrets: boolean;
}
