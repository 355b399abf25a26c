import type { EndpointRule, Policy } from '../../model/background/verdict.ts';
import type { Timeline } from '../../model/network/timeline.ts';
import type { Visit } from '../../model/network/visit.ts';
import { keyOf, ruleFrom } from '../background/content/consensus.ts';
import type { FilmedSuspect } from '../background/content/evidence-rules.ts';
import { answersOf, type Source } from '../background/content/source.ts';
import { endpointOf } from '../background/endpoint.ts';
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
): readonly Source[] {
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
  return unknown.flatMap((rule): readonly Source[] => {
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
 * The rules for those that this build needs: its page is another without one, or, where that was not tried, its film shows
 * that it is drawn. They hold for this build alone.
 *
 * @param without whether the page was the same without each, by its key; nothing of those that were not tried
 */
export function rulesOfOneBuild(
  contested: readonly Source[],
  impacts: ReadonlyMap<string, FilmedSuspect>,
  without: ReadonlyMap<string, boolean>,
): readonly EndpointRule[] {
  return contested.flatMap((suspect): readonly EndpointRule[] => {
    const { key, endpoint, fixed } = suspect;
    const film = impacts.get(key);
    const isDrawn = film !== undefined && isSeen(film);
    if (without.get(key) ?? !isDrawn) return [];
    const reason = isDrawn ? film.reason : ({ code: 'different-without-it' } as const);
    const rule = ruleFrom({ endpoint, fixed, reason, confidence: 'likely' }, { impact: 'first-content' });
    return [{ ...rule, ofBuild: true }];
  });
}
