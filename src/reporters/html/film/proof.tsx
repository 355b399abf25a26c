import type { ComponentChildren, JSX } from 'preact';
import type { TargetReport } from '../../../model/result/report.ts';
import type { Ablation } from '../../../model/result/result.ts';
import { idleAnswerOf } from '../../../result/representative.ts';
import { stateInWords } from '../../../wording/result/outcome.ts';
import { formatCount, formatShare, formatValue } from '../../../wording/text/format.ts';
import { AndMore } from '../components/notes.tsx';
import { foreign, sentence } from '../components/part.tsx';
import { Shot } from '../components/shot.tsx';
import type { EmbeddedPictures } from '../links/picture.ts';

/** Endpoints that were held back and are listed before it says how many more there are. */
const MAX_ENDPOINTS = 12;

/** The page with and without its suspects: what proves that they have no part in what is seen, or that they have. */
export function Proof(props: {
  readonly ablation: Ablation;
  readonly target: TargetReport;
  readonly pictures: EmbeddedPictures;
}): JSX.Element {
  const { ablation, target, pictures } = props;
  const { held, completeAt, same } = ablation;
  const raw = idleAnswerOf(target)?.raw;
  const count = formatCount(held.length, 'endpoint');
  const side = (file: string, alt: string, title: string, caption: ComponentChildren) => (
    <Shot file={file} pictures={pictures} alt={alt}>
      <b>{title}</b>
      {caption !== undefined && <span>{caption}</span>}
    </Shot>
  );
  return (
    <div class={same ? 'proof same' : 'proof differs'}>
      <p class="sentence">{sentence(ablation.sentence)}</p>
      <div class="pictures trio">
        {side(
          ablation.pictures.with,
          'The page with every request answered',
          'With everything',
          raw === undefined ? undefined : `Network idle: ${stateInWords(raw)}`,
        )}
        {side(
          ablation.pictures.without,
          `The page with ${count} blocked`,
          `With ${count} blocked`,
          completeAt === undefined ? 'Not complete' : `Complete at ${formatValue(completeAt, 'ms')}`,
        )}
        {ablation.pictures.difference !== undefined &&
          side(
            ablation.pictures.difference,
            `What differs between the two: ${formatShare(ablation.difference)} of pixels`,
            'What differs',
            `${formatShare(ablation.difference)} of pixels, moving parts left out`,
          )}
      </div>
      {held.length > 0 && (
        <div class="held">
          <h4>Blocked</h4>
          <ul>
            {held.slice(0, MAX_ENDPOINTS).map((endpoint) => (
              <li key={endpoint}>
                <bdi dir="ltr" class="mono">
                  {foreign(endpoint)}
                </bdi>
              </li>
            ))}
            <AndMore count={held.length - MAX_ENDPOINTS} />
          </ul>
        </div>
      )}
    </div>
  );
}
