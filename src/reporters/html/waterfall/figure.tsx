import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Choice, FIRST_CHOICE, type Zoom, zoomed } from './choice.ts';
import type { Axis } from './geometry.ts';
import type { Name } from './navigation.ts';
import type { Details } from './panel.tsx';
import { LiveTable, usePrinting } from './table/live-table.tsx';
import { orderRows } from './table/row-order.ts';
import type { ShownWaterfall } from './table/rows.ts';
import { StaticTable } from './table/table.tsx';
import { Tools } from './tools.tsx';

/** A load with its name. */
export interface NamedLoad {
  readonly name: string;
  readonly load: ShownWaterfall;
}

/** Loads of which one at a time is seen; there is one at least. */
export interface Figure {
  /** Begins the ids of its elements. */
  readonly id: string;
  readonly runs: readonly [NamedLoad, ...NamedLoad[]];
}

/** Waterfalls that stand together, on one axis of time. */
export interface WaterfallGroup {
  readonly axis: Axis;
  readonly figures: readonly Figure[];
}

/** Waterfalls as they stand in the page where no script runs: the first load of each. */
export function StaticWaterfalls({ axis, figures }: WaterfallGroup): JSX.Element {
  return (
    <>
      {figures.map(({ id, runs: [{ name, load }] }) => (
        <div key={id} class="waterfall">
          <div class="run" data-run={load.run}>
            <h4 class="which">{name}</h4>
            <StaticTable load={load} name={name} span={axis.span} />
          </div>
        </div>
      ))}
    </>
  );
}

/** The same, alive. Two builds of one page show the same choice. */
export function LiveWaterfalls({ axis, figures }: WaterfallGroup): JSX.Element {
  // A row that one of two builds leaves out would look as if it were gone.
  const [choice, setChoice] = useState({ ...FIRST_CHOICE, few: figures.length === 1 });
  const choose = (change: Partial<Choice>): void => setChoice((now) => ({ ...now, ...change }));
  return (
    <>
      {figures.map((figure) => (
        <LiveWaterfall key={figure.id} figure={figure} axis={axis} choice={choice} onChoose={choose} />
      ))}
    </>
  );
}

function LiveWaterfall(props: {
  readonly figure: Figure;
  readonly axis: Axis;
  readonly choice: Choice;
  readonly onChoose: (change: Partial<Choice>) => void;
}): JSX.Element {
  const { figure, axis, choice, onChoose } = props;
  const { id, runs } = figure;
  const [run, setRun] = useState(0);
  const [details, setDetails] = useState<Details>();
  const [active, setActive] = useState<Name>();
  const [wanted, setWanted] = useState<{ readonly row: number }>();
  const grid = useRef<HTMLDivElement>(null);
  const { name, load } = runs[run] ?? runs[0];
  const printing = usePrinting();
  const ordered = useMemo(
    () => orderRows(load.rows, { ...choice, few: choice.few && !printing }),
    [load, choice, printing],
  );
  const onZoom = (how: Zoom): void =>
    onChoose({ zoom: zoomed(choice, axis, how, typeof active === 'number' ? load.rows[active] : undefined) });
  const tools = useMemo(
    () => (
      <Tools
        loads={runs.map((each) => each.load)}
        {...{ choice, onChoose, load, ordered, axis, onZoom }}
        onReset={() => {
          onChoose({ ...FIRST_CHOICE, few: choice.few });
          // The button cannot be seen now.
          grid.current?.focus({ preventScroll: true });
          setDetails(undefined);
        }}
      />
    ),
    [choice, load, ordered, active],
  );
  useLayoutEffect(() => {
    const go = (): void => {
      const [, figureId, ofRun, req] = /^#(.+)-run(\d+)-req(\d+)$/.exec(location.hash) ?? [];
      const index = runs.findIndex((each) => each.load.run === Number(ofRun));
      const row = Number(req) - 1;
      if (figureId !== id || runs[index]?.load.rows[row] === undefined) return;
      setRun(index);
      setWanted({ row });
    };
    go();
    const over = new AbortController();
    addEventListener('hashchange', go, { signal: over.signal });
    return () => over.abort();
  }, []);
  return (
    <div class="waterfall" data-figure={id}>
      {runs.length > 1 && (
        <Chooser
          {...{ id, runs, run }}
          onChoose={(next) => {
            setDetails(undefined);
            setActive(undefined);
            setRun(next);
          }}
        />
      )}
      <div class="run" data-run={load.run}>
        {runs.length === 1 && <h4 class="which">{name}</h4>}
        {tools}
        <LiveTable
          key={load.run}
          {...{
            id,
            name,
            load,
            wanted,
            axis,
            ordered,
            printing,
            choice,
            onChoose,
            details,
            setDetails,
            active,
            setActive,
            onZoom,
            grid,
          }}
        />
      </div>
    </div>
  );
}

/** Which of the loads is seen. */
function Chooser(props: {
  readonly id: string;
  readonly runs: readonly NamedLoad[];
  readonly run: number;
  readonly onChoose: (run: number) => void;
}): JSX.Element {
  const { id, runs, run, onChoose } = props;
  const step = (by: -1 | 1, sign: string, words: string): JSX.Element => (
    <button
      type="button"
      data-step={by}
      aria-label={words}
      aria-disabled={runs[run + by] === undefined}
      onClick={() => runs[run + by] && onChoose(run + by)}
    >
      {sign}
    </button>
  );
  return (
    <p class="chooser">
      <label for={`${id}-run`}>Show</label>
      {step(-1, '←', 'Previous run')}
      <select
        id={`${id}-run`}
        autocomplete="off"
        onChange={({ currentTarget }) => onChoose(currentTarget.selectedIndex)}
      >
        {runs.map(({ name, load }, index) => (
          <option key={load.run} value={load.run} selected={index === run}>
            {name}
          </option>
        ))}
      </select>
      {step(1, '→', 'Next run')}
    </p>
  );
}
