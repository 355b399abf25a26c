// biome-ignore-all lint/a11y/useSemanticElements: a table's elements lose their roles where they are laid out as a grid
// biome-ignore-all lint/a11y/useFocusableInteractive: focus stays on the table, which names its active row
import type { JSX } from 'preact';
import type { TargetReport, Waterfall } from '../../model/report.ts';
import { formatCount, formatTick, formatValue, numberFormat } from '../format.ts';
import { standingOf, stateInWords } from '../select.ts';
import { elide, plain, shortName } from '../text.ts';
import { axisDrawing } from './axis-sketch.ts';
import { barDrawing } from './bars.ts';
import { type Axis, axisOf, percent, placeLabels, roomBeside, ticksWithin } from './geometry.ts';
import {
  GROUP_NAMES,
  GROUPS,
  groupOf,
  type Island,
  islandJson,
  islandsOf,
  ROW_MARKS,
  type Vocabulary,
} from './island.ts';
import { readIsland, type ShownWaterfall } from './island-read.ts';
import { rowDrawing } from './row-sketch.ts';
import { Drawn, sketch } from './sketch.tsx';
import { WaterfallKeys, WaterfallLegend } from './waterfall-legend.tsx';

/** Most rows that stand in the page without the help of a script. */
const STATIC = 400;
/** What a letter of a label takes, and how wide the axis is, px, on a narrow screen: the script measures both. */
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
  const [first] = target.waterfalls;
  if (first === undefined) return undefined;
  const named = (waterfall: Waterfall): string => {
    const run = target.result.runs.find((candidate) => candidate.index === waterfall.run);
    const standing = analysis ? undefined : standingOf(target, run);
    const median = standing === undefined ? '' : ` (${standing})`;
    const role = run === undefined || run.role === 'timed' ? '' : ` (${plain(run.role)}, untimed)`;
    const number = analysis && target.waterfalls.length === 1 ? '' : ` ${waterfall.run}`;
    return `${analysis ? 'Recording' : 'Run'}${number}${median}${role}, page complete: ${stateInWords(run?.pageComplete)}`;
  };
  const axis = axisOf(...target.waterfalls);
  const { vocabulary, islands } = islandsOf(
    target.waterfalls.map((waterfall) => ({ waterfall })),
    axis,
  );
  const runs = target.waterfalls.map((waterfall, i) => ({ waterfall, island: islands[i], name: named(waterfall) }));
  return (
    <section class="part">
      <h3 id={`${id}-waterfall`}>Waterfall</h3>
      <p class="lead">
        Every request, a row a hop. The shaded band is the silence that proved completion; it is not part of the time.
      </p>
      <div class="body broad">
        <WaterfallFigure runs={runs} id={id} axis={axis} vocabulary={vocabulary} words={`${id}-words`} />
        <WaterfallLegend waterfalls={target.waterfalls} />
        <WaterfallKeys />
        <Words vocabulary={vocabulary} id={`${id}-words`} />
      </div>
    </section>
  );
}

/** What the waterfalls of a page share, for the page's script. */
export function Words({ vocabulary, id }: { readonly vocabulary: Vocabulary; readonly id: string }): JSX.Element {
  return <script type="application/json" id={id} dangerouslySetInnerHTML={{ __html: islandJson(vocabulary) }} />;
}

/** One load, ready to be drawn. */
export interface WaterfallLoad {
  readonly waterfall: Waterfall;
  readonly island: Island | undefined;
  readonly name: string;
}

