import { toMicroseconds } from '../../src/core/time/time.ts';
import type {
  CriticalPathFacts,
  CriticalStepFacts,
  RequestStepFacts,
  WorkStepFacts,
} from '../../src/model/result/run-facts.ts';

type Step = Pick<CriticalStepFacts, 'cause'>;

/** The requests of a path, without the work between them. */
export function requestsOf<S extends Step>(
  path: { readonly steps: readonly S[] } | undefined,
): readonly Exclude<S, { readonly cause: 'work' }>[] {
  return (path?.steps ?? []).filter((step): step is Exclude<S, { readonly cause: 'work' }> => step.cause !== 'work');
}

/** The work on it. */
export function workIn<S extends Step>(
  path: { readonly steps: readonly S[] } | undefined,
): readonly Extract<S, { readonly cause: 'work' }>[] {
  return (path?.steps ?? []).filter((step): step is Extract<S, { readonly cause: 'work' }> => step.cause === 'work');
}

const partsOf = (step: WorkStepFacts | RequestStepFacts): readonly number[] =>
  step.cause === 'work' ? [step.delay, step.work] : [step.delay, step.wait, step.receive];

/** What the parts of a path add up to: page complete. */
export function sumOf({ steps, rest }: CriticalPathFacts): number {
  return toMicroseconds(steps.flatMap(partsOf).reduce((sum, part) => sum + part, rest));
}

/** The least of its parts: none is negative. */
export function leastPartOf({ steps, rest }: CriticalPathFacts): number {
  return Math.min(rest, ...steps.flatMap(partsOf));
}
