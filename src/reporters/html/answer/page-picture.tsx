import type { JSX } from 'preact';
import type { Box } from '../../../model/metrics/metrics.ts';
import type { TargetReport } from '../../../model/result/report.ts';
import type { EvidencePicture } from '../../../model/result/result.ts';
import { formatValue } from '../../../wording/text/format.ts';
import { capitalized, elide, shortName, shortNameWithoutQuery } from '../../../wording/text/text.ts';
import { foreign } from '../components/part.tsx';
import { type Outline, Shot } from '../components/shot.tsx';
import type { EmbeddedPictures } from '../links/picture.ts';

/** Longest selector, and longest name of a file, that a caption holds. */
const LONG = 60;
/** What moved less than this of a good page's whole budget is not worth a frame. Source: 0.1 is good, https://web.dev/articles/cls */
const WORTH_SHIFT = 0.01;
/** Elements that are framed as moved. */
const MOVED = 3;

/** The page as it was when it was complete; else at the end of watching. */
function pictureOf({ result }: TargetReport): EvidencePicture | undefined {
  const pictures = result.evidence?.pictures ?? [];
  return pictures.find(({ moment }) => moment === 'page-complete') ?? pictures.at(-1);
}

/** Does any of it lie within the viewport? */
const isSeen = ({ x, y, width, height }: Box): boolean =>
  width > 0 && height > 0 && x < 1 && y < 1 && x + width > 0 && y + height > 0;

/** What was painted as the largest thing and what moved, as the run that was filmed has it: its picture is shown. */
function outlinesOf({ result }: TargetReport): readonly Outline[] {
  const filmed = result.runs.find(({ role, ok }) => role === 'evidence' && ok);
  const paint = filmed?.largestContentfulPaint;
  const shifted = (filmed?.layoutShifts ?? [])
    .filter(({ score }) => score >= WORTH_SHIFT)
    .flatMap(({ sources = [] }) => sources);
  const moved = [...new Map(shifted.map((source) => [source.selector, source])).values()];
  return [
    ...(paint?.box === undefined ? [] : [{ look: 'lcp' as const, label: 'LCP', box: paint.box }]),
    ...moved
      .slice(0, MOVED)
      .flatMap(({ to }) => (to === undefined ? [] : [{ look: 'moved' as const, label: 'moved', box: to }])),
  ].filter(({ box }) => isSeen(box));
}

/** What the largest contentful paint painted, short: the file, or the element. */
export function paintedName({ result }: TargetReport): string | undefined {
  const { url, selector } = result.largestContentfulPaint ?? {};
  if (url !== undefined) return elide(shortNameWithoutQuery(url), LONG);
  return selector === undefined ? undefined : elide(selector, LONG);
}

/** What moved most in the run that stands for the page, by its selector. */
export function movedName({ representative }: TargetReport): string | undefined {
  const shift = representative?.layoutShifts?.find(({ score }) => score >= WORTH_SHIFT);
  const selector = shift?.sources?.[0]?.selector;
  return selector === undefined ? undefined : elide(selector, LONG);
}

/** The page's picture, with what matters in it framed and named; nothing where it was not filmed. */
export function PagePicture(props: {
  readonly target: TargetReport;
  readonly pictures: EmbeddedPictures;
  /** Beside the picture of another build, whose filmed load took another time by chance. */
  readonly isTimeless?: boolean;
}): JSX.Element | undefined {
  const { target, pictures, isTimeless = false } = props;
  const picture = pictureOf(target);
  // What is not in the page itself would be an empty frame here.
  if (picture === undefined || !pictures.has(picture.file)) return undefined;
  const outlines = outlinesOf(target);
  const painted = target.result.largestContentfulPaint;
  const moved = movedName(target);
  const is = (look: Outline['look']): boolean => outlines.some((outline) => outline.look === look);
  return (
    <div class="page-picture">
      <Shot file={picture.file} pictures={pictures} outlines={outlines} alt={`The page at ${foreign(picture.caption)}`}>
        <span class="about">
          {foreign(capitalized(picture.caption))} in the filmed load
          {!isTimeless && <small> ({formatValue(picture.at, 'ms')})</small>}
        </span>
        {painted !== undefined && (
          <span class={is('lcp') ? 'key lcp' : 'key'}>
            Largest paint: <bdi class="mono">{foreign(elide(painted.selector ?? painted.url ?? '', LONG))}</bdi>
            {painted.selector !== undefined && painted.url !== undefined && (
              <>
                , <bdi class="mono">{foreign(elide(shortName(painted.url), LONG))}</bdi>
              </>
            )}
          </span>
        )}
        {moved !== undefined && is('moved') && (
          <span class="key moved">
            Moved while it loaded: <bdi class="mono">{foreign(moved)}</bdi>
          </span>
        )}
      </Shot>
    </div>
  );
}
