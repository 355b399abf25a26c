import type { formatTick, NumberFormat } from '../format.ts';
import type { Geometry, Span } from './geometry.ts';
import type { ShownWaterfall } from './island-read.ts';
import type { Look } from './row-sketch.ts';
import type { Sketch, Sketcher } from './sketch.tsx';

/** How everything of a waterfall that stands on its axis looks, but its rows. */
export interface AxisDrawing {
  /** The labels of its vertical lines, and its times; `widthOf`: how many pixels a label takes. */
  scale(load: ShownWaterfall, look: Look, widthOf: (text: string) => number): readonly Sketch[];
  /** Grid, quiet window and vertical lines behind all rows. */
  behind(load: ShownWaterfall, look: Look): Sketch;
  /** Lanes of the main thread and of the wire, where somebody looked. */
  lanes(load: ShownWaterfall, look: Look): readonly Sketch[];
}

/** Draws what stands on the axis, on the server and in the browser. Self-contained (see `client-elements.ts`). */
export function axisDrawing(
  sketch: Sketcher,
  format: NumberFormat,
  tickText: typeof formatTick,
  { percent, placeLabels, ticksWithin }: Geometry,
): AxisDrawing {
  /** Height of a line of labels, px. */
  const LINE = 17;
  /** Pixels that the label of a tick needs. */
  const TICK = 100;
  /** Height of a lane, in its own units, which are CSS pixels. */
  const LANE = 20;
  /** Answers nearer than this are the same, ms. Source: half of the last digit that a time in seconds is written with. */
  const SAME = 5;

  interface Line {
    readonly label: string;
    readonly look: string;
    /** Beyond the axis: `Infinity`. */
    readonly at: number;
  }

  /** The milestones, and where plain quiescence says something else. */
  const linesOf = ({ milestones, raw }: ShownWaterfall): readonly Line[] => {
    const lines: Line[] = milestones.map(({ label, at, look }) => ({
      label: `${label} ${format.value(at, 'ms')}`,
      look: `mark ${look}`,
      at,
    }));
    const complete = milestones.find(({ look }) => look === 'm-complete');
    const at = raw?.state === 'never' ? undefined : raw?.at;
    const agrees = at !== undefined && complete !== undefined && Math.abs(at - complete.at) < SAME;
    if (raw !== undefined && !agrees && (at !== undefined || raw.state === 'never')) {
      const answer = at === undefined ? 'never' : format.value(at, 'ms');
      const words = raw.state === 'unconfirmed' ? `not confirmed (${answer})` : answer;
      lines.push({ label: `plain quiescence ${words}`, look: 'mark m-raw', at: at ?? Number.POSITIVE_INFINITY });
    }
    return lines.toSorted((a, b) => a.at - b.at);
  };
  const ticksOf = (look: Look) => ticksWithin(look, Math.max(2, Math.min(8, Math.floor(look.width / TICK))));
  const upright = (at: number, look: Span, y1: string | number = 0): Sketch =>
    sketch('line', { x1: percent(at, look), x2: percent(at, look), y1, y2: '100%' });
  const sees = (at: number, { from, to }: Span): boolean => at >= from && at <= to;

  const lane = (name: string, says: string, words: string, ...drawn: readonly Sketch[]): Sketch =>
    sketch(
      'div',
      { class: 'track' },
      sketch('span', {}, sketch('b', {}, name), ` ${says}`),
      sketch(
        'svg',
        { role: 'img', 'aria-label': words, viewBox: `0 0 100000 ${LANE}`, preserveAspectRatio: 'none' },
        sketch('title', {}, words),
        ...drawn,
      ),
    );
  const place = (at: number, { from, to }: Span): number =>
    Math.round(Math.min(Math.max((at - from) / (to - from), 0), 1) * 100_000);

  return {
    scale: (load, look, widthOf) => {
      const near = linesOf(load).filter(({ at }) => at >= look.from);
      const lines = near.filter(({ at }) => at <= look.to);
      const beyond = near.filter((line) => line.look.endsWith('m-raw') && line.at > look.to);
      const x = (at: number): number => ((Math.min(at, look.to) - look.from) / (look.to - look.from)) * look.width;
      const labels = [...lines, ...beyond.map((line) => ({ ...line, label: `${line.label} →` }))];
      const places = placeLabels(
        labels.map(({ at, label }) => ({ at: x(at), width: widthOf(label) + 12 })),
        look.width,
      );
      const lanes = Math.max(0, ...places.map((each) => each.lane + 1));
      return [
        sketch(
          'svg',
          { class: 'labels', height: lanes * LINE + 4 },
          ...labels.map(({ at, label, look: className }, index) => {
            const { lane: nth, toLeft } = places[index] ?? { lane: 0, toLeft: false };
            const side = { dx: toLeft ? -5 : 5, 'text-anchor': toLeft ? 'end' : undefined };
            return sketch(
              'g',
              { class: className },
              at <= look.to && upright(at, look, nth * LINE + 2),
              sketch('text', { x: percent(at, look), y: nth * LINE + 13, ...side }, label),
            );
          }),
        ),
        sketch(
          'svg',
          { class: 'ticks', height: 20 },
          ...ticksOf(look).map(({ at, step }) =>
            sketch(
              'text',
              { x: percent(at, look), y: 14, 'text-anchor': at === look.from ? undefined : 'middle' },
              tickText(at, step),
            ),
          ),
        ),
      ];
    },
    behind: (load, look) => {
      const { quiet } = load;
      const band = quiet !== undefined && quiet.to > look.from && quiet.from < look.to;
      return sketch(
        'svg',
        {},
        band &&
          sketch('rect', {
            class: 'quiet',
            x: percent(quiet.from, look),
            width: percent(Math.min(quiet.to, look.to) - Math.max(quiet.from, look.from) + look.from, look),
            height: '100%',
          }),
        sketch('g', { class: 'grid' }, ...ticksOf(look).map(({ at }) => upright(at, look))),
        ...linesOf(load)
          .filter(({ at }) => sees(at, look))
          .map(({ at, look: className }) => sketch('g', { class: className }, upright(at, look))),
      );
    },
    lanes: ({ tasks, wire }, look) => {
      const lanes: Sketch[] = [];
      if (tasks !== undefined) {
        const sum = tasks.reduce((all, { from, to }) => all + to - from, 0);
        const says =
          tasks.length === 0
            ? 'no long task'
            : `${format.value(tasks.length, 'count')} long ${tasks.length === 1 ? 'task' : 'tasks'}, ${format.value(sum, 'ms')} in all`;
        const drawn = tasks
          .filter(({ from, to }) => to >= look.from && from <= look.to)
          .map(
            ({ from, to }) =>
              `M${place(from, look)} 4h${Math.max(1, place(to, look) - place(from, look))}v12H${place(from, look)}z`,
          );
        lanes.push(
          lane('Main thread', says, `Main thread: ${says}`, sketch('path', { class: 'task', d: drawn.join('') })),
        );
      }
      if (wire !== undefined) {
        const says = wire.peak === 0 ? 'nothing came' : `peak ${format.value(wire.peak, 'bytes')}/s`;
        let reached: number | undefined;
        let drawn = '';
        for (const { from, to, share } of wire.spans) {
          if (to < look.from || from > look.to) continue;
          // Spans that touch are one shape: between two there would be a seam.
          if (from !== reached) drawn += `${drawn === '' ? '' : `V${LANE}`}M${place(from, look)} ${LANE}`;
          drawn += `V${Number((LANE - share * (LANE - 2)).toFixed(1))}H${place(to, look)}`;
          reached = to;
        }
        lanes.push(
          lane(
            'Bandwidth',
            says,
            `Bandwidth: ${says}`,
            sketch('path', { class: 'wire', d: drawn === '' ? '' : `${drawn}V${LANE}` }),
          ),
        );
      }
      return lanes;
    },
  };
}
