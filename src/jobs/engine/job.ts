import path from 'node:path';
import { findBrowser } from '../../browser/install/find.ts';
import { openChromeLab } from '../../browser/lab.ts';
import { defined } from '../../core/defined.ts';
import type { Lab } from '../../model/lab.ts';
import type { Progress } from '../../model/progress.ts';
import type { Browser, ResultHeader } from '../../model/result.ts';
import type { BrowserSettings } from '../../model/settings.ts';
import type { ResolvedBrowser } from '../../settings/resolved.ts';
import { keepLab, type LabKeeper } from './labs.ts';
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

/**
 * Where pages are loaded. The browser is looked for at once, and a `QuiesceError` says when there is none; it is started
 * with the first load, which is an event of its own.
 *
 * @param started may throw to refuse the browser
 * @param meanwhile what is done while it starts, which takes a third of a second
 */
export async function openLabs(
  settings: ResolvedBrowser,
  hooks: JobHooks,
  started: (lab: Lab) => void,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<LabKeeper> {
  const found =
    hooks.openLab || settings.browserWs !== undefined ? undefined : await findBrowser(settings.browser, settings.env);
  const noted = new Set<string>();
  return keepLab(async () => {
    const opening = hooks.openLab?.(settings) ?? openChromeLab(settings, found?.path);
    const [lab] = await Promise.all([opening, meanwhile()]);
    try {
      started(lab);
    } catch (error) {
      await lab.close();
      throw error;
    }
    const { product, sandbox, path: executable, notes = [] } = lab;
    hooks.onProgress?.({
      kind: 'browser-started',
      product,
      ...defined({ sandbox, path: executable }),
    });
    // A browser that is connected to once more is mostly the same.
    for (const message of notes.filter((note) => !noted.has(note))) {
      noted.add(message);
      hooks.onProgress?.({ kind: 'note', message });
    }
    return lab;
  });
}

/** The browser as a result names it. */
export function browserOf({ product, userAgent, sandbox, elsewhere, notes }: Lab): Browser {
  return {
    product,
    userAgent,
    ...defined({ sandbox }),
    ...(elsewhere && { elsewhere }),
    ...defined({ notes }),
  };
}
