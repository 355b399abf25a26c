import { DEFAULT_POLICY } from '../../core/completion/default-policy.ts';
import { measure } from '../../core/measure.ts';
import { type HarRecording, readHar } from '../../core/sources/har.ts';
import { gapsOf } from '../../core/sources/har-gaps.ts';
import { figuresOfHar, visitOfHar } from '../../core/sources/har-visit.ts';
import { readJson } from '../../core/text/read-json.ts';
import type { Policy } from '../../model/background/verdict.ts';
import { withDoubt } from '../../result/doubt/doubt.ts';
import { harFaultInWords } from '../../wording/messages/har-faults.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { findingInWords } from '../../wording/result/findings.ts';
import { type RunInWords, runInWords } from '../../wording/result/run.ts';

/** One page of a HAR, judged. */
export interface JudgedPage extends RunInWords {
  readonly url: string;
  readonly title: string;
  /** What it was judged with: its own policy where the file carries one, else the default, with what was given over it. */
  readonly policy: Policy;
}

/** A HAR, judged. */
export interface JudgedHar {
  /** In the order of the file. */
  readonly pages: readonly JudgedPage[];
  /** What is wrong with the file, a sentence each. */
  readonly faults: readonly string[];
}

/**
 * Judges a HAR: for each of its pages, when it was complete, what was background, and its metrics. Pure: nothing is read
 * or written.
 *
 * @param har the text of the file, or the object that is in it
 * @param policy what to judge by instead of what the file says, or of the defaults; times in milliseconds
 * @throws QuiesceError `har-not-json` for a text that is no JSON
 */
export function judgeHar(har: string | object, policy: Partial<Policy> = {}): JudgedHar {
  const { recordings, faults } = readHar(typeof har === 'string' ? parse(har) : har);
  return { pages: recordings.map((read) => judgePage(read, policy)), faults: faults.map(harFaultInWords) };
}

function judgePage(read: HarRecording, given: Partial<Policy>): JudgedPage {
  const policy = policyOver(read.policy ?? DEFAULT_POLICY, given);
  const visit = visitOfHar(read, policy);
  const { url } = read.navigation;
  const measured = runInWords(measure(visit, policy), url);
  const findings = [...gapsOf(read, visit, policy).map((gap) => findingInWords(gap, url)), ...measured.findings];
  const page = { ...measured, metrics: figuresOfHar(measured.metrics), findings };
  const [run] = withDoubt({ runs: [{ index: 1, role: 'timed', ok: true, ...page }] });
  return { url, title: read.title, policy, ...page, pageComplete: run?.pageComplete ?? page.pageComplete };
}

/** A policy with parts of another over it; a pattern is background or foreground as the other one says. */
export function policyOver(own: Policy, given: Partial<Policy>): Policy {
  const patterns = (a: readonly string[] | undefined, b: readonly string[] | undefined, ours: readonly string[]) =>
    a ?? ours.filter((pattern) => !b?.includes(pattern));
  return {
    ...own,
    ...given,
    background: patterns(given.background, given.foreground, own.background),
    foreground: patterns(given.foreground, given.background, own.foreground),
  };
}

function parse(text: string): unknown {
  const json = readJson(text);
  if (json.ok) return json.value;
  const { line, column, problem } = json;
  throw new QuiesceError('har-not-json', { path: 'The HAR', line, column, detail: problem });
}
