import type { Bytes } from '../../model/units.ts';
import { type Fix, isFetched, sizeOf } from './fix.ts';
import type { Step } from './replay/load.ts';
import { placesOfPictures } from './replay/picture.ts';
import { type Shrinkable, savedOf, smaller } from './replay/smaller.ts';

/**
 * What WebP saves of a file at least, with the same pixels or, of JPEG, the same quality (SSIM). Source: "WebP Compression
 * Study" and "WebP lossless and alpha study", https://developers.google.com/speed/webp: 25 to 34% of JPEG, 26% of PNG; of
 * animated GIF 19% without loss, https://developers.google.com/speed/webp/faq. AVIF, or a loss that nobody sees, saves more.
 */
const SAVES: ReadonlyMap<string, number> = new Map([
  ['image/jpeg', 0.25],
  ['image/jpg', 0.25],
  ['image/png', 0.26],
  ['image/gif', 0.19],
]);
/** Less is not worth another file, bytes. Source: Lighthouse, `core/audits/byte-efficiency/modern-image-formats.js`. */
const WORTH_BYTES: Bytes = 8 * 1024;

/**
 * A PNG with a palette of 256 colours may not get smaller as WebP. It has a byte for each pixel at the most, before it is
 * compressed: a larger one surely has none. Source: https://www.w3.org/TR/png-3/#6Colour-values
 */
const BYTES_PER_PIXEL_OF_A_PALETTE: Bytes = 1;

/** Pictures whose format is larger than it has to be. */
export const oldFormat: Fix = (load) => {
  const placesOf = placesOfPictures(load);
  const mayHavePalette = (step: Step): boolean => {
    const [picture] = placesOf(step);
    if (picture === undefined) return true;
    const { width, height } = picture.natural;
    return sizeOf(step) <= BYTES_PER_PIXEL_OF_A_PALETTE * width * height;
  };
  const files = load.steps.flatMap((step): readonly Shrinkable[] => {
    const { request } = step;
    const mimeType = request.response?.mimeType.replace(/;.*$/s, '').trim().toLowerCase();
    const share = isFetched(request) ? SAVES.get(mimeType ?? '') : undefined;
    if (mimeType === 'image/png' && mayHavePalette(step)) return [];
    return share !== undefined && savedOf({ step, share }) >= WORTH_BYTES ? [{ step, share }] : [];
  });
  const found = smaller(load, files);
  if (found === undefined) return [];
  const { urls, savesMs, ...facts } = found;
  return [{ code: 'old-format', urls, savesMs, facts }];
};
