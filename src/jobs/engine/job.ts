import path from 'node:path';
import type { Lab } from '../../model/recording/lab.ts';
import type { Progress } from '../../model/result/progress.ts';
import type { ResultHeader } from '../../model/result/result.ts';
import type { BrowserSettings } from '../../model/settings.ts';
import type { Problem } from './problem.ts';
import { version } from './version.ts';

/** What a caller may hook into. */
export interface Hooks {
  /** Ends the job; what is finished is kept. */
  readonly signal?: AbortSignal;
  onProgress?(event: Progress): void;
}

/** The same of a job that loads pages. */
export interface JobHooks extends Hooks {
  /** Opens the place where pages are loaded; Chrome when absent. */
  openLab?(browser: BrowserSettings): Promise<Lab>;
}

/** What a job leaves behind. */
export interface Outcome<Result> {
  /** Everything. Of an audit of more than 50 pages it is put together when it is first asked for: some 0.1 MB a page. */
  readonly result: Result;
  /** The folder with the results. */
  readonly out: string;
  readonly files: readonly string[];
  /** The exit code of the command line. */
  readonly exit: number;
  /** Everything that could not be measured or written, and what fails the job. */
  readonly problems: readonly Problem[];
}

/** The same of a job that makes reports of pages. */
export interface JobOutcome<Result, Report> extends Outcome<Result> {
  /** What reports show. Of an audit of more than 50 pages its targets hold what tables of many pages do, not every run. */
  readonly report: Report;
}

/** The published JSON Schema of result.json. */
const SCHEMA = 'https://unpkg.com/quiesce/schema/result.v1.schema.json';

/** What every result begins with, but for the browser and the settings. */
export function resultHeader(startedAt: Date): Pick<ResultHeader, '$schema' | 'version' | 'tool' | 'startedAt'> {
  return {
    $schema: SCHEMA,
    version: 1,
    tool: { name: 'quiesce', version: version() },
    startedAt: startedAt.toISOString(),
  };
}

/** Where results go by default: `reports/<name>-<time>`. */
export function defaultFolder(name: string, now: Date): string {
  const stamp = now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  return path.join('reports', `${name.replace(/[^\w.-]+/g, '-')}-${stamp}`);
}
