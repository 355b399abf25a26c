import type { ComponentChildren, JSX } from 'preact';
import { nestedFile } from '../../../wording/text.ts';
import { BesideLink } from './beside.tsx';
import { foreign } from './part.tsx';
import type { EmbeddedPicture, EmbeddedPictures } from './picture.ts';

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

/** A picture of the store; `alt` says what is seen to those who do not see it. */
function Stored({ picture, alt }: { readonly picture: EmbeddedPicture; readonly alt: string }): JSX.Element {
  const { id, width, height } = picture;
  return (
    <svg role="img" aria-label={foreign(alt)} viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
      <use href={`#${id}`} />
    </svg>
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
  readonly children: ComponentChildren;
}): JSX.Element {
  const { file, pictures, alt, children } = props;
  const picture = pictures.get(file);
  const href = /\.(?:png|jpg)$/.test(file) ? nestedFile(file) : undefined;
  const shown = picture !== undefined && <Stored picture={picture} alt={alt} />;
  return (
    <figure class="shot">
      {shown === false && (
        <p class="no-picture">
          {href === undefined ? 'The image was not saved.' : <BesideLink href={href}>{href}</BesideLink>}
        </p>
      )}
      {shown !== false &&
        (href === undefined ? (
          <span class="picture">{shown}</span>
        ) : (
          <BesideLink class="picture" href={href}>
            {shown}
          </BesideLink>
        ))}
      <figcaption>{children}</figcaption>
    </figure>
  );
}
