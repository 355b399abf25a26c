import type { FindingFact } from '../model/finding.ts';
import type { BackgroundFacts } from '../model/run-facts.ts';
import type { Policy } from '../model/verdict.ts';
import type { Visit } from '../model/visit.ts';
import { healthOf } from './health/index.ts';
import { lateRequests } from './late-content.ts';
import { starvationFact, starvationOf } from './starvation.ts';

/**
 * What a reader should know about a run, beside its figures. `background` are the run's endpoints, `policy` is the one
 * that it was judged by.
 */
export function findingsOf(
  visit: Visit,
  background: readonly BackgroundFacts[],
  policy: Pick<Policy, 'quietWindow' | 'completeOn'>,
): readonly FindingFact[] {
  const { recording, complete } = visit;
  const findings: FindingFact[] = recording.incidents.map(({ at: _at, ...fact }) => ({ ...fact, urls: [] }));
  if (complete.state === 'complete' && complete.withoutLoadEvent) {
    const firedAt = visit.timeline.marks.findLast((mark) => mark.name === 'load')?.at;
    findings.push({
      code: 'load-event-held',
      urls: complete.withoutLoadEvent,
      facts: firedAt === undefined ? {} : { firedAt },
    });
  }
  findings.push(...liveContent(background), ...lateContent(visit, policy));
  findings.push(...starvation(visit), ...healthOf(visit));
  return findings;
}

/** Of a page that was never complete nobody can say what it cost: it is no fix, and told all the same. */
function starvation({ complete, timeline, verdicts }: Visit): readonly FindingFact[] {
  const fact = complete.state === 'complete' ? undefined : starvationFact(starvationOf(timeline, verdicts));
  return fact === undefined ? [] : [fact];
}

/** What keeps changing on the screen is left out of the time, but nobody shall think that it was not seen. */
function liveContent(background: readonly BackgroundFacts[]): readonly FindingFact[] {
  const live = background.filter((each) => each.excluded && each.visualImpact === 'continuous');
  return live.map(({ endpoint, kind, urls }) => ({
    code: 'live-content',
    // The others differ only in what the label leaves out.
    urls: urls.slice(0, 1),
    facts: { endpoint, kind },
  }));
}

function lateContent(visit: Visit, policy: Pick<Policy, 'quietWindow' | 'completeOn'>): readonly FindingFact[] {
  const late = lateRequests(visit, policy);
  const [first] = late;
  if (first === undefined) return [];
  return [
    {
      code: 'late-content',
      urls: [...new Set(late.map(({ url }) => url))],
      facts: { requests: late.length, firstAt: first.startedAt, firstUrl: first.url },
    },
  ];
}
