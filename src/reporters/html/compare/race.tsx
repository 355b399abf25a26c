import type { JSX } from 'preact';
import type { PerBuild } from '../../../model/compare/build.ts';
import type { CompareReport } from '../../../model/result/report.ts';
import type { Ms } from '../../../model/units.ts';
import { formatValue } from '../../../wording/text/format.ts';
import { HOLD_MS, type Race, type RaceLane, raceOf } from '../../race.ts';
import { percent } from '../../scale.ts';
import { sentence } from '../components/part.tsx';
import type { EmbeddedPicture, EmbeddedPictures } from '../links/picture.ts';
import { BUILD_NAMES, BuildSign } from './build-sign.tsx';

/** The race with the pictures that stand in the page; undefined where one of them does not. */
export function shownRace(
  report: CompareReport,
  [base = new Map(), candidate = new Map()]: readonly EmbeddedPictures[],
): { readonly race: Race; readonly pictures: PerBuild<EmbeddedPictures> } | undefined {
  const race = raceOf(report);
  if (race === undefined) return undefined;
  const pictures = { base, candidate };
  const isWhole = race.lanes.every(({ build, frames }) => frames.every(({ file }) => pictures[build].has(file)));
  return isWhole ? { race, pictures } : undefined;
}

/**
 * Both builds load side by side, again and again. The movement needs no script; readers who prefer
 * reduced motion, and paper, get the end.
 */
export function RaceFigure(props: {
  readonly race: Race;
  readonly pictures: PerBuild<EmbeddedPictures>;
  /** The same as a file beside the report, where there is one. */
  readonly file: string | undefined;
}): JSX.Element {
  const { race, pictures, file } = props;
  return (
    <figure class="race">
      <div class="lanes">
        {race.lanes.map((lane) => (
          <Lane key={lane.build} lane={lane} race={race} pictures={pictures[lane.build]} />
        ))}
      </div>
      <figcaption class="keys">
        <button type="button" class="race-play" hidden>
          Pause
        </button>
        Each film is one load that is not timed, stretched to the median of its build{speedInWords(race.speed)}.
        {file !== undefined && (
          <>
            {' '}
            <a href={file} download>
              Image for a comment
            </a>
          </>
        )}
      </figcaption>
    </figure>
  );
}

function speedInWords(speed: number): string {
  if (speed === 1) return '';
  return speed < 1 ? `, and played ${Math.round(1 / speed)} times slower` : `, and played ${speed} times faster`;
}

function Lane(props: {
  readonly lane: RaceLane;
  readonly race: Race;
  readonly pictures: EmbeddedPictures;
}): JSX.Element | undefined {
  const { lane, race, pictures } = props;
  const { build, frames, finish } = lane;
  const shown = frames.flatMap(({ at, file }) => {
    const picture = pictures.get(file);
    return picture === undefined ? [] : [{ at, picture }];
  });
  const last = shown.at(-1)?.picture;
  if (last === undefined) return undefined;
  const { width, height } = last;
  const time = finish === undefined ? 'never complete' : formatValue(finish, 'ms');
  const end = finish ?? race.length;
  return (
    <div class="lane">
      <p>
        <BuildSign build={build} />
        {BUILD_NAMES[build]} <b>{sentence(time)}</b>
      </p>
      <svg
        role="img"
        aria-label={`${BUILD_NAMES[build]}: ${finish === undefined ? time : `complete after ${time}`}`}
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
      >
        <g class="still">
          <Frame picture={last} width={width} />
        </g>
        <g class="moving">
          {shown.map(({ at, picture }, index) => (
            <g key={index} visibility={at === 0 ? undefined : 'hidden'}>
              {at > 0 && <Appears at={at} race={race} />}
              <Frame picture={picture} width={width} />
            </g>
          ))}
          {finish !== undefined && (
            <rect class="finish" width={width} height={height} visibility="hidden">
              <Appears at={finish} race={race} />
            </rect>
          )}
        </g>
      </svg>
      <svg class="race-bar" width="100%" height="8" aria-hidden="true">
        <rect class="track" width="100%" height="8" rx="4" />
        <rect class={`still of-${build}`} width={percent(end / race.length)} height="8" rx="4" />
        <rect class={`moving of-${build}`} width="0" height="8" rx="4">
          <animate
            attributeName="width"
            dur={durationOf(race)}
            repeatCount="indefinite"
            values={`0%;${percent(end / race.length)};${percent(end / race.length)}`}
            keyTimes={`0;${shareOf(end, race)};1`}
          />
        </rect>
      </svg>
    </div>
  );
}

/** Copies of pictures differ in size: all are as wide as the last one. */
function Frame({ picture, width }: { readonly picture: EmbeddedPicture; readonly width: number }): JSX.Element {
  const scale = Number((width / picture.width).toFixed(4));
  return <use href={`#${picture.id}`} {...(scale !== 1 && { transform: `scale(${scale})` })} />;
}

/** What is unseen up to a time of the race, and seen until it begins again. */
function Appears({ at, race }: { readonly at: Ms; readonly race: Race }): JSX.Element {
  return (
    <animate
      attributeName="visibility"
      dur={durationOf(race)}
      repeatCount="indefinite"
      calcMode="discrete"
      values="hidden;visible"
      keyTimes={`0;${shareOf(at, race)}`}
    />
  );
}

const playOf = ({ length, speed }: Race): Ms => length / speed + HOLD_MS;
const durationOf = (race: Race): string => `${Number((playOf(race) / 1000).toFixed(3))}s`;
const shareOf = (at: Ms, race: Race): number => Number((at / race.speed / playOf(race)).toFixed(4));
