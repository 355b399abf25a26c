import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import type { DecodedFrame, Picture } from '../../model/picture.ts';
import type { Frame } from '../../model/recording.ts';

/** Quality of a JPEG, 0 to 100. Chosen by looking: half-size text stays clean, and photographs take a fifth of a PNG. */
const QUALITY = 72;

/** The largest JPEG that is decoded. Our own are smaller. */
const JPEG_LIMITS = { maxResolutionInMP: 20, maxMemoryUsageInMB: 256 } as const;

/** A picture as a file. */
export interface PictureFile {
  readonly type: 'png' | 'jpg';
  readonly bytes: Uint8Array;
}

/** Decodes a PNG in base64, as Chrome sends it. Throws on anything else. */
export function decodePng(base64: string): Picture {
  return decodePngFile(Buffer.from(base64, 'base64'));
}

function decodePngFile(bytes: Buffer): Picture {
  const { width, height, data, alpha } = PNG.sync.read(bytes);
  // What is transparent becomes other pixels than those of the file.
  return { width, height, pixels: onWhite(data), ...(!alpha && { png: bytes }) };
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

/** Decodes a PNG or a JPEG, by its content. Throws on anything else. */
export function decodePicture(bytes: Uint8Array): Picture {
  if (bytes[0] !== 0xff) return decodePngFile(asBuffer(bytes));
  const { width, height, data } = jpeg.decode(bytes, { useTArray: true, ...JPEG_LIMITS });
  return { width, height, pixels: data };
}

/** Encodes a picture as PNG; one that a browser has sent as such is a third smaller, and stays as it is. */
export function encodePng(picture: Picture): Buffer {
  if (picture.png) return asBuffer(picture.png);
  const png = new PNG({ width: picture.width, height: picture.height });
  png.data.set(picture.pixels);
  return PNG.sync.write(png);
}

/** Encodes a picture as PNG or JPEG, whichever is smaller: JPEG for photographs, mostly. */
export function encodeSmaller(picture: Picture): PictureFile {
  const { width, height, pixels } = picture;
  const photograph = jpeg.encode({ width, height, data: pixels }, QUALITY).data;
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
