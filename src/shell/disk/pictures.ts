import { FilterType, JsColorType, Transformer } from '@napi-rs/image';
import type { DecodedFrame, Picture } from '../../model/recording/picture.ts';
import type { Frame } from '../../model/recording/recording.ts';

/** Quality of a JPEG, 0 to 100. Chosen by looking: half-size text stays clean, and photographs take a fifth of a PNG. */
const QUALITY = 72;

/** The largest picture that is decoded, pixels: a screen of 8K. Our own are smaller. */
const MAX_PIXELS = 7680 * 4320;

/** A picture as a file. */
export interface PictureFile {
  readonly type: 'png' | 'jpg';
  readonly bytes: Uint8Array;
}

/** Decodes a PNG in base64, as Chrome sends it. Throws on anything else. */
export function decodePng(base64: string): Picture {
  return decodePicture(Buffer.from(base64, 'base64'));
}

/** Decodes a picture, by its content. Throws on what is none, or on one that would fill the memory. */
export function decodePicture(bytes: Uint8Array): Picture {
  const file = new Transformer(bytes);
  const { width, height, format, colorType } = file.metadataSync();
  if (width * height > MAX_PIXELS) throw new Error(`An image of ${width} × ${height} pixels is too large.`);
  if (colorType === JsColorType.Rgba8) return { width, height, pixels: onWhite(file.rawPixelsSync()) };
  if (colorType !== JsColorType.Rgb8) throw new Error(`An image with colors of type ${colorType}.`);
  const pixels = opaque(file.rawPixelsSync());
  // What is transparent becomes other pixels than those of the file; this is not.
  return { width, height, pixels, ...(format === 'png' && { png: bytes }) };
}

/** Pixels of three bytes, red, green and blue, as pixels of four. */
function opaque(rgb: Uint8Array): Uint8Array {
  const pixels = new Uint8Array((4 * rgb.length) / 3);
  for (let from = 0, to = 0; to < pixels.length; from += 3, to += 4) {
    pixels[to] = rgb[from] as number;
    pixels[to + 1] = rgb[from + 1] as number;
    pixels[to + 2] = rgb[from + 2] as number;
    pixels[to + 3] = 255;
  }
  return pixels;
}

function asBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

/** Puts pixels on white: what a browser has not drawn yet is transparent in its pictures, and white on a screen. */
function onWhite(pixels: Uint8Array): Uint8Array {
  for (let i = 0; i < pixels.length; i += 4) {
    const alpha = pixels[i + 3] ?? 255;
    if (alpha === 255) continue;
    for (let channel = i; channel < i + 3; channel += 1) {
      pixels[channel] = Math.round(((pixels[channel] ?? 0) * alpha) / 255 + 255 - alpha);
    }
    pixels[i + 3] = 255;
  }
  return pixels;
}

/** Encodes a picture as PNG; one that a browser has sent as such is a third smaller, and stays as it is. */
export function encodePng(picture: Picture): Buffer {
  if (picture.png) return asBuffer(picture.png);
  return asTransformer(picture).pngSync({ filterType: FilterType.Adaptive });
}

/** Draws an SVG of our own, at twice its size: shrunk, its edges are smooth. There are no fonts. */
export function drawSvg(svg: string): Picture {
  const drawing = Transformer.fromSvg(svg);
  const { width, height } = drawing.metadataSync();
  return { width, height, pixels: drawing.rawPixelsSync() };
}

function asTransformer({ width, height, pixels }: Picture): Transformer {
  return Transformer.fromRgbaPixels(pixels, width, height);
}

/** Encodes a picture as PNG or JPEG, whichever is smaller: JPEG for photographs, mostly. */
export function encodeSmaller(picture: Picture): PictureFile {
  const photograph = asTransformer(picture).jpegSync(QUALITY);
  const exact = encodePng(picture);
  return photograph.length < exact.length ? { type: 'jpg', bytes: photograph } : { type: 'png', bytes: exact };
}

/** The data: URL of a picture. */
export function dataUrlOf({ type, bytes }: PictureFile): string {
  return `data:image/${type === 'jpg' ? 'jpeg' : type};base64,${Buffer.from(bytes).toString('base64')}`;
}

/**
 * A film whose pictures are decoded on each access and not kept: 300 decoded frames would take 400 MB. Frames equal to the
 * one before are left out.
 */
export function decodeFilm(frames: readonly Frame[]): readonly DecodedFrame[] {
  return frames
    .filter((frame, i) => frame.image !== frames[i - 1]?.image)
    .map(({ at, image }) => ({
      at,
      get picture() {
        return decodePng(image);
      },
    }));
}
