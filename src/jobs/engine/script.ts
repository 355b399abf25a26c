import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ScriptFault } from '../../model/job-fault.ts';
import type { LoadScript, ScriptContext, ScriptOf } from '../../model/script.ts';
import type { ResolvedScript } from '../../settings/resolved.ts';
import { isFile } from '../../shell/disk/is-file.ts';
import { scriptFaultInWords } from '../../wording/job-faults.ts';
import { QuiesceError } from '../../wording/messages.ts';

/** A script that was read, for the loads of one job. */
export interface OpenScript {
  /** True when it measures steps after the load. */
  readonly measures: boolean;
  /** The script as one load needs it. */
  forLoad(
    context: Omit<ScriptContext, 'env'>,
    steps: boolean,
    watched?: Pick<LoadScript, 'expected' | 'quietWindow'>,
  ): LoadScript;
}

/**
 * Reads the script that the settings name; undefined when they name none. A module is run once, however often it is asked
 * for.
 *
 * @throws QuiesceError `script-invalid` when it cannot be imported, or exports nothing that could be run
 */
export async function openScript(asked: ResolvedScript | undefined): Promise<OpenScript | undefined> {
  if (asked === undefined) return undefined;
  const { path: named, timeout, env } = asked;
  const file = path.resolve(named);
  const refuse = (fault: ScriptFault, cause?: unknown): QuiesceError =>
    new QuiesceError('script-invalid', { path: named, detail: scriptFaultInWords(fault) }, { cause });
  if (!(await isFile(file))) throw refuse({ code: 'no-file' });
  let module: Readonly<Record<string, unknown>>;
  try {
    // Node strips types by itself from 22.18 on.
    module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw refuse(whyNotImported(error), error);
  }
  const script = (module.default ?? module) as ScriptOf<never>;
  const fault = faultOf(script);
  if (fault) throw refuse(fault);
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

function faultOf(script: ScriptOf<never>): ScriptFault | undefined {
  if (typeof script === 'function') return { code: 'exports-function' };
  if (typeof script !== 'object' || script === null) return { code: 'no-object', value: JSON.stringify(script) };
  const { before, measure } = script;
  if (before === undefined && measure === undefined) return { code: 'exports-nothing' };
  const wrong = Object.entries({ before, measure }).find(
    ([, each]) => each !== undefined && typeof each !== 'function',
  );
  return wrong && { code: 'no-function', name: wrong[0] };
}

/** What Node says; for a slip of the pen with the line where Node met it. */
function whyNotImported(error: unknown): ScriptFault {
  if (!(error instanceof Error)) return { code: 'not-imported', message: String(error) };
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') return { code: 'unknown-extension' };
  const message = error.message.split('\n')[0] ?? '';
  const [, line] = error.stack?.split('\n')[0]?.match(/^file:.*:(\d+)$/) ?? [];
  return { code: 'not-imported', message, ...(line !== undefined && { line: Number(line) }) };
}
