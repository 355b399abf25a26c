import type { JSX } from 'preact';
import type { TargetReport } from '../../../model/result/report.ts';
import type { Settings } from '../../../model/result/result.ts';
import { countedRuns } from '../../../result/counted-runs.ts';
import { Part, type SectionProps } from '../components/part.tsx';
import { Film } from './film.tsx';

/** What is missing without a film, and what would give it. */
function unfilmed(target: TargetReport, { evidence }: Settings): string {
  const suspects = target.result.background.length > 0;
  const rests = suspects ? ' Quiesce judged background traffic by its requests, without proof.' : '';
  return evidence === false
    ? `No run filmed the page (--no-evidence). Without that option, Quiesce films one more load, for the filmstrip and the curve of visual progress.${rests}`
    : `No run could film the page, so there is no filmstrip.${rests}`;
}

/** What the page looked like while it came about: the filmstrip, and how much was there by when. */
export function EvidencePart({ target, report, pictures, id, analysis }: SectionProps): JSX.Element | undefined {
  const { evidence, runs } = target.result;
  if (analysis) return undefined;
  if (evidence === undefined) {
    // A step is measured in the load of its page, which is not filmed.
    if (target.result.step !== undefined) return undefined;
    // Of a page that could not be measured it is said already why.
    if (countedRuns(target).length === 0) return undefined;
    return (
      <Part id={id} title="Film" line="Not filmed">
        <p class="soft">{unfilmed(target, report.result.settings)}</p>
      </Part>
    );
  }
  const filmed = runs.find(({ role }) => role === 'evidence');
  const anything = evidence.pictures.length > 0 || (evidence.film?.length ?? 0) > 0;
  return (
    <Part id={id} title="Film">
      {anything ? (
        <Film evidence={evidence} run={filmed} pictures={pictures} />
      ) : (
        <p class="soft">The browser sent no screenshots.</p>
      )}
    </Part>
  );
}
