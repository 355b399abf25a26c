import type { JSX } from 'preact';
import type { Build } from '../../../model/compare/comparison.ts';
import type { VisualProgress } from '../../../model/result/result.ts';
import type { Ms } from '../../../model/units.ts';
import { formatShare, formatTick, formatValue } from '../../../wording/text/format.ts';
import { percent, pixels, ticksWithin } from '../../scale.ts';
import { type FilmMark, thereFrom } from '../../visual.ts';
import { type LabelPlace, placeLabels } from '../waterfall/geometry.ts';
import { type FilmAxis, placeOn } from './film-axis.ts';

/** The rows of the drawing, px: the scale, the curve, and below it the labels of the marks. */
const SCALE = 20;
const PLOT = 88;
const LANE = 17;
/** Most ticks that fit a narrow screen. */
const TICKS = 6;
/** Where what is to scale ends, the label of the axis' end needs room, as a share of it. */
const END_LABEL = 0.14;
/** What a letter takes, and how wide the narrowest drawing is, px: labels that do not touch there touch nowhere. */
const LETTER = 6.6;
const NARROW = 326;
/** Units of the curve's own drawing, which is stretched to the room there is. */
const UNITS = 1000;
/** Shares that have a line. */
const SHARES = [1, 0.5];
/** Shares that are spoken. */
const SPOKEN = [0.25, 0.5, 0.75, 0.85, 1];

/** A curve of visual progress; one alone, or that of a build. */
export interface Curve {
  readonly build?: Build;
  readonly progress: readonly VisualProgress[];
  readonly marks: readonly FilmMark[];
}

/** How much was there by when, on the axis of the filmstrip, with the times of the filmed run marked. */
export function ProgressCurve(props: { readonly curves: readonly Curve[]; readonly axis: FilmAxis }): JSX.Element {
  const { curves, axis } = props;
  const marks = curves
    .flatMap(({ build, marks: those }) => those.map((mark) => ({ ...mark, build })))
    .sort((a, b) => a.at - b.at);
  const labels = marks.map(({ build, label, at }) => `${labelOf(label, build)} ${formatValue(at, 'ms')}`);
  const places = placeLabels(
    marks.map(({ at }, i) => ({
      at: placeOn(axis, at) * NARROW,
      width: (labels[i]?.length ?? 0) * LETTER + 12,
    })),
    NARROW,
  );
  const lanes = Math.max(0, ...places.map(({ lane }) => lane + 1));
  const foot = SCALE + PLOT;
  // Labels hang from the drawing: the line that is first from above is the last one here.
  const footOf = (place: LabelPlace | undefined): number => foot + (lanes - (place?.lane ?? 0)) * LANE;
  const broken = axis.near < axis.span;
  const ticks = ticksWithin({ from: 0, to: axis.near }, TICKS, broken ? END_LABEL : undefined);
  const x = (at: Ms): string => percent(placeOn(axis, at));
  const spoken = curves.map(spokenCurve).join(' ');
  return (
    <svg class="curve" width="100%" height={foot + lanes * LANE + 6} role="img" aria-label={spoken}>
      {broken && (
        <rect class="later" x={x(axis.near)} width={percent(1 - placeOn(axis, axis.near))} y="0" height={foot} />
      )}
      <g class="scale">
        {ticks.map(({ at, step }) => (
          <g key={at}>
            <line x1={x(at)} x2={x(at)} y1="0" y2={foot} />
            <text x={x(at)} dx="4" y="13">
              {formatTick(at, step)}
            </text>
          </g>
        ))}
        {broken && (
          <text x="100%" dx="-3" y="13" text-anchor="end">
            {formatValue(axis.span, 'ms')}
          </text>
        )}
        {SHARES.map((share) => (
          <line key={share} x1="0" x2="100%" y1={levelOf(share)} y2={levelOf(share)} />
        ))}
        <line class="ground" x1="0" x2="100%" y1={foot} y2={foot} />
      </g>
      <svg
        x="0"
        y={SCALE}
        width="100%"
        height={PLOT}
        viewBox={`0 0 ${UNITS} 100`}
        preserveAspectRatio="none"
        overflow="visible"
        aria-hidden="true"
      >
        {curves.map(({ build, progress }, index) => {
          const line = pathOf(progress, axis);
          if (line === undefined) return undefined;
          return (
            <g key={index} class={build === undefined ? 'progress' : `progress of-${build}`}>
              {build === undefined && <path class="under" d={`${line}V100H0z`} />}
              <path class="over" d={line} />
            </g>
          );
        })}
      </svg>
      {/* All lines before all labels: a line that has no way around a label goes behind it. */}
      <g class="labels">
        {marks.map((mark, i) => (
          <line key={i} class={markClass(mark)} x1={x(mark.at)} x2={x(mark.at)} y1={SCALE} y2={footOf(places[i])} />
        ))}
        {marks.map((mark, i) => {
          const toLeft = places[i]?.toLeft === true;
          return (
            <text
              key={i}
              class={markClass(mark)}
              x={x(mark.at)}
              dx={toLeft ? -5 : 5}
              y={footOf(places[i]) - 1}
              text-anchor={toLeft ? 'end' : 'start'}
            >
              {labels[i]}
            </text>
          );
        })}
      </g>
      <g class="shares">
        {SHARES.map((share) => (
          <text key={share} x="0" dx="4" y={levelOf(share) + 13}>
            {formatShare(share)}
          </text>
        ))}
      </g>
    </svg>
  );
}

/** How far from the top a share is drawn, px. */
function levelOf(share: number): number {
  return SCALE + (1 - share) * PLOT;
}

function markClass({ name, build }: { readonly name: FilmMark['name']; readonly build: Build | undefined }): string {
  return build === undefined ? `mark m-${name}` : `mark m-${name} of-${build}`;
}

function labelOf(label: string, build: Build | undefined): string {
  return build === undefined ? label : `${build}: ${label}`;
}

/** Steps: what is seen stays as it is until it changes, after the last change to the end. */
function pathOf(progress: readonly VisualProgress[], axis: FilmAxis): string | undefined {
  const known = progress.filter(({ at, share }) => Number.isFinite(at) && Number.isFinite(share));
  if (known.length === 0) return undefined;
  const steps = known.map(({ at, share }) => {
    return `H${pixels(placeOn(axis, at) * UNITS)}V${pixels(100 - Math.min(1, Math.max(0, share)) * 100)}`;
  });
  return `M0 100${steps.join('')}H${UNITS}`;
}

/** "Visual progress of the base: 25% at 303 ms, 100% at 786 ms. First …" for those who do not see the drawing. */
function spokenCurve({ build, progress, marks }: Curve): string {
  const reached = SPOKEN.flatMap((share): readonly { readonly share: number; readonly at: Ms }[] => {
    const at = thereFrom(progress, share);
    return at === undefined ? [] : [{ share, at }];
  });
  const steps = reached
    .filter(({ at }, i) => reached[i + 1]?.at !== at)
    .map(({ share, at }) => `${formatShare(share)} at ${formatValue(at, 'ms')}`);
  const times = marks.map(({ label, at }) => `${label} at ${formatValue(at, 'ms')}`);
  return `Visual progress${build === undefined ? '' : ` of the ${build}`}: ${steps.length === 0 ? 'not known' : steps.join(', ')}. ${times.join(', ')}.`;
}