/** One waterfall with the loads that can be seen in it, the first as markup: its tools, its head, its rows and its lanes. */
export function WaterfallFigure(props: {
  readonly runs: readonly WaterfallLoad[];
  readonly id: string;
  readonly axis: Axis;
  readonly vocabulary: Vocabulary;
  /** The id of the element that holds the vocabulary. */
  readonly words: string;
}): JSX.Element | undefined {
  const { runs, id, axis, vocabulary, words } = props;
  const [first] = runs;
  if (first?.island === undefined) return undefined;
  const { span, near } = axis;
  return (
    <div class="waterfall" data-island={id} data-words={words} data-span={String(span)} data-near={near}>
      {runs.length > 1 && (
        <p class="chooser" hidden>
          <label for={`${id}-run`}>Show</label>
          <button type="button" data-step="-1" aria-label="Previous run">
            ←
          </button>
          <select id={`${id}-run`} autocomplete="off">
            {runs.map(({ waterfall, name }, index) => (
              <option key={waterfall.run} value={String(waterfall.run)} selected={index === 0}>
                {name}
              </option>
            ))}
          </select>
          <button type="button" data-step="1" aria-label="Next run">
            →
          </button>
        </p>
      )}
      <div class="run" data-run={String(first.waterfall.run)}>
        <h4 class="which">{first.name}</h4>
        <Tools waterfalls={runs.map(({ waterfall }) => waterfall)} axis={axis} />
        <Table load={readIsland(vocabulary, first.island, ROW_MARKS)} name={first.name} span={span} />
      </div>
      {runs.map(
        ({ waterfall, island }) =>
          island !== undefined && (
            <script
              key={waterfall.run}
              type="application/json"
              id={`${id}-run-${waterfall.run}`}
              dangerouslySetInnerHTML={{ __html: islandJson(island) }}
            />
          ),
      )}
    </div>
  );
}

const geometry = { percent, placeLabels, roomBeside, ticksWithin };
const format = numberFormat();
const draw = {
  rows: rowDrawing(sketch, format, barDrawing(sketch), geometry, { elide, shortName }),
  axis: axisDrawing(sketch, format, formatTick, geometry),
};

/** Heads of columns: what they say, and by what they sort. */
const COLUMNS: readonly (readonly [string, string | undefined])[] = [
  ['Request', 'name'],
  ['Status', undefined],
  ['Size', 'size'],
  ['Time', 'duration'],
];

/** The table of requests. The script draws it again, with the same functions, and keeps only the rows in sight. */
function Table(props: { readonly load: ShownWaterfall; readonly name: string; readonly span: number }): JSX.Element {
  const { load, name, span } = props;
  const { rows } = load;
  const look = { from: 0, to: span, width: 640 };
  const lanes = draw.axis.lanes(load, look);
  return (
    <div class="frame">
      {/* One tab stop for the table; arrow keys move within it (aria-activedescendant). */}
      <div class="grid" role="treegrid" aria-label={`Requests of ${name}`} aria-rowcount={rows.length + 1}>
        <div role="rowgroup" class="head">
          <div role="row" aria-rowindex={1}>
            {COLUMNS.map(([title, sorts]) => (
              <span key={title} role="columnheader" data-sorts={sorts}>
                {sorts === undefined ? (
                  title
                ) : (
                  <button type="button" data-sort={sorts}>
                    {title}
                  </button>
                )}
              </span>
            ))}
            <span role="columnheader" aria-sort="ascending" data-sorts="start end">
              <span class="unseen">Time line</span>
              <span class="timeline" aria-hidden="true">
                {draw.axis
                  .scale(load, { ...look, width: NARROW }, (text) => text.length * LETTER)
                  .map((each, index) => (
                    <Drawn key={index} of={each} />
                  ))}
              </span>
            </span>
          </div>
        </div>
        <div class="list">
          <div class="lines" role="rowgroup">
            <div class="behind" aria-hidden="true">
              <Drawn of={draw.axis.behind(load, look)} />
            </div>
            {rows.slice(0, STATIC).map((row, i) => (
              <Drawn key={i} of={draw.rows.row(row, undefined, look)} />
            ))}
          </div>
        </div>
      </div>
      <p class="none" hidden={rows.length > 0}>
        No requests were recorded.
      </p>
      <p class="beyond" hidden={rows.length <= STATIC}>
        and {formatCount(rows.length - STATIC, 'more request')}: a browser with scripts on shows them
      </p>
      <div class="tracks" hidden={lanes.length === 0}>
        {lanes.map((lane, index) => (
          <Drawn key={index} of={lane} />
        ))}
      </div>
    </div>
  );
}

