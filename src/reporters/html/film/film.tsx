import type { JSX } from 'preact';
import type { Evidence, RunResult } from '../../../model/result/result.ts';
import { formatShare, formatValue } from '../../../wording/text/format.ts';
import { elide } from '../../../wording/text/text.ts';
import { filmMarks, loadUntil, type StripFrame, steppedStripOf, thereFrom } from '../../visual.ts';
import { foreign } from '../components/part.tsx';
import { CAPTION, Shot } from '../components/shot.tsx';
import type { EmbeddedPictures } from '../links/picture.ts';
import { filmAxis } from './film-axis.ts';
import { ProgressCurve } from './progress-curve.tsx';

/** The filmstrip in equal steps, and under it how much of the page was there by when. */
export function Film(props: {
  readonly evidence: Evidence;
  /** The run that was filmed. */
  readonly run: RunResult | undefined;
  readonly pictures: EmbeddedPictures;
}): JSX.Element {
  const { evidence, run, pictures } = props;
  const { progress } = evidence;
  const marks = filmMarks(run);
  const frames = steppedStripOf(evidence, loadUntil(progress, marks));
  const axis = filmAxis(loadUntil(progress, marks), evidence.watchedUntil);
  return (
    <div class="film">
      <ol class="pictures strip">
        {frames.map((frame, index) => (
          <li key={index}>
            <Shot file={frame.file} pictures={pictures} alt={spokenFrame(frame)}>
              <FrameWords frame={frame} />
            </Shot>
          </li>
        ))}
      </ol>
      {(progress !== undefined || marks.length > 0) && (
        <ProgressCurve curves={[{ progress: progress ?? [], marks }]} axis={axis} />
      )}
      <p class="keys">
        One more load, which is not timed, filmed the page for {formatValue(evidence.watchedUntil, 'ms')}; filming slows
        a page down. {progress !== undefined && <Figures evidence={evidence} run={run} />}
        {axis.near < axis.span && 'The shaded part is compressed.'}
      </p>
    </div>
  );
}

function isComplete(run: RunResult | undefined): boolean {
  return run?.pageComplete?.state === 'complete';
}

/** What a frame shows, for those who do not see it. */
export function spokenFrame({ at, progress, moments }: StripFrame): string {
  const share = progress === undefined ? '' : `, ${formatShare(progress)} of the final page is visible`;
  const those = moments.map(({ caption }) => elide(caption, CAPTION)).join('; ');
  return `The page at ${formatValue(at, 'ms')}${share}${those === '' ? '' : `: ${those}`}`;
}

/** The frame's time, unless it is said above it, its share, and the moments that it shows, each with its own time. */
export function FrameWords({ frame, above }: { readonly frame: StripFrame; readonly above?: string }): JSX.Element {
  const time = formatValue(frame.at, 'ms');
  return (
    <>
      <span class="when">
        {time !== above && <b>{time}</b>}
        {frame.progress !== undefined && <small> {formatShare(frame.progress)}</small>}
      </span>
      {frame.moments.map(({ at, caption }, index) => (
        <span key={index} class="moment">
          {foreign(elide(caption, CAPTION))} <small>{formatValue(at, 'ms')}</small>
        </span>
      ))}
    </>
  );
}

/** What is read off the curve. */
function Figures(props: { readonly evidence: Evidence; readonly run: RunResult | undefined }): JSX.Element {
  const { speedIndex, progress } = props.evidence;
  const goal = isComplete(props.run) ? 'at page complete' : 'at the end';
  return (
    <>
      The curve: how much of the page as it is {goal} is visible, without parts that move by themselves. Speed Index{' '}
      <b>{formatValue(speedIndex, 'ms')}</b>, 85% visible <b>{formatValue(thereFrom(progress, 0.85), 'ms')}</b>, all
      visible <b>{formatValue(thereFrom(progress, 1), 'ms')}</b>.{' '}
    </>
  );
}
