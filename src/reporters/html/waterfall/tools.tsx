// biome-ignore-all lint/a11y/useSemanticElements: a fieldset has a look of its own
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatValue } from '../../../wording/text/format.ts';
import { type Choice, CLOSEST, chosenSpan, isTouched, sortedBy, toggled, type Zoom } from './choice.ts';
import type { Axis } from './geometry.ts';
import type { Ordered } from './table/row-order.ts';
import { GROUP_NAMES, GROUPS, type ShownRow, type ShownWaterfall } from './table/rows.ts';

interface ToolProps {
  readonly choice: Choice;
  readonly onChoose: (change: Partial<Choice>) => void;
}

/** Filters, groups, order and zoom of a waterfall. */
export function Tools(
  props: ToolProps & {
    /** Every load that can be chosen: what none of them has, there is no button for. */
    readonly loads: readonly ShownWaterfall[];
    readonly load: ShownWaterfall;
    readonly ordered: Ordered;
    readonly axis: Axis;
    readonly onZoom: (how: Zoom) => void;
    readonly onReset: () => void;
  },
): JSX.Element {
  const { choice, onChoose, loads, load, ordered, axis, onZoom, onReset } = props;
  const [open, setOpen] = useState(false);
  const total = formatValue(load.rows.length, 'count');
  const { shown } = ordered;
  return (
    <div class="tools">
      <Spans {...{ choice, onChoose, axis, onZoom }} />
      <p class="count">
        <output class="shown">
          {shown === load.rows.length ? `${total} requests` : `${formatValue(shown, 'count')} of ${total} requests`}
        </output>
        <button type="button" class={isTouched(choice) ? '' : 'idle'} data-reset onClick={onReset}>
          Reset
        </button>
        <button type="button" class="more-tools" aria-expanded={open} onClick={() => setOpen(!open)}>
          Filter, group, sort
        </button>
      </p>
      {open && (
        <>
          <TypeFilter {...{ choice, onChoose, loads, load }} />
          <BackgroundFilter {...{ choice, onChoose, loads, load }} />
          <FlagFilter {...{ choice, onChoose, loads, load }} />
          <input
            type="search"
            aria-label="Search addresses and kinds"
            placeholder="Search addresses and kinds"
            autocomplete="off"
            spellcheck={false}
            value={choice.search}
            onInput={({ currentTarget }) => onChoose({ search: currentTarget.value })}
          />
          <GroupBy {...{ choice, onChoose, ordered }} />
          <SortBy {...{ choice, onChoose }} />
        </>
      )}
    </div>
  );
}

/** A button that stays down. With a count of none it is not there, unless it is down. */
function Toggle(props: {
  readonly pressed: boolean;
  readonly count?: number;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}): JSX.Element | undefined {
  const { pressed, count, onClick, children } = props;
  if (count === 0 && !pressed) return undefined;
  return (
    <button type="button" aria-pressed={pressed} onClick={onClick}>
      {children}
      {count !== undefined && (
        <>
          {' '}
          <small>{formatValue(count, 'count')}</small>
        </>
      )}
    </button>
  );
}

type FilterProps = ToolProps & { readonly loads: readonly ShownWaterfall[]; readonly load: ShownWaterfall };

const countOf = (rows: readonly ShownRow[], passes: (row: ShownRow) => boolean): number => rows.filter(passes).length;

function TypeFilter({ choice: { types }, onChoose, loads, load: { rows } }: FilterProps): JSX.Element {
  const there = new Set(loads.flatMap((load) => load.rows.map(({ group }) => group)));
  return (
    <div role="group" aria-label="Type">
      <Toggle pressed={types.size === 0} count={rows.length} onClick={() => onChoose({ types: new Set() })}>
        All
      </Toggle>
      {GROUPS.filter((group) => there.has(group)).map((group) => (
        <Toggle
          key={group}
          pressed={types.has(group)}
          count={countOf(rows, (row) => row.group === group)}
          onClick={() => onChoose({ types: toggled(types, group) })}
        >
          {GROUP_NAMES[group]}
        </Toggle>
      ))}
    </div>
  );
}

function BackgroundFilter({ choice, onChoose, loads, load }: FilterProps): JSX.Element | undefined {
  const isBackground = ({ background }: ShownRow): boolean => background !== undefined;
  if (!loads.some(({ rows }) => rows.some(isBackground))) return undefined;
  const toggle = (background: Choice['background'], words: string, count?: number): JSX.Element => (
    <Toggle
      pressed={choice.background === background}
      {...(count !== undefined && { count })}
      onClick={() => onChoose({ background })}
    >
      {words}
    </Toggle>
  );
  return (
    <div role="group" aria-label="Background traffic">
      {toggle('all', 'Everything')}
      {toggle('only', 'Background only', countOf(load.rows, isBackground))}
      {toggle('hidden', 'Background hidden')}
    </div>
  );
}