function Tools({ waterfalls, axis }: { readonly waterfalls: readonly Waterfall[]; readonly axis: Axis }): JSX.Element {
  const rows = waterfalls.flatMap((waterfall) => waterfall.rows);
  const groups = new Set(rows.map((row) => groupOf(row.type)));
  const { span, near } = axis;
  return (
    <div class="tools" hidden>
      <div class="tools-top">
        <div role="group" aria-label="Type">
          <button type="button" data-type="all" aria-pressed="true">
            All <small />
          </button>
          {GROUPS.filter((group) => groups.has(group)).map((group) => (
            <button key={group} type="button" data-type={group} aria-pressed="false">
              {GROUP_NAMES[group]} <small />
            </button>
          ))}
        </div>
        <p class="told">
          <output class="shown">{formatCount(waterfalls[0]?.rows.length ?? 0, 'request')}</output>
          <button type="button" class="idle" data-reset>
            Reset
          </button>
          <button type="button" class="more-tools" data-more aria-expanded="false">
            Filter, group, sort
          </button>
        </p>
      </div>
      {rows.some((row) => row.background !== undefined) && (
        <div role="group" aria-label="Background traffic">
          <button type="button" data-mode="all" aria-pressed="true">
            Everything
          </button>
          <button type="button" data-mode="only" aria-pressed="false">
            Background only <small />
          </button>
          <button type="button" data-mode="hidden" aria-pressed="false">
            Background hidden
          </button>
        </div>
      )}
      {(rows.some((row) => row.failed) || waterfalls.some(({ critical = [] }) => critical.length > 0)) && (
        <div role="group" aria-label="Only some">
          <button type="button" data-flag="chain" aria-pressed="false">
            <span aria-hidden="true">◆</span> Critical path <small />
          </button>
          <button type="button" data-flag="critical" aria-pressed="false">
            Critical only
          </button>
          <button type="button" data-flag="failed" aria-pressed="false">
            Failed only <small />
          </button>
        </div>
      )}
      <input
        type="search"
        aria-label="Search addresses and kinds"
        placeholder="Search addresses and kinds"
        autocomplete="off"
        spellcheck={false}
      />
      <div>
        <label>
          Group by{' '}
          <select name="group" autocomplete="off">
            <option value="none">nothing</option>
            <option value="type">type</option>
            <option value="host">host</option>
            <option value="background">what counts</option>
          </select>
        </label>
        <span class="folds" hidden>
          <button type="button" data-fold="all">
            Fold all
          </button>
          <button type="button" data-fold="none">
            Unfold all
          </button>
        </span>
      </div>
      <div>
        <label>
          Sort by{' '}
          <select name="sort" autocomplete="off">
            <option value="start">start</option>
            <option value="end">end</option>
            <option value="duration">duration</option>
            <option value="size">size</option>
            <option value="name">name</option>
          </select>
        </label>
        <button type="button" data-turn aria-label="Ascending">
          ↑
        </button>
      </div>
      <div role="group" aria-label="Time span">
        {near !== undefined && (
          <button type="button" data-near="load" aria-pressed="false">
            The load <small>{formatValue(near, 'ms')}</small>
          </button>
        )}
        <button type="button" data-near="all" aria-pressed="true">
          Whole recording <small>{formatValue(span, 'ms')}</small>
        </button>
        <button type="button" data-zoom="out" aria-label="Look from farther away">
          −
        </button>
        <button type="button" data-zoom="in" aria-label="Look closer">
          +
        </button>
        <button type="button" data-zoom="left" aria-label="Earlier">
          ←
        </button>
        <button type="button" data-zoom="right" aria-label="Later">
          →
        </button>
      </div>
    </div>
  );
}
