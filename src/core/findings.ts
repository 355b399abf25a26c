import type { Policy } from '../model/background/verdict.ts';
import type { Visit } from '../model/network/visit.ts';
import type { Incident } from '../model/recording/recording.ts';
import type { FindingFact, IncidentFact } from '../model/result/finding.ts';
import type { BackgroundFacts } from '../model/result/run-facts.ts';
import { lateRequests } from './completion/late-content.ts';
import { developmentServerOf } from './development-server.ts';
import { healthOf } from './health/index.ts';
import { withoutFigures } from './requests/address-parts.ts';
import { starvationFact, starvationOf } from './requests/starvation.ts';

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
  const findings: FindingFact[] = [...incidentFindings(recording.incidents)];
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
  const server = developmentServerOf(visit.timeline.requests);
  if (server !== undefined) findings.push({ code: 'development-server', urls: [], facts: { server } });
  return findings;
}

/** A page may show a thousand dialogs in a loop: those that differ in nothing but figures are one finding. */
function incidentFindings(incidents: readonly Incident[]): readonly FindingFact[] {
  const found = new Map<string, { readonly fact: IncidentFact; times: number }>();
  for (const [i, { at: _at, ...fact }] of incidents.entries()) {
    const isRepeated = fact.code === 'dialog' || fact.code === 'popup';
    const key = isRepeated ? withoutFigures(JSON.stringify(fact)) : `${i}`;
    const known = found.get(key) ?? { fact, times: 0 };
    known.times += 1;
    found.set(key, known);
  }
  return [...found.values()].map(({ fact, times }) => {
    if (fact.code === 'dialog' && times > 1) return { ...fact, facts: { ...fact.facts, times }, urls: [] };
    if (fact.code === 'popup' && times > 1) return { ...fact, facts: { ...fact.facts, times }, urls: [] };
    return { ...fact, urls: [] };
  });
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
