import type { JSX } from 'preact';
import type { TargetReport } from '../../../model/report.ts';
import type { Settings } from '../../../model/result.ts';
import { countedRuns } from '../../../result/counted-runs.ts';
import { formatValue } from '../../../wording/format.ts';
import { Part, type SectionProps, sentence } from '../components/part.tsx';
import { Film } from './film.tsx';

/** What is missing without a film, and what would give it. */
function unfilmed(target: TargetReport, { evidence }: Settings): string {
  const suspects = target.result.background.length > 0;
  const rests = suspects ? ' Quiesce judged background traffic by its requests, without proof.' : '';
  return evidence === false
    ? `No run filmed the page (--no-evidence). Without that option, Quiesce films one more load, for the filmstrip and the curve of visual progress.${rests}`
    : `No run could film the page, so there is no filmstrip.${rests}`;
}

/** Why there is no proof of what was left out. */
function unproved({ ablation }: Settings): string {
  return `No run blocked background traffic${ablation === false ? ' (--no-ablation)' : ''}: Quiesce judged it by its requests, and by the film.`;
}

/** What the page looked like while it came about: the filmstrip, and how much was there by when. */
export function EvidencePart({ target, report, pictures, id, analysis }: SectionProps): JSX.Element | undefined {
  const { evidence, runs, background } = target.result;
  if (analysis) return undefined;
  if (evidence === undefined) {
    // A step is measured in the load of its page, which nobody films.
    if (target.result.step !== undefined) return undefined;
    // Of a page that could not be measured it is said already why.
    if (countedRuns(target).length === 0) return undefined;
    return (
      <Part id={id} title="What it looked like" short="Film">
        <p class="soft">{unfilmed(target, report.result.settings)}</p>
      </Part>
    );
  }
  const because = evidence.watchedBecause;
  const filmed = runs.find(({ role }) => role === 'evidence');
  const anything = evidence.pictures.length > 0 || (evidence.film?.length ?? 0) > 0;
  return (
    <Part
      id={id}
      title="What it looked like"
      short="Film"
      lead={sentence(
        `One more load, which is not timed, filmed the page for ${formatValue(evidence.watchedUntil, 'ms')}${because === '' ? '' : `: ${because}`}. Filming slows a page down: the times here are those of this load alone.`,
      )}
    >
      {anything ? (
        <Film evidence={evidence} run={filmed} pictures={pictures} />
      ) : (
        <p class="soft">The browser sent no screenshots.</p>
      )}
      {evidence.ablation === undefined && background.length > 0 && (
        <p class="soft">{unproved(report.result.settings)}</p>
      )}
    </Part>
  );
}
