// biome-ignore-all lint/a11y/noSvgWithoutTitle: what is drawn is hidden from who cannot see it, or says its words in text
import type { ComponentChildren, JSX } from 'preact';
import { formatCount, formatTick, formatValue } from '../../../wording/text/format.ts';
import { percent, pixels, place, type Span, shareOf, type Tick, ticksWithin } from '../../scale.ts';
import { type Look, placeLabels } from './geometry.ts';
import { PEAK_MS, type ShownWaterfall } from './table/rows.ts';

/** Height of a line of labels, px. */
const LINE = 17;
/** Pixels that the label of a tick needs. */
const TICK = 100;
/** Width and height of a lane, in its own units; the height is CSS pixels. */
const WIDTH = 100_000;
const LANE = 20;
/** Answers nearer than this are the same, ms. Source: half of the last digit that a time in seconds is written with. */
const SAME = 5;

/** What stands on the axis of a waterfall beside its rows. */
interface AxisProps {
  readonly load: ShownWaterfall;
  readonly look: Look;
}

/** The labels of its vertical lines, and its times; `widthOf`: how many pixels a label takes. */
export function Scale({
  load,
  look,
  widthOf,
}: AxisProps & { readonly widthOf: (text: string) => number }): JSX.Element {
  const near = linesOf(load).filter(({ at }) => at >= look.from);
  const lines = near.filter(({ at }) => at <= look.to);
  const beyond = near.filter((line) => line.look.endsWith('m-raw') && line.at > look.to);
  const x = (at: number): number => shareOf(Math.min(at, look.to), look) * look.width;
  const labels = [...lines, ...beyond.map((line) => ({ ...line, label: `${line.label} →` }))];
  const places = placeLabels(
    labels.map(({ at, label }) => ({ at: x(at), width: widthOf(label) + 12 })),
    look.width,
  );
  const lanes = Math.max(0, ...places.map(({ lane }) => lane + 1));
  return (
    <>
      <svg class="labels" height={lanes * LINE + 4}>
        {/* All lines first: a label stands before those of its neighbours. */}
        {labels.map(({ at, look: className }, index) => (
          <g class={className}>
            {at <= look.to && <Upright at={at} look={look} y1={(places[index]?.lane ?? 0) * LINE + 2} />}
          </g>
        ))}
        {labels.map(({ at, label, look: className }, index) => {
          const { lane, toLeft } = places[index] ?? { lane: 0, toLeft: false };
          return (
            <g class={className}>
              <text
                x={percent(place(at, look))}
                y={lane * LINE + 13}
                dx={toLeft ? -5 : 5}
                text-anchor={toLeft ? 'end' : undefined}
              >
                {label}
              </text>
            </g>
          );
        })}
      </svg>
      <svg class="ticks" height={20}>
        {ticksOf(look).map(({ at, step }) => (
          <text x={percent(place(at, look))} y={14} text-anchor={at === look.from ? undefined : 'middle'}>
            {formatTick(at, step)}
          </text>
        ))}
      </svg>
    </>
  );
}

/** Grid, quiet window and vertical lines behind all rows. */
export function Behind({ load, look }: AxisProps): JSX.Element {
  const { quiet } = load;
  return (
    <svg>
      {quiet !== undefined && quiet.to > look.from && quiet.from < look.to && (
        <rect
          class="quiet"
          x={percent(place(quiet.from, look))}
          width={percent(place(quiet.to, look) - place(quiet.from, look))}
          height="100%"
        />
      )}
      <g class="grid">
        {ticksOf(look).map(({ at }) => (
          <Upright at={at} look={look} />
        ))}
      </g>
      {linesOf(load)
        .filter(({ at }) => at >= look.from && at <= look.to)
        .map(({ at, look: className }) => (
          <g class={className}>
            <Upright at={at} look={look} />
          </g>
        ))}
    </svg>
  );
}

/** Lanes of the main thread and of the wire, where they were recorded. */
export function Lanes({ load, look }: AxisProps): JSX.Element {
  const { tasks, wire } = load;
  return (
    <div class="tracks" hidden={tasks === undefined && wire === undefined}>
      {tasks !== undefined && <Tasks tasks={tasks} look={look} />}
      {wire !== undefined && (
        <Lane
          name="Bandwidth"
          says={
            wire.peak === 0
              ? 'nothing came'
              : `peak ${formatValue(wire.peak, 'bytes')}/s over ${formatTick(PEAK_MS, PEAK_MS)}`
          }
        >
          <path class="wire" d={wirePath(wire, look)} />
        </Lane>
      )}
    </div>
  );
}

