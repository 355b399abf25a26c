import { pathToFileURL } from 'node:url';
import { createEraser } from '../../core/access/secrets.ts';
import { REDACTED } from '../../core/har/redact.ts';
import { failure } from '../../core/load-failure.ts';
import type { Failure } from '../../model/result.ts';
import type { LoadScript } from '../../model/script.ts';
import { firstLine } from './browser.ts';

/** A script under way: what it is told, and what must not be told of it. */
export interface ScriptUse {
  readonly context: LoadScript['context'];
  /**
   * The failure that a script's error is, with the line of its file where that is known: its own, or else that of `asked`,
   * an error that was made where the script asked for what failed.
   */
  failed(doing: string, error: unknown, pageUrl?: string, asked?: Error): Failure;
}

/** Puppeteer's own waits end this much sooner than the script's time: they can say what they waited for. */
export const PUPPETEER_SHARE = 0.9;

/** The script was at it for longer than it may. */
export class ScriptTimeout extends Error {
  constructor(timeout: number) {
    super(`it was not over after ${Math.round(timeout / 100) / 10} s (--script-timeout)`);
    this.name = 'ScriptTimeout';
  }
}

/** One use of a script. What it reads from the environment is a secret from then on. */
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
    failed(doing, error, pageUrl, asked) {
      const message = firstLine(error).replace(/[.\s]+$/, '');
      const erase = createEraser([...secrets]);
      const at = pageUrl === undefined ? '' : ` The page was at ${pageUrl}.`;
      return failure('script-failed', {
        path: `${path}${lineIn(file, error) || lineIn(file, asked)}`,
        detail: `in ${doing}: ${erase ? erase(message, REDACTED) : message}.${at}`,
      });
    },
  };
}

/** `:14` for the first line of a stack that is in the file; empty when none is. */
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

/** Where a page is, without what may be secret in an address; undefined when it is nowhere. */
export function placeOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return origin === 'null' ? undefined : `${origin}${pathname}`;
}
