import { isCounted } from '../../core/counted-runs.ts';
import { NOTICEABLE_MS } from '../../core/time/lags.ts';
import type {
  BackgroundEndpoint,
  Certainty,
  Doubt,
  PageCompleteResult,
  RunResult,
  TargetResult,
} from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';
import { filmDoubt, wasFilmedBusy } from './film-doubt.ts';
import { isUnproved } from './unproved.ts';

/** The runs, each with how sure its answer is. */
export function withDoubt(target: Pick<TargetResult, 'runs' | 'evidence'>): readonly RunResult[] {
  const { runs } = target;
  const ofPage = doubtsOfPage(target);
  const wasFilmed = runs.some(({ role, ok }) => role === 'evidence' && ok);
  return runs.map((run) => {
    const { pageComplete } = run;
    if (!isCounted(run) || pageComplete?.state !== 'complete') return run;
    // Those of before may have rested on other runs.
    const { doubts: _before, ...answer } = pageComplete;
    const doubts = answer.decidedBy === 'mark' ? [] : [...ofPage, ...unprovedBackground(run), ...unprovedContent(run)];
    const doubt = certaintyOf(run, answer, doubts, wasFilmed);
    return { ...run, pageComplete: { ...answer, doubt, ...(doubts.length > 0 && { doubts }) } };
  });
}

/** Why the answer of these runs may be wrong, what any of them says once. */
export function doubtsOf(runs: readonly RunResult[]): readonly Doubt[] {
  const all = runs.flatMap(({ pageComplete }) => pageComplete?.doubts ?? []);
  const byWhat = Map.groupBy(all, (doubt) => `${doubt.code} ${'endpoint' in doubt ? doubt.endpoint : ''}`);
  return [...byWhat.values()].flatMap(([first]) => first ?? []);
}

function doubtsOfPage(target: Pick<TargetResult, 'runs' | 'evidence'>): readonly Doubt[] {
  const { runs } = target;
  const doubt = filmDoubt(runs);
  return [
    ...(doubt ? [doubt] : []),
    ...(wasFilmedBusy(runs) ? [{ code: 'filmed-busy' } as const] : []),
    ...(isUnproved(target) ? [{ code: 'not-filmed' } as const] : []),
  ];
}

/** Left out because of how it behaves alone: what it draws is not known. */
function unprovedBackground({ background = [], pageComplete }: RunResult): readonly Doubt[] {
  return background
    .filter((each) => each.visualImpact === 'unknown' && each.confidence !== 'certain' && matters(each))
    .map(({ endpoint, cost }) => {
      const at: Ms | undefined = cost === undefined ? undefined : (pageComplete?.at ?? 0) + cost;
      return { code: 'background-unproved', endpoint, at };
    });
}

function unprovedContent({ findings = [] }: RunResult): readonly Doubt[] {
  return findings.flatMap(({ facts }): readonly Doubt[] =>
    facts !== undefined && 'missing' in facts && facts.missing === 'effect'
      ? [{ code: 'content-unproved', urls: facts.urls, at: facts.withoutAt }]
      : [],
  );
}

/** Would the answer be another one with it? */
function matters({ excluded, cost }: BackgroundEndpoint): boolean {
  return excluded && (cost === undefined || Math.abs(cost) > NOTICEABLE_MS);
}

function certaintyOf(
  { background = [] }: RunResult,
  { at = 0, networkAt = at, decidedBy, reason }: PageCompleteResult,
  doubts: readonly Doubt[],
  wasFilmed: boolean,
): Certainty {
  if (decidedBy === 'mark') return 'proved';
  if (doubts.some(({ code }) => code !== 'filmed-busy')) return 'doubtful';
  // Where the content of a stream or of a poll ends, and when the last of it was drawn, is read from a film of another load.
  const isRead =
    at - networkAt > NOTICEABLE_MS ||
    reason?.code === 'stream-content' ||
    background.some((each) => each.visualImpact !== 'none' && each.confidence !== 'certain' && matters(each));
  return wasFilmed && doubts.length === 0 && !isRead ? 'proved' : 'likely';
}
