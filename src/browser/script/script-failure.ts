import { pathToFileURL } from 'node:url';
import type { CDPSession } from 'puppeteer-core';
import { createEraser } from '../../core/access/secrets.ts';
import { REDACTED } from '../../core/har/redact.ts';
import { defined } from '../../core/text/defined.ts';
import type { LoadScript, ScriptPage, ScriptWire } from '../../model/recording/script.ts';
import type { Failure } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';
import { failure } from '../../wording/result/failure.ts';
import { firstLine } from '../connect/first-line.ts';
import { withTimeout } from '../connect/with-timeout.ts';

/** A part of a script, as it fails. */
type ScriptPart = 'before' | 'measure' | { readonly step: string };

/** A use of a script: its context, and how its errors are reported. */
export interface ScriptUse {
  readonly context: LoadScript['context'];
  /**
   * The failure for a script's error, with the line of the script where it is known: from the stack of the error, or else
   * from that of `call`, an error that was created where the script has called the failed step.
   */
  failed(part: ScriptPart, error: unknown, pageUrl?: string, call?: Error): Failure;
}

/** Puppeteer's own time-outs are this share of the script's: their errors say what was waited for. */
const PUPPETEER_TIMEOUT_SHARE = 0.9;

/** The page as a script gets it. */
export function scriptPage(browserContextId: string, wire: ScriptWire, { timeout }: LoadScript): ScriptPage {
  return { browserContextId, wire, timeout: timeout * PUPPETEER_TIMEOUT_SHARE };
}

/** The error that is thrown into a script that does not finish. */
export const scriptLate = (timeout: Ms): Error =>
  new Error(`it did not finish within ${Math.round(timeout / 100) / 10} s (--script-timeout)`);

/** Begins a use of a script. What it reads from the environment is redacted in its errors. */
export function useScript({ path, file, context }: LoadScript): ScriptUse {
  const secrets = new Set<string>();
  const env = new Proxy(context.env, {
    get(all, name) {
      const value = typeof name === 'string' ? all[name] : undefined;
      if (value !== undefined) secrets.add(value);
      return value;
    },
  });
  return {
    context: { ...context, env },
    failed(part, error, url, call) {
      const message = firstLine(error).replace(/[.\s]+$/, '');
      const erase = createEraser([...secrets]);
      return failure('script-failed', {
        path: `${path}${lineIn(file, error) || lineIn(file, call)}`,
        part: typeof part === 'string' ? `${part}()` : `the step "${part.step}"`,
        detail: erase?.(message, REDACTED) ?? message,
        ...defined({ url }),
      });
    },
  };
}

/** `:14` for the first line of an error's stack that is in the file; empty when there is none. */
function lineIn(file: string, error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  for (const line of stack.split('\n')) {
    for (const name of [pathToFileURL(file).href, file]) {
      const at = line.indexOf(name);
      const place = at === -1 ? undefined : /^(?:\?[^:]*)?:(\d+)/.exec(line.slice(at + name.length));
      if (place) return `:${place[1]}`;
    }
  }
  return '';
}

/** Where a page is: origin and path, for its query and login may hold secrets. Undefined where it has no origin. */
export async function addressOf(root: CDPSession, targetId: string): Promise<string | undefined> {
  const found = await withTimeout(root.send('Target.getTargetInfo', { targetId }));
  const url = found?.targetInfo.url ?? '';
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return origin === 'null' ? undefined : `${origin}${pathname}`;
}
