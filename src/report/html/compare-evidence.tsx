import type { JSX } from 'preact';
import type { Build } from '../../model/comparison.ts';
import type { CompareReport } from '../../model/report.ts';
import type { EvidencePicture } from '../../model/result.ts';
import { formatValue } from '../format.ts';
import { elide } from '../text.ts';
import { CAPTION, Shot } from './evidence.tsx';
import { foreign, Part, sentence } from './part.tsx';
import { type EmbeddedPictures, embeddedPictures, MOST_LETTERS, MOST_PICTURES } from './picture.ts';

interface Pair {
  readonly caption: string;
  readonly base?: EvidencePicture;
  readonly candidate?: EvidencePicture;
}

/** Pictures of both builds that show the same moment, in the base's order; then those that only the candidate has. */
export function pairsOf(base: readonly EvidencePicture[], candidate: readonly EvidencePicture[]): readonly Pair[] {
  const left = [...candidate];
  const pairs = base.map((picture): Pair => {
    const at = left.findIndex(({ caption }) => caption === picture.caption);
    const [other] = at < 0 ? [] : left.splice(at, 1);
    return { caption: picture.caption, base: picture, ...(other !== undefined && { candidate: other }) };
  });
  return [...pairs, ...left.map((picture): Pair => ({ caption: picture.caption, candidate: picture }))];
}

/** What both builds looked like at the same moments, side by side. */
export function CompareEvidencePart({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const evidence = { base: report.base.result.evidence, candidate: report.candidate.result.evidence };
  if (evidence.base === undefined && evidence.candidate === undefined) return undefined;
  const pairs = pairsOf(evidence.base?.pictures ?? [], evidence.candidate?.pictures ?? []).slice(0, MOST_PICTURES);
  // Each build has half of the page's room, or the base's pictures would leave the candidate none.
  const embedded = (build: Build): EmbeddedPictures =>
    embeddedPictures({ targets: [report[build]] }, MOST_LETTERS / 2)[0] ?? new Map();
  const pictures = { base: embedded('base'), candidate: embedded('candidate') };
  const proofs = (['base', 'candidate'] as const).flatMap((build) => {
    const ablation = evidence[build]?.ablation;
    return ablation === undefined ? [] : [{ build, ablation }];
  });
  if (pairs.length === 0 && proofs.length === 0) return undefined;
  return (
    <Part
      id="compare"
      title="What both builds looked like"
      lead="From one run of each build that filmed the page; these runs are never timed."
    >
      {proofs.length > 0 && (
        <ul class="notes">
          {proofs.map(({ build, ablation }) => (
            <li key={build}>
              {build === 'base' ? 'Base: ' : 'Candidate: '}
              {sentence(ablation.sentence)}
            </li>
          ))}
        </ul>
      )}
      {pairs.map((pair, index) => (
        <div key={index} class="moment">
          <h4>{foreign(elide(pair.caption, CAPTION))}</h4>
          <div class="pictures pair">
            {(['base', 'candidate'] as const).map((build) => {
              const picture = pair[build];
              const name = build === 'base' ? 'Base' : 'Candidate';
              return picture === undefined ? (
                <p key={build} class="no-picture">{`The ${build} has no such moment.`}</p>
              ) : (
                <Shot
                  key={build}
                  file={picture.file}
                  pictures={pictures[build]}
                  alt={`${name} at ${formatValue(picture.at, 'ms')}: ${elide(picture.caption, CAPTION)}`}
                  title={`${name}, ${formatValue(picture.at, 'ms')}`}
                />
              );
            })}
          </div>
        </div>
      ))}
    </Part>
  );
}
