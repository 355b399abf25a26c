import path from 'node:path';
import { type MessageCode, UsageError } from '../core/messages.ts';
import type { Lab } from '../model/lab.ts';
import type { Progress } from '../model/progress.ts';
import type { Browser, ResultHeader } from '../model/result.ts';
import type { BrowserSettings, LoadSettings } from '../model/settings.ts';
import type { Policy } from '../model/verdict.ts';
import { findBrowser } from '../shell/browser/find.ts';
import { openChromeLab } from '../shell/chrome/lab.ts';
import { keepLab, type LabKeeper } from './labs.ts';
import { version } from './version.ts';

/** What a caller may hook into. */
export interface JobHooks<S> {
  /** Ends the job; what is finished is kept. */
  readonly signal?: AbortSignal;
  onProgress?(event: Progress): void;
  /** Opens the place where pages are loaded; Chrome when absent. */
  openLab?(settings: S): Promise<Lab>;
}

/** What a job leaves behind. */
export interface JobOutcome<Result, Report> {
  /** Everything. Of an audit of more than 50 pages it is put together when it is first asked for: some 0.1 MB a page. */
  readonly result: Result;
  /** What reports show. Of an audit of more than 50 pages its targets hold what tables of many pages do, not every run. */
  readonly report: Report;
  /** The folder with the results. */
  readonly out: string;
  readonly files: readonly string[];
  /** The exit code of the command line. */
  readonly exit: number;
  /** One line for everything that could not be measured or written. */
  readonly problems: readonly string[];
}

/** A line for the user with the code that decides the exit. */
export interface Problem {
  readonly code: MessageCode | undefined;
  readonly message: string;
}

/** An expected failure as a line; anything else is a bug and is thrown on. */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof UsageError)) throw error;
  return { code: error.code, message: error.message };
}

/** Each line once, in order. */
export function linesOf(problems: readonly Problem[]): readonly string[] {
  return [...new Set(problems.map(({ message }) => message))];
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

/** Where results go when nobody says: `reports/<name>-<time>`. */
export function defaultFolder(name: string, now: Date): string {
  const stamp = now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  return path.join('reports', `${name.replace(/[^\w.-]+/g, '-')}-${stamp}`);
}

/** When a page counts as complete, as the settings have it. */
export function policyOf(settings: LoadSettings): Policy {
  const { quietWindow, maxInflight, timeout, background, foreground, completeOn } = settings;
  return {
    quietWindow,
    maxInflight,
    timeout,
    background,
    foreground,
    ...(completeOn !== undefined && { completeOn }),
  };
}

/**
 * Where pages are loaded. The browser is looked for at once, and a `UsageError` says when there is none; it is started
 * with the first load, and told then.
 *
 * @param started may throw to refuse the browser
 */
export async function openLabs<S extends BrowserSettings>(
  settings: S,
  hooks: JobHooks<S>,
  started: (lab: Lab) => void,
): Promise<LabKeeper> {
  const found =
    hooks.openLab || settings.browserWs !== undefined ? undefined : await findBrowser(settings.browser, process.env);
  const told = new Set<string>();
  return keepLab(async () => {
    const lab = await (hooks.openLab?.(settings) ?? openChromeLab(settings, found?.path));
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
      ...(sandbox !== undefined && { sandbox }),
      ...(executable !== undefined && { path: executable }),
    });
    // A browser that is connected to once more is mostly the same.
    for (const message of notes.filter((note) => !told.has(note))) {
      told.add(message);
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
    ...(sandbox !== undefined && { sandbox }),
    ...(elsewhere && { elsewhere }),
    ...(notes && { notes }),
  };
}
