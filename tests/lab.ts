import type { Lab, LoadRequest } from '../src/model/lab.ts';
import type { Recording } from '../src/model/recording.ts';
import type { Policy } from '../src/model/verdict.ts';
import { findBrowser } from '../src/shell/browser/find.ts';
import type { ChromeLab } from '../src/shell/chrome/lab.ts';
import { openChromeLab } from '../src/shell/chrome/lab.ts';
import { POLICY } from './scripted.ts';

/** A real Chrome for a test file; close it in `afterAll`. */
export async function openTestLab(browserArg: readonly string[] = []): Promise<ChromeLab> {
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
