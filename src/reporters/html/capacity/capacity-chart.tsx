import type { JSX } from 'preact';
import type { CapacityFigures, CapacityLevel } from '../../../model/capacity.ts';
import { formatThroughput } from '../../../wording/capacity.ts';
import { formatValue } from '../../../wording/text/format.ts';
import { pixels, roundSpan, shareOf } from '../../scale.ts';

/** Of the drawing, in its own units. */
const WIDTH = 640;
const HEIGHT = 300;
const LEFT = 78;
const RIGHT = 14;
const TOP = 14;
const BOTTOM = 40;
/** Labels of the upright axis, about. */
const TICKS = 5;

/** One server in a drawing. */
export interface DrawnServer extends Pick<CapacityFigures, 'levels' | 'knee' | 'usl'> {
  readonly side: 'base' | 'candidate';
}

/** One line of a drawing. */
interface Line {
  readonly className: string;
  read(level: CapacityLevel): number | undefined;
  low?(level: CapacityLevel): number | undefined;
  high?(level: CapacityLevel): number | undefined;
}

/** Throughput by connections, with intervals, the knee and the Universal Scalability Law. */
export function ThroughputChart({ servers }: { readonly servers: readonly DrawnServer[] }): JSX.Element {
  const lines: readonly Line[] = [
    {
      className: 'k-main',
      read: ({ throughput }) => throughput,
      low: ({ throughputLow }) => throughputLow,
      high: ({ throughputHigh }) => throughputHigh,
    },
  ];
  return (
    <Chart
      title="Throughput"
      unit="requests/s"
      servers={servers}
      lines={lines}
      hasLaw
      show={(value) => formatThroughput(value).replace('/s', '')}
    />
  );
}

/** Mean and 90th percentile by connections. */
export function TimeChart({ servers }: { readonly servers: readonly DrawnServer[] }): JSX.Element {
  const lines: readonly Line[] = [
    { className: 'k-main', read: ({ p90 }) => p90, low: ({ p90Low }) => p90Low, high: ({ p90High }) => p90High },
    { className: 'k-mean', read: ({ mean }) => mean },
  ];
  return (
    <Chart
      title="Response time"
      unit="p90, and the mean dotted"
      servers={servers}
      lines={lines}
      show={(value) => formatValue(value, 'ms')}
    />
  );
}

function Chart(props: {
  readonly title: string;
  readonly unit: string;
  readonly servers: readonly DrawnServer[];
  readonly lines: readonly Line[];
  readonly hasLaw?: boolean;
  show(value: number): string;
}): JSX.Element {
  const { title, unit, servers, lines, hasLaw = false, show } = props;
  const levels = servers.flatMap((server) => server.levels);
  const most = Math.max(...levels.map(({ concurrency }) => concurrency), 2);
  const least = Math.min(...levels.map(({ concurrency }) => concurrency), most / 2);
  const highest = Math.max(
    ...lines.flatMap(({ read, high }) => levels.map((level) => high?.(level) ?? read(level) ?? 0)),
    0.001,
  );
  const axis = roundSpan({ from: 0, to: highest }, TICKS);
  const x = (n: number) => LEFT + (Math.log(n / least) / Math.log(most / least)) * (WIDTH - LEFT - RIGHT);
  const y = (value: number) => TOP + (1 - shareOf(value, axis)) * (HEIGHT - TOP - BOTTOM);
  const names = levelNames(
    [...new Set(levels.map(({ concurrency }) => concurrency))].toSorted((a, b) => a - b),
    x,
  );
  return (
    <figure class="k-chart">
      <figcaption>
        <b>{title}</b> <span>{unit}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${title} by connections; the table has its figures`}
      >
        {axis.ticks.map((value) => (
          <g key={value} class="k-grid">
            <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(value)} y2={y(value)} />
            <text x={LEFT - 8} y={y(value) + 4} text-anchor="end">
              {value === 0 ? '0' : show(value)}
            </text>
          </g>
        ))}
        {names.map((n) => (
          <text key={n} class="k-level" x={x(n)} y={HEIGHT - BOTTOM + 18} text-anchor="middle">
            {formatValue(n, 'count')}
          </text>
        ))}
        <text class="k-level" x={(LEFT + WIDTH - RIGHT) / 2} y={HEIGHT - 4} text-anchor="middle">
          connections
        </text>
        {servers.map(({ side, knee, usl, levels: own }) => (
          <g key={side} class={`k-${side}`}>
            {knee !== undefined && (
              <line class="k-knee" x1={x(knee.concurrency)} x2={x(knee.concurrency)} y1={TOP} y2={HEIGHT - BOTTOM} />
            )}
            {hasLaw && usl !== undefined && (
              <path
                class="k-law"
                d={pathOf(
                  usl.curve
                    .filter(
                      ({ concurrency, throughput }) =>
                        concurrency >= least && concurrency <= most && throughput <= axis.to,
                    )
                    .map(({ concurrency, throughput }) => [x(concurrency), y(throughput)]),
                )}
              />
            )}
            {lines.map(({ className, read, low, high }) => (
              <g key={className} class={className}>
                <path d={pathOf(own.flatMap((level) => point(level, read(level))))} />
                {own.map((level) => {
                  const [from, to, value] = [low?.(level), high?.(level), read(level)];
                  if (value === undefined) return undefined;
                  const at = x(level.concurrency);
                  return (
                    <g key={`${level.concurrency} ${level.rate}`} class={level.stable ? undefined : 'k-unstable'}>
                      {from !== undefined && to !== undefined && <line x1={at} x2={at} y1={y(from)} y2={y(to)} />}
                      <circle cx={at} cy={y(value)} r="3" />
                    </g>
                  );
                })}
              </g>
            ))}
          </g>
        ))}
      </svg>
    </figure>
  );

  function point(level: CapacityLevel, value: number | undefined): readonly (readonly [number, number])[] {
    return value === undefined ? [] : [[x(level.concurrency), y(value)]];
  }
}

function pathOf(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${pixels(x)} ${pixels(y)}`).join('');
}

/** Width of a label, in the drawing's units. */
const LABEL = 44;

/** The levels whose labels fit beside each other. */
function levelNames(levels: readonly number[], x: (n: number) => number): readonly number[] {
  const shown: number[] = [];
  for (const level of levels) {
    const before = shown.at(-1);
    if (before === undefined || x(level) - x(before) >= LABEL) shown.push(level);
  }
  return shown;
}
