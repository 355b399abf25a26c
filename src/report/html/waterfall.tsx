import type { JSX } from 'preact';
import type { Milestone, TargetReport, Waterfall, WaterfallRow } from '../../model/report.ts';
import { formatCount, formatTick, formatValue } from '../format.ts';
import { byTime, standingOf, stateInWords } from '../select.ts';
import { elide, plain, shortName } from '../text.ts';
import {
  type Axis,
  axisOf,
  type Bars,
  barsOf,
  HEIGHT,
  PHASES,
  percent,
  placeLabels,
  roomBeside,
  splitAt,
  ticksUpTo,
  WIDTH,
} from './geometry.ts';
import { GROUP_NAMES, GROUPS, groupOf, islandJson, islandOf } from './island.ts';

/** Rows that are laid out together or not at all; two screens' worth. */
const BLOCK = 40;
/** Enough of a URL to know it by; the panel has all of it. */
const TITLE = 400;
const NAME = 90;
/** Rows from which on blocks off the screen are not laid out; fewer are there at once, also for print. */
const MANY = 400;
/** Longest reason beside a bar. */
const WHY = 64;
/** What a label takes on a narrow screen, where the script has not measured it yet. */
const LETTER = 6.4;
const NARROW = 330;

/** The waterfalls of a target: the representative run as markup, the others ready to be asked for. */
export function WaterfallPart({
  target,
  id,
  analysis,
}: {
  readonly target: TargetReport;
  readonly id: string;
  readonly analysis: boolean;
}): JSX.Element | undefined {
  const [first, ...others] = target.waterfalls;
  if (first === undefined) return undefined;
  const named = (waterfall: Waterfall): string => {
    const run = target.result.runs.find((candidate) => candidate.index === waterfall.run);
    const standing = analysis ? undefined : standingOf(target, run);
    const median = standing === undefined ? '' : ` (${standing})`;
    const role = run === undefined || run.role === 'timed' ? '' : ` (${plain(run.role)}, untimed)`;
    const number = analysis && target.waterfalls.length === 1 ? '' : ` ${waterfall.run}`;
    return `${analysis ? 'Recording' : 'Run'}${number}${median}${role}, page complete: ${stateInWords(run?.pageComplete)}`;
  };
  return (
    <section class="part" aria-labelledby={`${id}-waterfall`}>
      <h3 id={`${id}-waterfall`}>Waterfall</h3>
      <p class="lead">
        Every request, a row a hop. The shaded band is the silence that proved completion; it is not part of the time.
      </p>
      <div class="body waterfall">
        {others.length > 0 && (
          <p class="chooser" hidden>
            <label for={`${id}-run`}>Show</label>
            <select id={`${id}-run`} autocomplete="off">
              {target.waterfalls.map((waterfall, index) => (
                <option key={waterfall.run} value={String(waterfall.run)} selected={index === 0}>
                  {named(waterfall)}
                </option>
              ))}
            </select>
          </p>
        )}
        <div class="body">
          <WaterfallRun waterfall={first} id={id} name={named(first)} />
        </div>
        <Legend waterfalls={target.waterfalls} />
        {others.map((waterfall) => (
          <noscript key={waterfall.run} data-run={String(waterfall.run)}>
            <WaterfallRun waterfall={waterfall} id={id} name={named(waterfall)} />
          </noscript>
        ))}
        {target.waterfalls.map((waterfall) => (
          <WaterfallIsland key={waterfall.run} waterfall={waterfall} id={id} />
        ))}
      </div>
    </section>
  );
}

/** What the page's script reads of a waterfall. */
export function WaterfallIsland({ waterfall, id }: { readonly waterfall: Waterfall; readonly id: string }) {
  return (
    <script
      type="application/json"
      id={`${id}-run-${waterfall.run}`}
      dangerouslySetInnerHTML={{ __html: islandJson(islandOf(waterfall)) }}
    />
  );
}

/** A word on a row that one of two builds has, or has in another size. */
export type RowMark = 'new' | 'gone' | 'grown' | 'shrunk';

