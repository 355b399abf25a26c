import path from 'node:path';
import { type OpenedScript, openScriptProcess } from '../../browser/script/script-process.ts';
import type { LoadScript, ScriptContext } from '../../model/recording/script.ts';
import type { Ms } from '../../model/units.ts';
import type { ResolvedScript } from '../../settings/resolved.ts';
import { isFile } from '../../shell/disk/is-file.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';

/** A script that was read, for the loads of one job. */
export interface OpenScript {
  /** True when it measures steps after the load. */
  readonly measures: boolean;
  /** The script as one load needs it. */
  forLoad(context: Omit<ScriptContext, 'env'>, steps: boolean, watched?: Pick<LoadScript, 'expected'>): LoadScript;
}

/**
 * Opens the script that the settings name; undefined when they name none. A module is run once, however often it is asked
 * for.
 *
 * @throws QuiesceError `script-invalid` when it cannot be imported, or exports nothing that could be run
 */
export async function openScript(asked: ResolvedScript | undefined): Promise<OpenScript | undefined> {
  if (asked === undefined) return undefined;
  const { path: named, timeout, env } = asked;
  const file = path.resolve(named);
  const refuse = (detail: string): QuiesceError => new QuiesceError('script-invalid', { path: named, detail });
  if (!(await isFile(file))) throw refuse('no such file');
  const opened = await (scripts.get(file) ?? open(file, timeout));
  if ('problem' in opened) {
    scripts.delete(file);
    throw refuse(opened.problem);
  }
  const { script } = opened;
  return {
    measures: script.measure !== undefined,
    forLoad: (context, steps, watched) => ({
      path: named,
      file,
      script,
      timeout,
      steps: steps && script.measure !== undefined,
      context: { ...context, env },
      ...watched,
    }),
  };
}

/** By their files: all pages of a job share the process of a script. */
const scripts = new Map<string, Promise<OpenedScript>>();

function open(file: string, timeout: Ms): Promise<OpenedScript> {
  const opening = openScriptProcess(file, timeout);
  scripts.set(file, opening);
  return opening;
}
