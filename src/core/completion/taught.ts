import type { Policy } from '../../model/background/verdict.ts';

/** What the untimed runs of a page put into the policy of its timed ones. */
const TAUGHT = ['learnt', 'awaited'] as const;

export type Taught = Pick<Policy, (typeof TAUGHT)[number]>;

/** Nothing but that, of whatever holds it among other things. */
export function taughtOf(of: { readonly [K in keyof Taught]: Taught[K] | undefined }): Taught {
  const known = TAUGHT.filter((name) => of[name] !== undefined && !(name === 'learnt' && of.learnt?.length === 0));
  return Object.fromEntries(known.map((name) => [name, of[name]]));
}

/** The same without the rules, which a result keeps with the endpoints that they are about. */
export function taughtOfPage(taught: Taught): Omit<Taught, 'learnt'> {
  const { learnt: _learnt, ...rest } = taughtOf(taught);
  return rest;
}