/** One waterfall: its filters, its head and its rows. */
export function WaterfallRun(props: {
  readonly waterfall: Waterfall;
  readonly id: string;
  readonly name: string;
  /** The axis of several waterfalls; its own when absent. */
  readonly axis?: Axis;
  /** Marks by the row's id. */
  readonly marks?: ReadonlyMap<string, RowMark>;
}) {
  const { waterfall, id, name, marks } = props;
  const { rows } = waterfall;
  const axis = props.axis ?? axisOf(waterfall);
  const { span, near } = axis;
  const blocks: WaterfallRow[][] = [];
  for (let i = 0; i < rows.length; i += BLOCK) blocks.push(rows.slice(i, i + BLOCK));
  const reasons = new Set<string>();
  return (
    <div
      class={rows.length > MANY ? 'run many' : 'run'}
      data-run={String(waterfall.run)}
      data-island={`${id}-run-${waterfall.run}`}
      data-zoom={near === undefined ? undefined : String(Number((span / near).toFixed(4)))}
    >
      <h4 class="which">{name}</h4>
      <Tools waterfall={waterfall} span={span} near={near} />
      <div class="frame">
        <div class="head" aria-hidden="true">
          <div class="names">
            <span>Request</span>
            <span>Status</span>
            <span>Size</span>
            <span>Time</span>
          </div>
          <Scale waterfall={waterfall} span={span} near={near} />
        </div>
        <div class="area">
          <Behind waterfall={waterfall} span={span} near={near} />
          {/* One tab stop for the list; arrow keys move within it (aria-activedescendant). */}
          <div class="list" role="listbox" tabIndex={0} aria-label={`Requests of ${name}`}>
            {blocks.map((block, index) => (
              <div key={index} class="block" role="presentation">
                {block.map((row) => (
                  <Row key={row.id} row={row} axis={axis} reasons={reasons} mark={marks?.get(row.id)} />
                ))}
              </div>
            ))}
          </div>
          <p class="none" hidden={rows.length > 0}>
            {rows.length > 0 ? 'No request passes these filters.' : 'No requests were recorded.'}
          </p>
        </div>
      </div>
    </div>
  );
}

interface Measured {
  readonly waterfall: Waterfall;
  readonly span: number;
  readonly near: number | undefined;
}

function Tools({ waterfall, span, near }: Measured): JSX.Element | undefined {
  const { rows } = waterfall;
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(groupOf(row.type), (counts.get(groupOf(row.type)) ?? 0) + 1);
  const background = rows.filter((row) => row.background !== undefined).length;
  return (
    <div class="tools" hidden>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a frame for three buttons */}
      <div role="group" aria-label="Type">
        <button type="button" data-type="all" aria-pressed="true">
          All <small>{formatValue(rows.length, 'count')}</small>
        </button>
        {GROUPS.filter((group) => counts.has(group)).map((group) => (
          <button key={group} type="button" data-type={group} aria-pressed="false">
            {GROUP_NAMES[group]} <small>{formatValue(counts.get(group), 'count')}</small>
          </button>
        ))}
      </div>
      {background > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: as above
        <div role="group" aria-label="Background traffic">
          <button type="button" data-mode="all" aria-pressed="true">
            Everything
          </button>
          <button type="button" data-mode="only" aria-pressed="false">
            Background only <small>{formatValue(background, 'count')}</small>
          </button>
          <button type="button" data-mode="hidden" aria-pressed="false">
            Background hidden
          </button>
        </div>
      )}
      {near !== undefined && (
        // biome-ignore lint/a11y/useSemanticElements: as above
        <div role="group" aria-label="Time span">
          <button type="button" data-near="yes" aria-pressed="false">
            The load <small>{formatValue(near, 'ms')}</small>
          </button>
          <button type="button" data-near="no" aria-pressed="true">
            Whole recording <small>{formatValue(span, 'ms')}</small>
          </button>
        </div>
      )}
      <input
        type="search"
        aria-label="Filter by URL"
        placeholder="Filter by URL"
        autocomplete="off"
        spellcheck={false}
      />
      <output class="shown">{formatCount(rows.length, 'request')}</output>
    </div>
  );
}

/** Which colour a milestone has. */
function markClass(milestone: Milestone): string {
  const name = `${milestone.name} ${milestone.label}`.toLowerCase().replace(/[^a-z]/g, '');
  if (name.startsWith('pagecomplete')) return 'mark m-complete';
  if (name.includes('firstcontentful') || name.includes('fcp')) return 'mark m-fcp';
  if (name.includes('largestcontentful') || name.includes('lcp')) return 'mark m-lcp';
  if (name.includes('dom') || name.includes('dcl')) return 'mark m-dcl';
  if (name.includes('load')) return 'mark m-load';
  return 'mark';
}

