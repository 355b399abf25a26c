import type { ComponentChildren, JSX } from 'preact';
import type { Box } from '../../../model/metrics/metrics.ts';
import { storedName } from '../../../wording/text/text.ts';
import { FileLink } from '../links/file-link.tsx';
import type { EmbeddedPicture, EmbeddedPictures } from '../links/picture.ts';
import { foreign } from './part.tsx';

/** Longest caption: a caption may name an endpoint. */
export const CAPTION = 160;

/**
 * Every picture of the page, once and unseen; wherever one is shown it is referred to. This works without a script and
 * on paper, and a filmstrip whose frames come back weighs no more for it.
 */
export function PictureStore({
  pictures,
}: {
  readonly pictures: readonly EmbeddedPictures[];
}): JSX.Element | undefined {
  const distinct = new Map<string, EmbeddedPicture>();
  for (const each of pictures) for (const picture of each.values()) distinct.set(picture.id, picture);
  if (distinct.size === 0) return undefined;
  return (
    <svg class="unseen" aria-hidden="true" width="0" height="0">
      <defs>
        {[...distinct.values()].map(({ id, url, width, height }) => (
          <image key={id} id={id} href={url} width={width} height={height} />
        ))}
      </defs>
    </svg>
  );
}

/** A part of a picture that is framed, with a label. */
export interface Outline {
  readonly look: 'lcp' | 'moved';
  readonly label: string;
  readonly box: Box;
}

/** A picture of the store; `alt` says what is seen to those who do not see it. */
function Stored(props: {
  readonly picture: EmbeddedPicture;
  readonly alt: string;
  readonly outlines: readonly Outline[];
}): JSX.Element {
  const { picture, alt, outlines } = props;
  const { id, width, height } = picture;
  return (
    <svg role="img" aria-label={foreign(alt)} viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
      <use href={`#${id}`} />
      {outlines.map((outline, index) => (
        <Framed key={index} outline={outline} picture={picture} />
      ))}
    </svg>
  );
}

/** What is framed, cut to the picture. */
function Framed({ outline, picture }: { readonly outline: Outline; readonly picture: EmbeddedPicture }): JSX.Element {
  const { look, label, box } = outline;
  const { width, height } = picture;
  const unit = Math.max(width, height) / 100;
  const within = (share: number, whole: number): number => Math.round(Math.min(1, Math.max(0, share)) * whole);
  const [left, right] = [within(box.x, width), within(box.x + box.width, width)];
  const [top, bottom] = [within(box.y, height), within(box.y + box.height, height)];
  const tall = unit * 3.6;
  const wide = tall * 0.62 * label.length + unit * 1.6;
  // Text begins at the left: a label there would hide it.
  const x = Math.max(left, right - wide);
  // The label stands within the frame where there is no room above it.
  const y = top >= tall ? top - tall : top;
  return (
    <g class={`framed ${look}`}>
      <rect class="edge" x={left} y={top} width={right - left} height={bottom - top} stroke-width={unit * 0.7} />
      <rect class="tab" x={x} y={y} width={wide} height={tall} />
      <text x={x + unit * 0.8} y={y + tall * 0.76} font-size={tall * 0.74}>
        {label}
      </text>
    </g>
  );
}

/**
 * A picture with its caption: in the page where it is small enough, and always a link to the file in full size. The
 * page's script shows it enlarged instead of following the link.
 */
export function Shot(props: {
  readonly file: string;
  readonly pictures: EmbeddedPictures;
  /** What is seen, for those who do not see it. */
  readonly alt: string;
  readonly outlines?: readonly Outline[];
  readonly children: ComponentChildren;
}): JSX.Element {
  const { file, pictures, alt, outlines = [], children } = props;
  const picture = pictures.get(file);
  const href = storedName('picture', file);
  const shown = picture !== undefined && <Stored picture={picture} alt={alt} outlines={outlines} />;
  return (
    <figure class="shot">
      {shown === false && (
        <p class="no-picture">
          {href === undefined ? 'The image was not saved.' : <FileLink href={href}>{href}</FileLink>}
        </p>
      )}
      {shown !== false &&
        (href === undefined ? (
          <span class="picture">{shown}</span>
        ) : (
          <FileLink class="picture" href={href}>
            {shown}
          </FileLink>
        ))}
      <figcaption>{children}</figcaption>
    </figure>
  );
}
