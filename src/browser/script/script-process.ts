import { fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { CalledStep, RunnableScript, ScriptContext, ScriptPage } from '../../model/recording/script.ts';
import type { Ms } from '../../model/units.ts';
import { atExit } from '../../shell/process/at-exit.ts';
import { errorOf, type FromScript, LIFELINE, plainError, type ToScript } from './script-protocol.ts';

/** Sources run as they are, the package as JavaScript. */
const WORKER = fileURLToPath(new URL(`script-worker${import.meta.url.slice(-3)}`, import.meta.url));

/** A script that was opened, or why it was not, a clause. */
export type OpenedScript = { readonly script: RunnableScript } | { readonly problem: string };

/** A process with a script in it. */
interface ScriptProcess {
  readonly parts: readonly ('before' | 'measure')[];
  /** Runs a part of it; rejects with what it throws, and when the process ends. */
  run(part: 'before' | 'measure', page: ScriptPage, context: ScriptContext, step?: CalledStep): Promise<void>;
  isAlive(): boolean;
  /** Why it ended between two uses, where nobody asked for that. */
  readonly lost: Error | undefined;
  end(): void;
}

/** A process that has not started by then, ms, never will. */
const STARTS_WITHIN_MS = 30_000;

/**
 * Opens a script in a process of its own, where it can be ended, and where it ends nothing but itself. Its module is run once
 * for all loads, unless it had to be ended.
 *
 * @param timeout how long the module may take, ms
 */
export async function openScriptProcess(file: string, timeout: Ms): Promise<OpenedScript> {
  const opened = await startScript(file, timeout);
  if ('problem' in opened) return opened;
  let current = opened.process;
  const { parts } = current;
  const running = async (): Promise<ScriptProcess> => {
    if (current.isAlive()) return current;
    const { lost } = current;
    const again = await startScript(file, timeout);
    if ('problem' in again) throw new Error('it had to be ended before, and could not be opened again');
    current = again.process;
    // What it did in an earlier load went wrong: nobody knows what the next one would find.
    if (lost) throw lost;
    return current;
  };
  return {
    script: {
      ...(parts.includes('before') && {
        before: async (page, context) => (await running()).run('before', page, context),
      }),
      ...(parts.includes('measure') && {
        measure: async (page, step, context) => (await running()).run('measure', page, context, step),
      }),
      end: () => current.end(),
    },
  };
}

async function startScript(
  file: string,
  timeout: Ms,
): Promise<{ readonly process: ScriptProcess } | { readonly problem: string }> {
  const child = fork(WORKER, { stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'], execArgv: [] });
  // Nothing comes through it, and it keeps nothing running.
  (child.stdio[LIFELINE] as Socket).on('error', () => undefined).unref();
  const send = (message: ToScript): void => {
    // It may be gone by now: then whatever was waited for fails by that.
    if (child.connected) child.send(message, () => undefined);
  };
  const end = (): void => void child.kill('SIGKILL');
  const cancelAtExit = atExit(end);
  const imported = Promise.withResolvers<ScriptProcess['parts'] | { readonly problem: string }>();
  let use: Use | undefined;
  /** Why it is over; and the same, as long as no use has failed by it. */
  let over: Error | undefined;
  let lost: Error | undefined;
  const setOver = (error: Error): void => {
    if (over === undefined && use === undefined) lost = error;
    over ??= error;
    imported.resolve({ problem: over.message });
    use?.fail(over);
  };
  const tooLate = (): void =>
    imported.resolve({
      problem: `its code outside before and measure did not finish within ${Math.round(timeout / 100) / 10} s`,
    });
  // Starting a process is no part of the script, and takes a second and more on a busy machine.
  let timer = setTimeout(tooLate, Math.max(timeout, STARTS_WITHIN_MS));
  child.on('message', (message: FromScript) => {
    if (message.kind === 'started') {
      clearTimeout(timer);
      timer = setTimeout(tooLate, timeout);
    } else if (message.kind === 'imported') imported.resolve(message.parts);
    else if (message.kind === 'refused') imported.resolve({ problem: message.problem });
    else if (message.kind === 'crashed') setOver(errorOf(message.error));
    else use?.receive(message);
  });
  child.once('error', setOver);
  child.once('exit', (code) => {
    cancelAtExit();
    setOver(ended(code));
  });
  send({ kind: 'import', file });
  const found = await imported.promise;
  clearTimeout(timer);
  if ('problem' in found) {
    end();
    return found;
  }
  // A process that waits for its next use keeps no other from ending.
  const hold = (isBusy: boolean): void => {
    for (const each of [child, child.channel]) each?.[isBusy ? 'ref' : 'unref']();
  };
  hold(false);
  /** One use at a time. */
  let before: Promise<void> = Promise.resolve();
  return {
    process: {
      parts: found,
      isAlive: () => over === undefined,
      get lost() {
        return lost;
      },
      end() {
        setOver(ended(null));
        lost = undefined;
        end();
      },
      run(part, page, context, step) {
        const running = before.then(async () => {
          if (over) throw over;
          hold(true);
          use = usePage(send, page, context, step);
          try {
            const { wire: _wire, ...plain } = page;
            send({ kind: 'run', part, page: plain, context: { ...context, env: unread(context.env) } });
            await use.done;
          } finally {
            use.stop();
            use = undefined;
            hold(false);
          }
        });
        before = running.catch(() => undefined);
        return running;
      },
    },
  };
}

/** The error where the process has ended; with its exit code, where no signal ended it. */
const ended = (code: number | null): Error =>
  new Error(`it ended its process${code === null ? '' : ` (process.exit(${code}))`} before it finished`);

/** One use of a script: the page's messages go to its process and back, and its steps are done here. */
interface Use {
  readonly done: Promise<void>;
  receive(message: Exclude<FromScript, { kind: 'started' | 'imported' | 'refused' | 'crashed' }>): void;
  fail(error: Error): void;
  stop(): void;
}

function usePage(
  send: (message: ToScript) => void,
  { wire }: ScriptPage,
  context: ScriptContext,
  step: CalledStep | undefined,
): Use {
  const done = Promise.withResolvers<void>();
  const acting = new Map<number, PromiseWithResolvers<void>>();
  wire.onmessage = (text) => send({ kind: 'browser', text });
  wire.onclose = () => send({ kind: 'browser' });
  const act = (id: number): Promise<void> => {
    const action = Promise.withResolvers<void>();
    acting.set(id, action);
    send({ kind: 'act', step: id });
    return action.promise;
  };
  return {
    done: done.promise,
    receive(message) {
      switch (message.kind) {
        case 'browser':
          if (message.text === undefined) wire.close();
          else wire.send(message.text);
          return;
        case 'attach':
          wire.attach();
          return;
        case 'read':
          // Whoever made the context notes it.
          void context.env[message.name];
          return;
        case 'step': {
          const { step: id, name, isFunction, call } = message;
          const action = (isFunction ? () => act(id) : undefined) as () => unknown;
          step?.(name as string, action, errorOf(call)).then(
            () => send({ kind: 'stepped', step: id }),
            (error: unknown) => send({ kind: 'stepped', step: id, error: plainError(error) }),
          );
          return;
        }
        case 'acted': {
          const action = acting.get(message.step);
          acting.delete(message.step);
          if (message.error) action?.reject(errorOf(message.error));
          else action?.resolve();
          return;
        }
        case 'done':
          if (message.error) done.reject(errorOf(message.error));
          else done.resolve();
      }
    },
    fail(error) {
      done.reject(error);
      for (const action of acting.values()) action.reject(error);
    },
    stop() {
      wire.onmessage = undefined;
      wire.onclose = undefined;
    },
  };
}

/** The environment without what notes that it is read. */
function unread(env: ScriptContext['env']): ScriptContext['env'] {
  const all = Object.entries(Object.getOwnPropertyDescriptors(env));
  return Object.fromEntries(all.map(([name, { value }]) => [name, value]));
}