function Scale({ waterfall, span, near }: Measured): JSX.Element | undefined {
  const milestones = byTime(waterfall.milestones);
  const labels = milestones.map((milestone) => `${plain(milestone.label)} ${formatValue(milestone.at, 'ms')}`);
  const places = placeLabels(
    milestones.map((milestone, index) => ({
      at: (milestone.at / span) * NARROW,
      width: (labels[index]?.length ?? 0) * LETTER + 12,
    })),
    NARROW,
  );
  const lanes = Math.max(0, ...places.map((place) => place.lane + 1));
  return (
    <div class="scale">
      <svg class="labels" height={lanes * 17 + 4} role="presentation">
        {milestones.map((milestone, index) => {
          const { lane, toLeft } = places[index] ?? { lane: 0, toLeft: false };
          const x = percent(milestone.at, span);
          return (
            <g key={index} class={markClass(milestone)} data-at={String(Number((milestone.at / span).toFixed(5)))}>
              <line x1={x} x2={x} y1={lane * 17 + 2} y2="100%" />
              <text x={x} y={lane * 17 + 13} dx={toLeft ? -5 : 5} text-anchor={toLeft ? 'end' : 'start'}>
                {labels[index]}
              </text>
            </g>
          );
        })}
      </svg>
      <svg class="ticks" height="20" role="presentation">
        {[span, ...(near === undefined ? [] : [near])].map((end) => (
          <g key={end} class={end === span ? 'at-all' : 'at-near'}>
            {ticksUpTo(end, 6).map(({ at, step }) => (
              <text key={at} x={percent(at, span)} y="14" text-anchor={at === 0 ? 'start' : 'middle'}>
                {formatTick(at, step)}
              </text>
            ))}
          </g>
        ))}
      </svg>
    </div>
  );
}

/** Grid, quiet window and milestones behind all rows. */
function Behind({ waterfall, span, near }: Measured): JSX.Element | undefined {
  const quiet = waterfall.quietWindow;
  return (
    <div class="behind" aria-hidden="true">
      <svg role="presentation">
        {quiet !== undefined && (
          <rect
            class="quiet"
            x={percent(quiet.from, span)}
            width={percent(Math.min(quiet.to, span) - Math.max(0, quiet.from), span)}
            y="0"
            height="100%"
          />
        )}
        {[span, ...(near === undefined ? [] : [near])].map((end) => (
          <g key={end} class={end === span ? 'grid at-all' : 'grid at-near'}>
            {ticksUpTo(end, 6).map(({ at }) => (
              <line key={at} x1={percent(at, span)} x2={percent(at, span)} y1="0" y2="100%" />
            ))}
          </g>
        ))}
        {byTime(waterfall.milestones).map((milestone, index) => (
          <g key={index} class={markClass(milestone)}>
            <line x1={percent(milestone.at, span)} x2={percent(milestone.at, span)} y1="0" y2="100%" />
          </g>
        ))}
      </svg>
    </div>
  );
}

interface RowProps {
  readonly row: WaterfallRow;
  readonly axis: Axis;
  /** The reasons already told beside an earlier bar. */
  readonly reasons: Set<string>;
  readonly mark?: RowMark | undefined;
}

function Row({ row, axis, reasons, mark }: RowProps): JSX.Element | undefined {
  const { background } = row;
  const name = shortName(row.url);
  const method = row.method === 'GET' ? '' : `${row.method} `;
  const outcome = row.outcome ?? (row.failed ? 'failed' : undefined);
  const title = [
    `${row.method} ${elide(row.url, TITLE)}`,
    outcome,
    background === undefined ? undefined : `${background.kind}: ${background.because}`,
    background?.countsUntil === undefined ? undefined : `counts until ${formatValue(background.countsUntil, 'ms')}`,
  ];
  const state = `r${background === undefined ? '' : ' g'}${row.failed ? ' f' : ''}${row.open ? ' o' : ''}`;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: focus stays on the list, which names its active row
    <div class={state} role="option" title={plain(title.filter((part) => part !== undefined).join(' — '))}>
      <span class={`n ${groupOf(row.type)}`}>
        <span>{plain(elide(method + name, NAME))}</span>
        {mark !== undefined && <b class={`ch c-${mark}`}>{mark}</b>}
        {background !== undefined && <b>{background.kind}</b>}
      </span>
      <i>{row.failed && row.status === undefined ? 'failed' : (row.status ?? '')}</i>
      <i>{sizeOf(row)}</i>
      <i>{row.open ? 'open' : formatValue(row.endsAt - row.startedAt, 'ms')}</i>
      <Drawing row={row} axis={axis} />
      <Why row={row} axis={axis} reasons={reasons} />
    </div>
  );
}

/**
 * The bar of one row. What is background is hatched (style sheet); what counts all the same, because it brought content
 * first, is drawn in full before it, up to a mark.
 */
function Drawing({ row, axis }: { readonly row: WaterfallRow; readonly axis: Axis }): JSX.Element | undefined {
  const { background } = row;
  if (background === undefined) return <Bar bars={barsOf(row, axis)} />;
  if (background.countsUntil === undefined) return <Bar bars={barsOf(row, axis)} className="h" />;
  const { before, after } = splitAt(row, background.countsUntil);
  return (
    <>
      {after !== undefined && <Bar bars={barsOf(after, axis)} className="h" />}
      {before !== undefined && <Bar bars={barsOf(before, axis)} mark={after && markAt(before, axis)} />}
    </>
  );
}

