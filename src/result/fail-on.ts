import type { FailOn } from '../model/settings.ts';

/** Something that can fail a job. */
export type Failing = 'broken' | 'gate' | 'budget';

/** What fails a job under each rule. Source: the contract of `--fail-on`. */
const FAILING: Readonly<Record<FailOn, readonly Failing[]>> = {
  broken: ['broken', 'gate', 'budget'],
  slower: ['gate', 'budget'],
  budget: ['budget'],
  never: [],
};

/** What fails an audit: a broken page too, unless that is allowed, or nothing fails the job. */
export function failOnOfAudit(failOn: FailOn, { allowBroken }: { readonly allowBroken?: unknown }): FailOn {
  if (failOn === 'never') return failOn;
  if (allowBroken !== true) return 'broken';
  return failOn === 'broken' ? 'slower' : failOn;
}

/** Does this fail the job? */
export function fails(what: Failing, failOn: FailOn): boolean {
  return FAILING[failOn].includes(what);
}
