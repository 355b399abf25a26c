import { createHash } from 'node:crypto';
import { shrink } from '../../../core/visual/shrink.ts';
import type { Picture } from '../../../model/recording/picture.ts';
import { dataUrlOf, decodePicture, encodePng, encodeSmaller, type PictureFile } from '../../../shell/disk/pictures.ts';

/** Widest copy that a page carries in itself, px: text in it can be read. The files beside the page have every pixel. */
const COPY_WIDTH = 480;

/** Pictures that are written to files beside result.json, and carried by the page in small. */
export interface EvidenceImages {
  /** Small copies as `data:` URLs, by the path of the file. */
  readonly thumbnails: Readonly<Record<string, string>>;
  /** Writes a frame of a film, in the smallest form, and gives its path beside result.json. */
  addFrame(picture: Picture): Promise<string>;
  /** Writes a picture to its last pixel. */
  addExact(picture: Picture): Promise<string>;
  /** Makes the file of a picture that may be written by `addExact` later. It takes a quarter of a second of a whole screen. */
  prepareExact(picture: Picture): void;
}

/** A file with the copy that a page carries in itself. */
interface ExactPicture {
  readonly file: PictureFile;
  readonly copy: string;
}

/** No pictures yet. Files are named by what is in them, so that equal pictures are one file. */
export function createEvidenceImages(write: (name: string, content: Uint8Array) => Promise<void>): EvidenceImages {
  const thumbnails: Record<string, string> = {};
  const prepared = new WeakMap<Picture, ExactPicture>();
  const exact = (picture: Picture): ExactPicture => {
    const known = prepared.get(picture);
    if (known) return known;
    const made: ExactPicture = { file: { type: 'png', bytes: encodePng(picture) }, copy: smallCopy(picture) };
    prepared.set(picture, made);
    return made;
  };
  const add = async (file: PictureFile, copy: () => string): Promise<string> => {
    const hash = createHash('sha256').update(file.bytes).digest('hex').slice(0, 16);
    const name = `evidence/${hash}.${file.type}`;
    if (thumbnails[name] === undefined) {
      await write(name, file.bytes);
      thumbnails[name] = copy();
    }
    return name;
  };
  return {
    thumbnails,
    async addFrame(picture) {
      const file = encodeSmaller(picture);
      // From the file, which may have lost some: a report that is written again carries the same.
      return add(file, () => copyOfStored(file.bytes));
    },
    async addExact(picture) {
      const { file, copy } = exact(picture);
      return add(file, () => copy);
    },
    prepareExact: (picture) => void exact(picture),
  };
}

/** The copy of a stored picture that a page carries in itself, the same as when it was written. Throws on anything else. */
export function copyOfStored(bytes: Uint8Array): string {
  const picture = decodePicture(bytes);
  if (picture.width > COPY_WIDTH) return smallCopy(picture);
  return dataUrlOf({ type: bytes[0] === 0xff ? 'jpg' : 'png', bytes });
}

function smallCopy(picture: Picture): string {
  return dataUrlOf(encodeSmaller(shrink(picture, COPY_WIDTH)));
}
