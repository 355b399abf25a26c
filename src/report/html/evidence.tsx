import type { JSX } from 'preact';
import type { TargetReport } from '../../model/report.ts';
import type { Ablation, EvidencePicture, Settings } from '../../model/result.ts';
import { formatCount, formatShare, formatValue } from '../format.ts';
import { answerOf, measuredRuns, stateInWords } from '../select.ts';
import { elide, nestedFile } from '../text.ts';
import { foreign, Part, sentence } from './part.tsx';
import { type EmbeddedPictures, MOST_PICTURES } from './picture.ts';

/** Longest caption: a caption may name an endpoint. */
export const CAPTION = 160;
/** Endpoints that were held back and are listed before it says how many more there are. */
const LISTED = 12;

/**
 * A picture with its caption: in the page where it is small enough, and always a link to the file in full size. The
 * page's script shows it enlarged instead of following the link.
 */
export function Shot(props: {
  readonly file: string;
  readonly pictures: EmbeddedPictures;
  /** What is seen, for those who do not see it. */
  readonly alt: string;
  readonly title: string;
  readonly caption?: string | undefined;
}): JSX.Element {
  const { file, pictures, alt, title, caption } = props;
  const picture = pictures.get(file);
  const href = file.endsWith('.png') ? nestedFile(file) : undefined;
  const image = picture !== undefined && (
    <img src={picture.url} alt={foreign(alt)} width={picture.width} height={picture.height} decoding="async" />
  );
  return (
    <figure class="shot">
      {picture === undefined && (
        <p class="no-picture">{href === undefined ? 'The picture was not kept.' : <a href={href}>{href}</a>}</p>
      )}
      {image !== false &&
        (href === undefined ? (
          <span class="picture">{image}</span>
        ) : (
          <a class="picture" href={href}>
            {image}
          </a>
        ))}
      <figcaption>
        <b>{foreign(title)}</b>
        {caption !== undefined && <span>{foreign(elide(caption, CAPTION))}</span>}
      </figcaption>
    </figure>
  );
}

function Proof(props: {
  readonly ablation: Ablation;
  readonly target: TargetReport;
  readonly pictures: EmbeddedPictures;
}): JSX.Element {
  const { ablation, target, pictures } = props;
  const { held, completeAt, same } = ablation;
  const raw = answerOf(target)?.raw;
  const others = held.length - LISTED;
  const count = formatCount(held.length, 'endpoint');
  return (
    <div class={same ? 'proof same' : 'proof differs'}>
      <p class="sentence">{sentence(ablation.sentence)}</p>
      <div class="pictures trio">
        <Shot
          file={ablation.pictures.with}
          pictures={pictures}
          alt="The page with every request answered"
          title="With everything"
          caption={raw === undefined ? undefined : `Plain quiescence: ${stateInWords(raw)}`}
        />
        <Shot
          file={ablation.pictures.without}
          pictures={pictures}
          alt={`The page with ${count} held back`}
          title={`With ${count} held back`}
          caption={completeAt === undefined ? 'Not complete' : `Complete at ${formatValue(completeAt, 'ms')}`}
        />
        {ablation.pictures.difference !== undefined && (
          <Shot
            file={ablation.pictures.difference}
            pictures={pictures}
            alt={`What differs between the two: ${formatShare(ablation.difference)} of pixels`}
            title="What differs"
            caption={`${formatShare(ablation.difference)} of pixels, moving parts left out`}
          />
        )}
      </div>
      {held.length > 0 && (
        <div class="held">
          <h4>Held back</h4>
          <ul>
            {held.slice(0, LISTED).map((endpoint) => (
              <li key={endpoint}>
                <bdi dir="ltr" class="mono">
                  {foreign(endpoint)}
                </bdi>
              </li>
            ))}
            {others > 0 && <li>and {formatValue(others, 'count')} more</li>}
          </ul>
        </div>
      )}
    </div>
  );
}

function Film(props: { readonly shots: readonly EvidencePicture[]; readonly pictures: EmbeddedPictures }) {
  const { shots, pictures } = props;
  const others = shots.length - MOST_PICTURES;
  return (
    <>
      <h4>What was seen, and when</h4>
      <ol class="pictures film">
        {shots.slice(0, MOST_PICTURES).map((shot, index) => (
          <li key={index}>
            <Shot
              file={shot.file}
              pictures={pictures}
              alt={`The page at ${formatValue(shot.at, 'ms')}: ${elide(shot.caption, CAPTION)}`}
              title={formatValue(shot.at, 'ms')}
              caption={shot.caption}
            />
          </li>
        ))}
      </ol>
      {others > 0 && (
        <p class="keys">{formatCount(others, 'more picture')} lie in the folder of the files linked above.</p>
      )}
    </>
  );
}

/** Why there is no proof of what was left out. */
function unproved(what: 'evidence' | 'ablation', settings: Settings): string {
  if (settings[what] === false) {
    return what === 'evidence'
      ? 'No run filmed the page (--no-evidence): what was left out rests on what its requests did alone.'
      : 'No run held the suspects back (--no-ablation): what was left out rests on what its requests did, and on the film.';
  }
  return what === 'evidence'
    ? 'No run could film the page: what was left out rests on what its requests did alone.'
    : 'No run held the suspects back: what was left out rests on what its requests did, and on the film.';
}

/** What proves that the flagged traffic has no part in what is seen: pictures, and the page without it. */
export function EvidencePart(props: {
  readonly target: TargetReport;
  readonly settings: Settings;
  readonly pictures: EmbeddedPictures;
  readonly id: string;
}): JSX.Element | undefined {
  const { target, settings, pictures, id } = props;
  const { evidence, background } = target.result;
  if (evidence === undefined) {
    // Of a page without suspects the part on background says all there is.
    if (background.length === 0 || measuredRuns(target).length === 0) return undefined;
    return (
      <Part id={id} title="Evidence">
        <p class="soft">{unproved('evidence', settings)}</p>
      </Part>
    );
  }
  const because = evidence.watchedBecause.trim();
  const proved = evidence.ablation !== undefined;
  return (
    <Part
      id={id}
      title="Evidence"
      lead={sentence(
        `A run of its own, which is never timed, filmed the page for ${formatValue(evidence.watchedUntil, 'ms')}${because === '' ? '' : `: ${because.replace(/\.$/, '')}`}.`,
      )}
    >
      {evidence.ablation !== undefined && <Proof ablation={evidence.ablation} target={target} pictures={pictures} />}
      {!proved && (
        <p class="soft">
          {background.length === 0
            ? 'Nothing had to be proved: no request was suspected to be background traffic.'
            : unproved('ablation', settings)}
        </p>
      )}
      {evidence.pictures.length > 0 && <Film shots={evidence.pictures} pictures={pictures} />}
    </Part>
  );
}
