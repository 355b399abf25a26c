import { findBrowser } from '../../src/browser/install/find.ts';
import type { ChromeLab } from '../../src/browser/lab.ts';
import { openChromeLab } from '../../src/browser/lab.ts';
import type { Policy } from '../../src/model/background/verdict.ts';
import type { Lab, LoadRequest } from '../../src/model/recording/lab.ts';
import type { Recording } from '../../src/model/recording/recording.ts';
import { POLICY } from './scripted.ts';

let shared: Promise<ChromeLab> | undefined;

/**
 * The Chrome of this process, started when it is first asked for. Every load has a context of its own, as in an audit, so
 * that tests need not know of each other. It ends with the process.
 */
export async function sharedLab(): Promise<ChromeLab> {
  if (shared === undefined) {
    shared = openOwnLab();
    // Vitest ends its workers so; Chrome is ended with what calls itself an exit.
    process.once('SIGTERM', () => process.exit());
  }
  const lab = await shared;
  if (lab.alive()) return { ...lab, close: async () => undefined };
  shared = undefined;
  return sharedLab();
}

/** A Chrome that is nobody else's; close it. */
export async function openOwnLab(browserArg: readonly string[] = []): Promise<ChromeLab> {
  const { path } = await findBrowser(undefined, process.env);
  return openChromeLab({ sandbox: process.getuid?.() !== 0, browserArg }, path);
}

/** Loads a page once; fails the test when that fails. */
export async function recordIn(
  lab: Lab,
  url: string,
  policy: Policy = POLICY,
  more: Partial<LoadRequest> = {},
): Promise<Recording> {
  const outcome = await lab.record({ url, policy, content: false, ...more }, new AbortController().signal);
  if (!outcome.ok) throw new Error(`${url}: ${outcome.failure.message}`);
  return outcome.recording;
}
