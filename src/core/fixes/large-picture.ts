import type { RenderedPicture } from '../../model/recording/rendered.ts';
import type { Bytes } from '../../model/units.ts';
import { type Fix, isFetched } from './fix.ts';
import type { Step } from './replay/load.ts';
import { placesOfPictures } from './replay/picture.ts';
import { type Shrinkable, savedOf, smaller } from './replay/smaller.ts';

/** Less is not worth another file, bytes. Source: Lighthouse, `core/audits/byte-efficiency/uses-responsive-images.js`. */
const WORTH_BYTES: Bytes = 4 * 1024;

/** Pictures with more pixels than the screen shows of them. Those of style sheets are not known. */
export const largePicture: Fix = (load) => {
  const placesOf = placesOfPictures(load);
  const files = load.steps.flatMap((step): readonly (Shrinkable & { readonly picture: RenderedPicture })[] => {
    const picture = isPixels(step) ? largestOf(placesOf(step)) : undefined;
    if (picture === undefined) return [];
    const file = { step, share: 1 - neededOf(picture) };
    return savedOf(file) >= WORTH_BYTES ? [{ ...file, picture }] : [];
  });
  const [worst] = files.toSorted((a, b) => savedOf(b) - savedOf(a));
  const found = smaller(load, files);
  if (found === undefined || worst === undefined) return [];
  const { urls, savesMs, ...facts } = found;
  const { natural, shown: seen } = worst.picture;
  return [{ code: 'large-picture', urls, savesMs, facts: { ...facts, natural, shown: seen } }];
};

/** SVG has no pixels. */
const isPixels = ({ request }: Step): boolean =>
  isFetched(request) && !/svg/i.test(request.response?.mimeType ?? '') && request.type === 'image';

/** Where a picture stands several times, it is as large as the largest needs it. */
const largestOf = (pictures: readonly RenderedPicture[]): RenderedPicture | undefined =>
  pictures.toSorted((a, b) => neededOf(b) - neededOf(a))[0];

/**
 * Which share of a picture's pixels is needed: it is scaled in both directions alike, as far as the larger one asks for it,
 * since a part of it may be cut off.
 */
function neededOf({ natural, shown }: RenderedPicture): number {
  const scale = Math.max(shown.width / natural.width, shown.height / natural.height);
  return Math.min(1, scale * scale);
}
