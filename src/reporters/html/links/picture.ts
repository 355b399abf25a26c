import type { TargetReport } from '../../../model/result/report.ts';
import type { Evidence } from '../../../model/result/result.ts';
import { MOST_FRAMES, stripOf } from '../../visual.ts';

/** A picture that stands in the page itself. */
export interface EmbeddedPicture {
  /** The id of the element that holds it, of which the page has one for each distinct picture. */
  readonly id: string;
  /** A `data:` URL that holds a PNG or a JPEG. */
  readonly url: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** The pictures of one target that are small and sound enough to stand in the page, by their path. */
export type EmbeddedPictures = ReadonlyMap<string, EmbeddedPicture>;

/**
 * Letters of `data:` URLs that one page holds; pictures beyond are linked. More than a hundred photographs, and still an
 * attachment that mail servers take (10 MB, with everything else in the page).
 */
const MOST_LETTERS = 6_000_000;

/** A picture larger than this, in pixels a side, is no thumbnail; decoding it could take a reader's memory. */
const LARGEST_SIDE = 4096;

/** A form of picture: how its URL begins, and its size by its first bytes; undefined when they are not its. */
interface Form {
  readonly prefix: string;
  size(head: string): readonly [width: number, height: number] | undefined;
}

/** Bytes within which the size must stand; in a JPEG, what a camera wrote may come first, and is none of ours. */
const HEAD_BYTES = 3000;
const HEAD_LETTERS = (HEAD_BYTES / 3) * 4;

const numberAt = (bytes: string, at: number, length: number): number => {
  let value = 0;
  for (let i = at; i < at + length; i += 1) value = value * 256 + bytes.charCodeAt(i);
  return value;
};

const FORMS: readonly Form[] = [
  {
    prefix: 'data:image/png;base64,',
    // Source: PNG specification, 5.2 and 11.2.1.
    size: (head) =>
      head.startsWith('\u0089PNG\r\n\u001a\n\0\0\0\rIHDR') && head.length >= 24
        ? [numberAt(head, 16, 4), numberAt(head, 20, 4)]
        : undefined,
  },
  { prefix: 'data:image/jpeg;base64,', size: jpegSize },
];

/** The size that the frame header tells. Source: ITU-T T.81, B.1.1.2 and B.2.2. */
function jpegSize(head: string): readonly [number, number] | undefined {
  if (!head.startsWith('\u00ff\u00d8\u00ff')) return undefined;
  for (let at = 2; at + 9 < head.length; at += 2 + numberAt(head, at + 2, 2)) {
    const marker = head.charCodeAt(at + 1);
    // Scan data, or what is no segment: the frame header should have come before.
    if (head.charCodeAt(at) !== 0xff || marker < 0xc0 || marker === 0xda || marker === 0xd9) return undefined;
    if (marker <= 0xc2) return [numberAt(head, at + 7, 2), numberAt(head, at + 5, 2)];
  }
  return undefined;
}

/** The picture when the URL holds a PNG or a JPEG of bearable size and nothing else, else undefined. */
export function embeddable(url: string | undefined): Omit<EmbeddedPicture, 'id'> | undefined {
  const form = FORMS.find(({ prefix }) => url?.startsWith(prefix));
  if (url === undefined || form === undefined) return undefined;
  const body = url.slice(form.prefix.length);
  if (body.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(body)) return undefined;
  const [width, height] = form.size(atob(body.slice(0, HEAD_LETTERS))) ?? [0, 0];
  const sound = width > 0 && height > 0 && width <= LARGEST_SIDE && height <= LARGEST_SIDE;
  return sound ? { url, width, height } : undefined;
}

/** The files that a target's evidence shows, each once, in the order in which it shows them. */
function shownFiles(evidence: Evidence | undefined): readonly string[] {
  if (evidence === undefined) return [];
  const frames = stripOf(evidence).slice(0, MOST_FRAMES * 2);
  const proof = evidence.ablation?.pictures;
  const trio = proof === undefined ? [] : [proof.with, proof.without, proof.difference];
  return [...new Set([...frames.map(({ file }) => file), ...trio])].filter((file) => file !== undefined);
}

/**
 * Which pictures of each target stand in the page: in reading order, until the page would grow too large. What the
 * targets before it left over, a target may use beyond its even share. Equal pictures have one id, and weigh once.
 */
export function embeddedPictures(
  report: { readonly targets: readonly TargetReport[] },
  most = MOST_LETTERS,
): readonly EmbeddedPictures[] {
  const ids = new Map<string, string>();
  let left = most;
  return report.targets.map(({ result, pictures = {} }, index) => {
    let share = left / (report.targets.length - index);
    const embedded = new Map<string, EmbeddedPicture>();
    for (const file of shownFiles(result.evidence)) {
      const picture = embeddable(Object.hasOwn(pictures, file) ? pictures[file] : undefined);
      if (picture === undefined) continue;
      const known = ids.get(picture.url);
      if (known === undefined) {
        if (picture.url.length > share) continue;
        share -= picture.url.length;
        left -= picture.url.length;
      }
      const id = known ?? `picture-${ids.size + 1}`;
      ids.set(picture.url, id);
      embedded.set(file, { id, ...picture });
    }
    return embedded;
  });
}
