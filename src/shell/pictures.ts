import { PNG } from 'pngjs';
import type { DecodedFrame, Picture } from '../model/picture.ts';
import type { Frame } from '../model/recording.ts';

/** Reads a PNG, base64, as Chrome hands it out. Throws on anything else. */
export function decodePng(base64: string): Picture {
  const { width, height, data } = PNG.sync.read(Buffer.from(base64, 'base64'));
  return { width, height, pixels: data };
}

/** Writes a picture as PNG. */
export function encodePng(picture: Picture): Buffer {
  const png = new PNG({ width: picture.width, height: picture.height });
  png.data.set(picture.pixels);
  return PNG.sync.write(png);
}

/**
 * A film whose pictures are decoded when they are asked for, and not kept: 300 frames would fill 400 MB. Frames equal
 * to the one before are left out, for they show nothing new.
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
