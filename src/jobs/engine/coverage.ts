import { readCoverage } from '../../core/coverage/read.ts';
import type { Coverage } from '../../model/coverage.ts';
import type { FinishedRun } from './run.ts';
import type { SourceLookups } from './source-lookups.ts';

/** How much of its scripts and style sheets the page used until page complete; undefined where nobody watched. */
export async function coverageOf(
  { visit }: Pick<FinishedRun, 'visit'>,
  lookups: SourceLookups | undefined,
): Promise<Coverage | undefined> {
  const { recording, complete, timeline } = visit ?? {};
  if (!recording?.coverage || !complete || !timeline) return undefined;
  const scope = {
    completeAt: complete.state === 'complete' ? complete.at : recording.observedUntil,
    pageUrl: recording.page?.finalUrl ?? recording.navigation.url,
    requests: timeline.requests,
  };
  const loaded = readCoverage(recording.coverage, scope);
  const scripts = loaded?.files.filter(({ kind, inline }) => kind === 'script' && !inline);
  const sources = scripts && (await lookups?.(scripts));
  return sources && sources.size > 0 ? readCoverage(recording.coverage, { ...scope, sources }) : loaded;
}
