/** The process in which a script runs. It may be ended at any time, and whatever ends it says nothing of the program. */

import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Page } from 'puppeteer-core';
import type { RunnableScript, ScriptContext, ScriptOf, ScriptWire } from '../../model/recording/script.ts';
import { inThisProcess } from './run-script.ts';
import { errorOf, type FromScript, type PlainPage, plainError, type ToScript } from './script-protocol.ts';

const send = (message: FromScript): void => void process.send?.(message);

let script: RunnableScript | undefined;
/** The connection of the use under way. */
let wire: ScriptWire | undefined;
const actions = new Map<number, () => unknown>();
const waiting = new Map<number, PromiseWithResolvers<void>>();
let lastStep = 0;

process.on('message', (message: ToScript) => {
  switch (message.kind) {
    case 'import':
      return void importScript(message.file);
    case 'run':
      return void run(message.part, message.page, message.context);
    case 'browser':
      if (message.text === undefined) wire?.onclose?.();
      else wire?.onmessage?.(message.text);
      return;
    case 'act':
      return void act(message.step);
    case 'stepped': {
      const step = waiting.get(message.step);
      waiting.delete(message.step);
      if (message.error) step?.reject(errorOf(message.error));
      else step?.resolve();
    }
  }
});
// Sources run as they are, the package as JavaScript.
new Worker(new URL(`end-with-program${import.meta.url.slice(-3)}`, import.meta.url)).unref();
// Ctrl-C in the terminal is the program's: it ends this process when it does not need it any more.
process.on('SIGINT', () => undefined);
process.on('uncaughtException', (error) => {
  process.send?.({ kind: 'crashed', error: plainError(error) } satisfies FromScript, () => process.exit(1));
});

async function importScript(file: string): Promise<void> {
  send({ kind: 'started' });
  let module: Readonly<Record<string, unknown>>;
  try {
    // Node strips types by itself from 22.18 on.
    module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    return send({ kind: 'refused', problem: whyNotImported(error) });
  }
  const given = (module.default ?? module) as ScriptOf<Page>;
  const problem = problemOf(given);
  if (problem) return send({ kind: 'refused', problem });
  script = inThisProcess(given);
  const parts = (['before', 'measure'] as const).filter((part) => given[part] !== undefined);
  send({ kind: 'imported', parts });
}

async function run(part: 'before' | 'measure', page: PlainPage, context: ScriptContext): Promise<void> {
  wire = {
    send: (text) => send({ kind: 'browser', text }),
    close: () => send({ kind: 'browser' }),
    attach: () => send({ kind: 'attach' }),
  };
  const env = new Proxy(context.env, {
    get(all, name) {
      if (typeof name === 'string') send({ kind: 'read', name });
      return typeof name === 'string' ? all[name] : undefined;
    },
  });
  try {
    if (part === 'before') await script?.before?.({ ...page, wire }, { ...context, env });
    else await script?.measure?.({ ...page, wire }, step, { ...context, env });
    send({ kind: 'done' });
  } catch (error) {
    send({ kind: 'done', error: plainError(error) });
  }
}

function step(name: string, action: () => unknown, call: Error): Promise<void> {
  lastStep += 1;
  const id = lastStep;
  const settled = Promise.withResolvers<void>();
  waiting.set(id, settled);
  actions.set(id, action);
  send({ kind: 'step', step: id, name, isFunction: typeof action === 'function', call: plainError(call) });
  // A script may forget to wait for it.
  settled.promise.catch(() => undefined);
  return settled.promise;
}

async function act(id: number): Promise<void> {
  const action = actions.get(id);
  actions.delete(id);
  try {
    await action?.();
    send({ kind: 'acted', step: id });
  } catch (error) {
    send({ kind: 'acted', step: id, error: plainError(error) });
  }
}

/** What is wrong with it, a clause. */
function problemOf(given: ScriptOf<Page>): string | undefined {
  if (typeof given === 'function') return 'its default export is a function, not an object with before or measure';
  if (typeof given !== 'object' || given === null) return `its default export is ${JSON.stringify(given)}`;
  const { before, measure } = given;
  if (before === undefined && measure === undefined) return 'it exports neither before nor measure';
  const wrong = Object.entries({ before, measure }).find(
    ([, each]) => each !== undefined && typeof each !== 'function',
  );
  return wrong && `its ${wrong[0]} is not a function`;
}

/** What Node says; for a slip of the pen with the line where Node met it. */
function whyNotImported(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION') return 'name a .js, .mjs or .ts file';
  const message = error.message.split('\n')[0] ?? '';
  const [, line] = error.stack?.split('\n')[0]?.match(/^file:.*:(\d+)$/) ?? [];
  return line === undefined ? message : `line ${line}: ${message}`;
}
