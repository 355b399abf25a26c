import type { ExpectedContent } from '../completion/expected.ts';
import type { RunRole } from '../result/result.ts';
import type { Ms } from '../units.ts';

/** What a script gets to know of the load that it is run for. */
export interface ScriptContext {
  /** The page that is loaded. */
  readonly url: string;
  /** The run's number; untimed runs come first and last. */
  readonly run: number;
  readonly role: RunRole;
  /** Which build is loaded; only in comparisons. */
  readonly build?: 'base' | 'candidate';
  /** The environment. What a script reads here is a secret: it is taken out of the script's own error messages. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Measures what `action` sets going, from just before it until it is over and the network is quiet again. Steps come one
 * after the other, each under a name of its own. Rejects when the action does, which ends the script.
 */
export type Step = (name: string, action: () => unknown) => Promise<void>;

/** What a script does; `Page` is Puppeteer's. */
export interface ScriptOf<Page> {
  /** Before each load, in a page of its own that is closed afterwards: logs in, sets storage. It is not timed. */
  before?(page: Page, context: ScriptContext): unknown;
  /** After the load is complete, in its page. Only what is done in steps is measured. */
  measure?(page: Page, step: Step, context: ScriptContext): unknown;
}

/** What a script sees of the page: the messages of the protocol, for a client of its own. */
export interface ScriptPage {
  readonly browserContextId: string;
  /** How long the client waits for what it is asked to wait for, ms. */
  readonly timeout: Ms;
  readonly wire: ScriptWire;
}

/** A connection to the browser that only reaches the page. */
export interface ScriptWire {
  send(text: string): void;
  close(): void;
  onmessage?: ((text: string) => void) | undefined;
  onclose?: (() => void) | undefined;
  /** Attaches to the page. The client must be connected by then. */
  attach(): void;
}

/** `call`: its stack has the line of the script. */
export type CalledStep = (name: string, action: () => unknown, call: Error) => Promise<void>;

/** A script that was opened. Its parts reject with what it throws. */
export interface RunnableScript {
  /** Absent where the script has no such part. */
  before?(page: ScriptPage, context: ScriptContext): Promise<void>;
  measure?(page: ScriptPage, step: CalledStep, context: ScriptContext): Promise<void>;
  /** Ends what it still does, wherever that is possible. The next use begins anew. */
  end(): void;
}

/** A script on its way into one load. */
export interface LoadScript {
  /** As the user named it. */
  readonly path: string;
  /** Its absolute path: what stack traces name. */
  readonly file: string;
  readonly script: RunnableScript;
  /** How long the script may take at a time: `before`, each action, and what lies between steps. */
  readonly timeout: Ms;
  /** Measure steps after the load. */
  readonly steps: boolean;
  /** What whole loads needed in each step, by its name; a step that is not in it is watched for the whole window. */
  readonly expected?: ReadonlyMap<string, ExpectedContent>;
  readonly context: ScriptContext;
}
