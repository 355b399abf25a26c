import type { Learnt } from '../../model/verdict.ts';
import type { Visit } from '../../model/visit.ts';
import { keyOf, lessonOf, sightingsOf } from './learn.ts';

/** What a load teaches for the steps that follow it in its page. */
export interface Carried {
  /** In the document that was loaded: its background goes on, and whatever of it was content has come already. */
  readonly sameDocument: readonly Learnt[];
  /** In a document that replaces it: the same endpoints begin anew, and their first parts may be content. */
  readonly newDocument: readonly Learnt[];
}

/**
 * Lessons of a load for what is done after it.
 *
 * @param learnt what the load itself was judged with
 */
export function carriedFrom(load: Visit, learnt: readonly Learnt[]): Carried {
  const known = new Set(learnt.map(({ endpoint, fixed }) => keyOf(endpoint, fixed)));
  const seen = sightingsOf(load).filter(
    ({ endpoint, fixed, kind }) => kind !== undefined && !known.has(keyOf(endpoint.key, fixed)),
  );
  const newDocument = [...learnt, ...seen.map((sighting) => lessonOf(sighting))];
  return {
    newDocument,
    sameDocument: newDocument.map((lesson) => (lesson.kind === undefined ? lesson : { ...lesson, contentParts: 0 })),
  };
}
