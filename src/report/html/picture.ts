import type { TargetReport } from '../../model/report.ts';
import type { Evidence } from '../../model/result.ts';

/** A picture that stands in the page itself. */
export interface EmbeddedPicture {
  /** A `data:` URL that holds a PNG. */
  readonly url: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** The pictures of one target that are small and sound enough to stand in the page, by their path. */
export type EmbeddedPictures = ReadonlyMap<string, EmbeddedPicture>;

/**
 * Letters of `data:` URLs that one page holds; pictures beyond are linked. About fifty thumbnails of photographs, and
 * still an attachment that mail servers take (10 MB, with everything else in the page).
 */
export const MOST_LETTERS = 6_000_000;

/** A picture larger than this, in pixels a side, is no thumbnail; decoding it could take a reader's memory. */
const LARGEST_SIDE = 4096;

/** Pictures of an evidence run that are shown; more are said to be there. */
export const MOST_PICTURES = 12;

const PREFIX = 'data:image/png;base64,';
/** Signature and size stand in the first 24 bytes. Source: PNG specification, 5.2 and 11.2.1. */
const HEAD_BYTES = 24;
const HEAD_LETTERS = (HEAD_BYTES / 3) * 4;
const HEAD = '\u0089PNG\r\n\u001a\n\0\0\0\rIHDR';

/** The picture when the URL holds a PNG of bearable size and nothing else, else undefined. */
export function embeddable(url: string | undefined): EmbeddedPicture | undefined {
  if (url === undefined || !url.startsWith(PREFIX)) return undefined;
  const body = url.slice(PREFIX.length);
  if (body.length % 4 !== 0 || body.length < HEAD_LETTERS || !/^[A-Za-z0-9+/]+={0,2}$/.test(body)) return undefined;
  const head = atob(body.slice(0, HEAD_LETTERS));
  if (!head.startsWith(HEAD)) return undefined;
  const number = (at: number): number =>
    [0, 1, 2, 3].reduce((value, offset) => value * 256 + head.charCodeAt(at + offset), 0);
  const width = number(16);
  const height = number(20);
  const sound = width > 0 && height > 0 && width <= LARGEST_SIDE && height <= LARGEST_SIDE;
  return sound ? { url, width, height } : undefined;
}

/** The files that a target's evidence shows, in the order in which it shows them. */
export function shownFiles(evidence: Evidence | undefined): readonly string[] {
  if (evidence === undefined) return [];
  const { ablation, pictures } = evidence;
  const pair = ablation === undefined ? [] : [ablation.pictures.with, ablation.pictures.without];
  return [
    ...pair,
    ...(ablation?.pictures.difference === undefined ? [] : [ablation.pictures.difference]),
    ...pictures.slice(0, MOST_PICTURES).map(({ file }) => file),
  ];
}

/** Which pictures of each target stand in the page: in reading order, until the page would grow too large. */
export function embeddedPictures(
  report: { readonly targets: readonly TargetReport[] },
  most = MOST_LETTERS,
): readonly EmbeddedPictures[] {
  let left = most;
  return report.targets.map((target) => {
    const embedded = new Map<string, EmbeddedPicture>();
    for (const file of shownFiles(target.result.evidence)) {
      const { pictures } = target;
      const picture = embeddable(pictures !== undefined && Object.hasOwn(pictures, file) ? pictures[file] : undefined);
      // A file that is shown twice stands in the page twice.
      if (picture === undefined || picture.url.length > left) continue;
      left -= picture.url.length;
      embedded.set(file, picture);
    }
    return embedded;
  });
}
