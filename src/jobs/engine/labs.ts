import { findBrowser } from '../../browser/install/find.ts';
import { openChromeLab } from '../../browser/lab.ts';
import type { Lab } from '../../model/recording/lab.ts';
import type { Browser } from '../../model/result/result.ts';
import type { ResolvedBrowser } from '../../settings/resolved.ts';
import { noteInWords } from '../../wording/result/notes.ts';
import type { JobHooks } from './job.ts';
import { noted } from './progress-events.ts';

/** Hands out a living lab, opening a new one when the last one died. */
export interface LabKeeper {
  lab(): Promise<Lab>;
  close(): Promise<void>;
}

/**
 * Another browser beside the first, to be closed by the caller: a browser traces one load at a time.
 *
 * @param browserArg what it is started with besides
 */
export type OpenSecondBrowser = (browserArg?: () => Promise<readonly string[]>) => LabKeeper;

/** Where all pages of a job are loaded. */
export interface Labs extends LabKeeper {
  /** Absent where it might be the same browser, or where what the user gave the first (a port, a profile) may not be used twice. */
  readonly secondBrowser?: OpenSecondBrowser;
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
): Promise<Labs> {
  const found =
    hooks.openLab || settings.browserWs !== undefined ? undefined : await findBrowser(settings.browser, settings.env);
  const told = new Set<string>();
  const labs = keepLab(async () => {
    const opening = hooks.openLab?.(settings) ?? openChromeLab(settings, found?.path);
    const [opened, prepared] = await Promise.allSettled([opening, meanwhile()]);
    if (opened.status === 'rejected') throw opened.reason;
    const lab = opened.value;
    try {
      if (prepared.status === 'rejected') throw prepared.reason;
      started(lab);
    } catch (error) {
      await lab.close();
      throw error;
    }
    const { product, sandbox, path: executable, notes = [] } = lab;
    hooks.onProgress?.({
      kind: 'browser-started',
      product,
      sandbox,
      path: executable,
    });
    // A browser that is connected to once more is mostly the same.
    for (const note of notes) {
      const key = JSON.stringify(note);
      if (!told.has(key)) hooks.onProgress?.(noted(note));
      told.add(key);
    }
    return lab;
  });
  if (!found || settings.browserArg.length > 0) return labs;
  return {
    ...labs,
    secondBrowser: (browserArg = async () => []) =>
      keepLab(async () => openChromeLab({ ...settings, browserArg: await browserArg() }, found.path)),
  };
}

/**
 * Does what needs no browser while it ends, which takes a seventh of a second. Both are over then; what the work throws comes
 * first.
 */
export async function closeMeanwhile<T>(close: () => Promise<void>, work: () => Promise<T>): Promise<T> {
  const [done, closed] = await Promise.allSettled([work(), close()]);
  if (done.status === 'rejected') throw done.reason;
  if (closed.status === 'rejected') throw closed.reason;
  return done.value;
}

/** The browser as a result names it. */
export function browserOf({ product, userAgent, sandbox, elsewhere, notes = [] }: Lab): Browser {
  return {
    product,
    userAgent,
    sandbox,
    elsewhere,
    ...(notes.length > 0 && { notes: notes.map(noteInWords), noteFacts: notes }),
  };
}

/** Keeps one lab warm; `open` is called again only when it is gone, and once for all who ask meanwhile. */
function keepLab(open: () => Promise<Lab>): LabKeeper {
  let current: Lab | undefined;
  let opening: Promise<Lab> | undefined;
  const openAnew = async (): Promise<Lab> => {
    const gone = current;
    current = undefined;
    await gone?.close();
    current = await open();
    return current;
  };
  return {
    async lab() {
      if (current?.alive()) return current;
      opening ??= openAnew().finally(() => {
        opening = undefined;
      });
      return opening;
    },
    async close() {
      await opening?.catch(() => undefined);
      await current?.close();
      current = undefined;
    },
  };
}