function FlagFilter({ choice, onChoose, loads, load }: FilterProps): JSX.Element | undefined {
  const { chain, critical, failed } = choice;
  if (!loads.some(({ rows, critical: path }) => path.length > 0 || rows.some((row) => row.failed))) return undefined;
  return (
    <div role="group" aria-label="Only some">
      <Toggle pressed={chain} count={load.critical.length} onClick={() => onChoose({ chain: !chain })}>
        <span aria-hidden="true">◆</span> Critical path
      </Toggle>
      {load.critical.length > 0 && (
        <Toggle pressed={critical} onClick={() => onChoose({ critical: !critical })}>
          Critical only
        </Toggle>
      )}
      <Toggle
        pressed={failed}
        count={countOf(load.rows, (row) => row.failed)}
        onClick={() => onChoose({ failed: !failed })}
      >
        Failed only
      </Toggle>
    </div>
  );
}

function GroupBy({ choice, onChoose, ordered }: ToolProps & { readonly ordered: Ordered }): JSX.Element {
  return (
    <div>
      <label>
        Group by{' '}
        <select
          name="group"
          autocomplete="off"
          value={choice.group}
          onChange={({ currentTarget }) => onChoose({ group: currentTarget.value as Choice['group'] })}
        >
          <option value="none">nothing</option>
          <option value="type">type</option>
          <option value="host">host</option>
          <option value="background">what counts</option>
        </select>
      </label>
      {ordered.groups.length > 0 && (
        <span class="folds">
          <button
            type="button"
            data-fold="all"
            onClick={() => onChoose({ folded: new Set(ordered.groups.map(({ key }) => key)) })}
          >
            Fold all
          </button>
          <button type="button" data-fold="none" onClick={() => onChoose({ folded: new Set() })}>
            Unfold all
          </button>
        </span>
      )}
    </div>
  );
}

function SortBy({ choice, onChoose }: ToolProps): JSX.Element {
  return (
    <div>
      <label>
        Sort by{' '}
        <select
          name="sort"
          autocomplete="off"
          value={choice.sort}
          onChange={({ currentTarget }) => onChoose(sortedBy(choice, currentTarget.value as Choice['sort']))}
        >
          {(['start', 'end', 'duration', 'size', 'name'] satisfies readonly Choice['sort'][]).map((sort) => (
            <option key={sort} value={sort}>
              {sort}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        class="sign-only"
        aria-label={choice.descending ? 'Descending' : 'Ascending'}
        onClick={() => onChoose({ descending: !choice.descending })}
      >
        {choice.descending ? '↓' : '↑'}
      </button>
    </div>
  );
}

const ZOOMS: readonly (readonly [how: Zoom, sign: string, words: string])[] = [
  ['out', '−', 'Zoom out'],
  ['in', '+', 'Zoom in'],
  ['left', '←', 'Earlier'],
  ['right', '→', 'Later'],
];

function Spans(props: ToolProps & { readonly axis: Axis; readonly onZoom: (how: Zoom) => void }): JSX.Element {
  const { choice, onChoose, axis, onZoom } = props;
  const { zoom } = choice;
  const { from, to } = chosenSpan(choice, axis);
  const ends: Readonly<Record<Zoom, boolean>> = {
    in: to - from <= CLOSEST,
    out: zoom === 'all',
    left: from <= 0,
    right: to >= axis.span,
  };
  return (
    <div role="group" aria-label="Time span">
      {axis.near !== undefined && (
        <Toggle pressed={zoom === 'load'} onClick={() => onChoose({ zoom: 'load' })}>
          The load <small>{formatValue(axis.near, 'ms')}</small>
        </Toggle>
      )}
      <Toggle
        pressed={zoom === 'all' || (zoom === 'load' && axis.near === undefined)}
        onClick={() => onChoose({ zoom: 'all' })}
      >
        Whole recording <small>{formatValue(axis.span, 'ms')}</small>
      </Toggle>
      {ZOOMS.map(([how, sign, words]) => (
        <button
          key={how}
          type="button"
          class="sign-only"
          aria-label={words}
          aria-disabled={ends[how]}
          onClick={() => onZoom(how)}
        >
          {sign}
        </button>
      ))}
    </div>
  );
}
