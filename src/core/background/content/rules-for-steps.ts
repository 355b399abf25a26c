import type { EndpointRule } from '../../../model/background/verdict.ts';
import type { Visit } from '../../../model/network/visit.ts';
import { keyOf, observationsOf, ruleFrom } from './consensus.ts';

/** What a load teaches for the steps that follow it in its page. */
export interface StepRules {
  /** In the document that was loaded: its background goes on, and whatever of it was content has come already. */
  readonly sameDocument: readonly EndpointRule[];
  /** In a document that replaces it: the same endpoints begin anew, and their first parts may be content. */
  readonly newDocument: readonly EndpointRule[];
}

/**
 * Lessons of a load for what is done after it.
 *
 * @param learnt what the load itself was judged with
 */
export function rulesForSteps(load: Visit, learnt: readonly EndpointRule[]): StepRules {
  const taught = new Set(learnt.map(({ endpoint, fixed }) => keyOf(endpoint, fixed)));
  const seen = observationsOf(load).filter(
    ({ endpoint, fixed, kind }) => kind !== undefined && !taught.has(keyOf(endpoint.key, fixed)),
  );
  const newDocument = [...learnt, ...seen.map((observation) => ruleFrom(observation))];
  return {
    newDocument,
    sameDocument: newDocument.map((rule) => (rule.kind === undefined ? rule : { ...rule, content: [] })),
  };
}
