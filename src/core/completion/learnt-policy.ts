import type { Policy } from '../../model/background/verdict.ts';

const LEARNT = ['learnt', 'awaited'] as const;

/** What the untimed runs of a page put into the policy of its timed ones. */
export type LearntPolicy = Pick<Policy, (typeof LEARNT)[number]>;

/** Nothing but that, of whatever holds it among other things. */
export function learntPolicyOf(of: { readonly [K in keyof LearntPolicy]: LearntPolicy[K] | undefined }): LearntPolicy {
  const known = LEARNT.filter((name) => of[name] !== undefined && !(name === 'learnt' && of.learnt?.length === 0));
  return Object.fromEntries(known.map((name) => [name, of[name]]));
}

/** The same without the rules, which a result keeps with the endpoints that they are about. */
export function learntPolicyOfPage(all: LearntPolicy): Omit<LearntPolicy, 'learnt'> {
  const { learnt: _learnt, ...rest } = learntPolicyOf(all);
  return rest;
}
