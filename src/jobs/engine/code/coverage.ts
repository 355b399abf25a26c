import { readCoverage } from '../../../core/coverage/read.ts';
import { pageUrlOf } from '../../../core/requests/page-url.ts';
import { countedUntil } from '../../../core/time/completed-at.ts';
import type { Coverage } from '../../../model/coverage.ts';
import type { FinishedRun } from '../run.ts';
import { lookupsIn, type ScriptSources } from './script-sources.ts';

/** How much of its scripts and style sheets the page used until page complete; undefined where that was not recorded. */
export async function coverageOf(
  { visit }: Pick<FinishedRun, 'visit'>,
  sources: ScriptSources | undefined,
): Promise<Coverage | undefined> {
  const { recording, complete, timeline } = visit ?? {};
  if (!recording?.coverage || !complete || !timeline) return undefined;
  const scope = {
    completeAt: countedUntil(complete, recording),
    pageUrl: pageUrlOf(recording),
    requests: timeline.requests,
  };
  const loaded = readCoverage(recording.coverage, scope);
  const scripts = loaded?.files.filter(({ kind, inline }) => kind === 'script' && !inline);
  const found = scripts && (await sources?.(scripts));
  const lookups = found && lookupsIn(found);
  return lookups && lookups.size > 0 ? readCoverage(recording.coverage, { ...scope, sources: lookups }) : loaded;
}
