import type { JSX } from 'preact';
import type { TargetReport } from '../../model/report.ts';
import type { Settings } from '../../model/result.ts';
import { formatValue } from '../format.ts';
import { measuredRuns } from '../select.ts';
import { Film } from './film.tsx';
import { Part, sentence } from './part.tsx';
import type { EmbeddedPictures } from './picture.ts';

/** What is missing without a film, and what would give it. */
function unfilmed(target: TargetReport, { evidence }: Settings): string {
  const suspects = target.result.background.length > 0;
  const rests = suspects ? ' What was left out rests on what its requests did alone.' : '';
  return evidence === false
    ? `No run filmed the page (--no-evidence). Without that option one more load, which is not timed, gives the filmstrip and the curve of visual progress.${rests}`
    : `No run could film the page, so there is no filmstrip.${rests}`;
}

/** Why there is no proof of what was left out. */
function unproved({ ablation }: Settings): string {
  return `No run held the suspects back${ablation === false ? ' (--no-ablation)' : ''}: what was left out rests on what its requests did, and on the film.`;
}

/** What the page looked like while it came about: the filmstrip, and how much was there by when. */
export function EvidencePart(props: {
  readonly target: TargetReport;
  readonly settings: Settings;
  readonly pictures: EmbeddedPictures;
  readonly id: string;
}): JSX.Element | undefined {
  const { target, settings, pictures, id } = props;
  const { evidence, runs, background } = target.result;
  if (evidence === undefined) {
    // Of a page that could not be measured it is said already why.
    if (measuredRuns(target).length === 0) return undefined;
    return (
      <Part id={id} title="What it looked like">
        <p class="soft">{unfilmed(target, settings)}</p>
      </Part>
    );
  }
  const because = evidence.watchedBecause.trim().replace(/\.$/, '');
  const filmed = runs.find(({ role }) => role === 'evidence');
  const anything = evidence.pictures.length > 0 || (evidence.film?.length ?? 0) > 0;
  return (
    <Part
      id={id}
      title="What it looked like"
      lead={sentence(
        `One more load, which is not timed, filmed the page for ${formatValue(evidence.watchedUntil, 'ms')}${because === '' ? '' : `: ${because}`}. Filming slows a page down: the times here are those of this load alone.`,
      )}
    >
      {anything ? (
        <Film evidence={evidence} run={filmed} pictures={pictures} />
      ) : (
        <p class="soft">No picture came from the browser.</p>
      )}
      {evidence.ablation === undefined && background.length > 0 && <p class="soft">{unproved(settings)}</p>}
    </Part>
  );
}