/** The line at the end of what counts. */
const markAt = (before: WaterfallRow, { span }: Axis): string =>
  `M${Math.round((Math.min(before.endsAt, span) / span) * WIDTH)} 0v${HEIGHT}`;

interface BarProps {
  readonly bars: Bars;
  readonly className?: string;
  readonly mark?: string | undefined;
}

function Bar({ bars, className, mark }: BarProps): JSX.Element | undefined {
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: what is in an option has no role of its own, and bytes count here
    <svg class={className} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
      {bars.paths.map((path) => (
        <path class={`p${path.phase}`} d={path.d} />
      ))}
      {bars.fade !== undefined && <Fade fade={bars.fade} />}
      {bars.ticks !== undefined && <path class="t" d={bars.ticks} />}
      {mark !== undefined && <path class="u" d={mark} />}
    </svg>
  );
}

function sizeOf(row: WaterfallRow): string {
  if (row.fromCache === undefined) return formatValue(row.transferSize, 'bytes');
  return row.fromCache.includes('worker') ? 'worker' : 'cached';
}

/** The gradients exist once, in the page's first drawing. */
function Fade({ fade }: { readonly fade: NonNullable<Bars['fade']> }): JSX.Element | undefined {
  const gradient = fade.phase >= 6 ? fade.phase : 0;
  return <rect x={fade.x} y="4" width={fade.width} height="12" fill={`url(#fade${gradient})`} />;
}

/**
 * Words beside the bar: why an endpoint is background, once for each reason; and when a row begins that lies outside
 * the closer look.
 */
function Why({ row, axis, reasons }: RowProps): JSX.Element {
  const { background } = row;
  const { span, near } = axis;
  const key = background === undefined ? '' : `${background.kind} ${background.because}`;
  const told = background === undefined || reasons.has(key);
  reasons.add(key);
  const because = told ? '' : plain(background.because);
  const views: readonly (readonly [string, number])[] =
    near === undefined
      ? [['why', span]]
      : [
          ['why at-all', span],
          ['why at-near', near],
        ];
  return (
    <>
      {!told &&
        views.map(([className, end]) => {
          const room = roomBeside(row, end);
          return (
            room !== undefined && (
              // biome-ignore lint/a11y/noSvgWithoutTitle: its text is part of the option's name
              <svg key={className} class={className}>
                <text
                  x={percent(room.at, span)}
                  y="14"
                  dx={room.before ? -8 : 8}
                  text-anchor={room.before ? 'end' : 'start'}
                >
                  {cut(because, Math.min(WHY, room.letters))}
                </text>
              </svg>
            )
          );
        })}
      {near !== undefined && row.startedAt >= near && (
        <u>
          {because !== '' && `${cut(because, WHY)} · `}
          {formatValue(row.startedAt, 'ms')} →
        </u>
      )}
    </>
  );
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;

/** What the colours and signs of some waterfalls mean. */
export function Legend({ waterfalls }: { readonly waterfalls: readonly Waterfall[] }): JSX.Element | undefined {
  const flagged = waterfalls.flatMap((waterfall) => waterfall.rows.flatMap((row) => row.background ?? []));
  const background = flagged.length > 0;
  const parted = flagged.some((each) => each.countsUntil !== undefined);
  return (
    <>
      <ul class="legend" aria-label="Legend">
        {PHASES.map((phase, index) => (
          <li key={phase}>
            <svg viewBox="0 0 22 14" aria-hidden="true">
              <rect
                class={`p${index}`}
                x="0"
                width="22"
                y={index < 2 ? 5 : index < 5 ? 3 : 1}
                height={index < 2 ? 4 : index < 5 ? 8 : 12}
              />
            </svg>
            {phase}
          </li>
        ))}
        <li>
          <svg viewBox="0 0 22 14" aria-hidden="true">
            <rect x="0" y="1" width="22" height="12" fill="url(#fade7)" />
          </svg>
          still open
        </li>
        <li>
          <svg viewBox="0 0 22 14" aria-hidden="true">
            <path class="t" d="M3 1v6M9 1v6M13 1v6M19 1v6" />
          </svg>
          a piece arrived
        </li>
        {background && (
          <li>
            <svg class="h" viewBox="0 0 22 14" aria-hidden="true">
              <rect class="p7" x="0" y="1" width="22" height="12" />
            </svg>
            background, not counted
          </li>
        )}
        {parted && (
          <li>
            <svg viewBox="0 0 22 14" aria-hidden="true">
              <rect class="p7" x="0" y="1" width="11" height="12" />
              <path class="u" d="M11 0v14" />
            </svg>
            counted up to here
          </li>
        )}
      </ul>
      <p class="keys">
        <kbd>↑</kbd> <kbd>↓</kbd> move through the requests, <kbd>Enter</kbd> or a click keeps the details open,{' '}
        <kbd>Esc</kbd> closes them.
      </p>
    </>
  );
}