function Tasks(props: { readonly tasks: NonNullable<ShownWaterfall['tasks']>; readonly look: Look }): JSX.Element {
  const { tasks, look } = props;
  const sum = tasks.reduce((all, { from, to }) => all + to - from, 0);
  const seen = tasks.filter(({ from, to }) => to >= look.from && from <= look.to);
  const longest = tasks.toSorted((a, b) => b.to - b.from - (a.to - a.from)).find(({ name }) => name !== undefined);
  const led = longest?.name === undefined ? '' : `; most: ${longest.name}`;
  const box = ({ from, to }: Span): string => {
    const x = unitsOf(from, look);
    return `M${x} 4h${Math.max(1, unitsOf(to, look) - x)}v12H${x}z`;
  };
  return (
    <Lane
      name="Main thread"
      says={
        tasks.length === 0
          ? 'no long task'
          : `${formatCount(tasks.length, 'long task')}, ${formatValue(sum, 'ms')} in all${led}`
      }
    >
      {seen.map((task, index) => (
        <path key={index} class="task" d={box(task)}>
          <title>
            {[`${formatValue(task.to - task.from, 'ms')} from ${formatValue(task.from, 'ms')}`, task.name ?? '']
              .filter((part) => part !== '')
              .join(': ')}
          </title>
        </path>
      ))}
    </Lane>
  );
}

function Lane(props: {
  readonly name: string;
  readonly says: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { name, says, children } = props;
  return (
    <div class="track">
      <span>
        <b>{name}</b>
        {` ${says}`}
      </span>
      <svg role="img" aria-label={`${name}: ${says}`} viewBox={`0 0 ${WIDTH} ${LANE}`} preserveAspectRatio="none">
        <title>{`${name}: ${says}`}</title>
        {children}
      </svg>
    </div>
  );
}

/** Spans that touch are one shape: between two there would be a seam. */
function wirePath({ step, heights }: NonNullable<ShownWaterfall['wire']>, look: Look): string {
  let path = '';
  let open = false;
  heights.forEach((height, index) => {
    const [from, to] = [index * step, (index + 1) * step];
    if (height === 0 || to < look.from || from > look.to) {
      if (open) path += `V${LANE}`;
      open = false;
      return;
    }
    if (!open) path += `M${unitsOf(from, look)} ${LANE}`;
    path += `V${pixels(LANE - (height / 100) * (LANE - 2))}H${unitsOf(to, look)}`;
    open = true;
  });
  return open ? `${path}V${LANE}` : path;
}

const unitsOf = (at: number, look: Span): number => Math.round(place(at, look) * WIDTH);

interface Line {
  readonly label: string;
  readonly look: string;
  /** Beyond the axis: `Infinity`. */
  readonly at: number;
}

/** The milestones, and where network idle says something else. */
function linesOf({ milestones, raw }: ShownWaterfall): readonly Line[] {
  const lines = milestones.map(
    ({ label, at, look }): Line => ({ label: `${label} ${formatValue(at, 'ms')}`, look: `mark ${look}`, at }),
  );
  const complete = milestones.find(({ look }) => look === 'm-complete');
  const at = raw?.state === 'never' ? Number.POSITIVE_INFINITY : raw?.at;
  if (raw === undefined || at === undefined) return lines;
  if (complete !== undefined && Math.abs(at - complete.at) < SAME) return lines;
  const answer = at === Number.POSITIVE_INFINITY ? 'never' : formatValue(at, 'ms');
  const words = raw.state === 'unconfirmed' ? `not confirmed (${answer})` : answer;
  const own = { label: `network idle ${words}`, look: 'mark m-raw', at };
  return [...lines, own].toSorted((a, b) => a.at - b.at);
}

const ticksOf = (look: Look): readonly Tick[] =>
  ticksWithin(look, Math.max(2, Math.min(8, Math.floor(look.width / TICK))));

function Upright(props: { readonly at: number; readonly look: Span; readonly y1?: number }): JSX.Element {
  const x = percent(place(props.at, props.look));
  return <line x1={x} x2={x} y1={props.y1 ?? 0} y2="100%" />;
}
