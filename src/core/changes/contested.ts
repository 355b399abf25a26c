import type { Timeline } from '../../model/timeline.ts';
import type { EndpointRule, Policy } from '../../model/verdict.ts';
import type { Visit } from '../../model/visit.ts';
import { keyOf, ruleFrom } from '../background/consensus.ts';
import { endpointOf } from '../background/endpoint.ts';
import { answersOf, type FilmedSuspect, type Suspect } from '../background/evidence-rules.ts';
import { classify } from '../background/index.ts';
import { asks } from '../background/series.ts';
import { isSeen } from '../visual/impact.ts';

/**
 * What counts in a load of one build, and is background by the rules of the other: the one may show what the other only
 * sends. Suspects of this load, each of a rule of the other build.
 */
export function contestedIn(
  { timeline, verdicts }: Pick<Visit, 'timeline' | 'verdicts'>,
  policy: Policy,
  ofOther: readonly EndpointRule[],
): readonly Suspect[] {
  const own = policy.learnt ?? [];
  const known = new Set(own.map(({ endpoint, fixed }) => keyOf(endpoint, fixed)));
  const unknown = ofOther.filter(
    ({ endpoint, fixed, kind }) => kind !== undefined && !known.has(keyOf(endpoint, fixed)),
  );
  if (unknown.length === 0) return [];
  const { verdicts: withOther } = classify(timeline, { ...policy, learnt: [...unknown, ...own] });
  const isContested = ({ id, endedAt }: Timeline['requests'][number]): boolean => {
    const verdict = withOther.get(id);
    return endedAt !== undefined && !verdicts.has(id) && verdict !== undefined && verdict.counts === undefined;
  };
  return unknown.flatMap((rule): readonly Suspect[] => {
    const requests = timeline.requests.filter((request) => isContested(request) && asks(request, rule));
    const [first] = requests;
    if (!first) return [];
    const { endpoint: key, fixed = {} } = rule;
    return [
      {
        key: keyOf(key, fixed),
        endpoint: endpointOf(first),
        fixed,
        kind: 'no-effect',
        reason: { code: 'supposed' },
        requests,
        arrivals: answersOf(requests, timeline),
      },
    ];
  });
}

/**
 * The rules for those that this build needs: what its film shows to be drawn by one, or where its page is another without
 * it. They hold for this build alone.
 *
 * @param free those without which the page was the same; undefined where it was not loaded without them
 */
export function keptByItself(
  contested: readonly Suspect[],
  impacts: ReadonlyMap<string, FilmedSuspect>,
  free: ReadonlySet<string> | undefined,
): readonly EndpointRule[] {
  return contested.flatMap((suspect): readonly EndpointRule[] => {
    const { key, endpoint, fixed } = suspect;
    const film = impacts.get(key);
    if (!isDrawn(film) && (free === undefined || free.has(key))) return [];
    const reason = isDrawn(film) ? film.reason : ({ code: 'different-without-it' } as const);
    const rule = ruleFrom({ endpoint, fixed, reason, confidence: 'likely' }, { impact: 'first-content' });
    return [{ ...rule, ofBuild: true }];
  });
}

/** Did the film show that it was drawn? */
export function isDrawn(film: FilmedSuspect | undefined): film is FilmedSuspect {
  return film !== undefined && isSeen(film);
}
