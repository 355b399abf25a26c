// biome-ignore-all lint/a11y/useSemanticElements: a table's elements lose their roles where they are laid out as a grid
// biome-ignore-all lint/a11y/noNoninteractiveElementInteractions: rows are pointed at; the table takes the keyboard
import { Component, type JSX, type RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatCount } from '../../../../wording/text/format.ts';
import { Behind, Lanes } from '../axis.tsx';
import { chosenSpan, isArranged, sortedBy, zoomOn } from '../choice.ts';
import { firstRows } from '../first-rows.ts';
import type { Look } from '../geometry.ts';
import { Links } from '../links.tsx';
import { nameOf, pointerHandlers, type TableState, useNavigation } from '../navigation.ts';
import { DetailPanel } from '../panel.tsx';
import { isNarrow, usePanelPlace } from '../panel-place.ts';
import { Timeline } from '../timeline.tsx';
import { GroupRow, Row } from './row.tsx';
import type { Entry } from './row-order.ts';
import type { ShownWaterfall } from './rows.ts';
import { TableHead } from './table.tsx';
import { useVirtualRows } from './virtual-rows.ts';

/** Most rows that are printed. */
const PRINTED = 2000;
interface LiveTableProps extends TableState {
  readonly id: string;
  readonly name: string;
  readonly load: ShownWaterfall;
  /** On the way to paper: all rows exist. */
  readonly printing: boolean;
  /** The row that the page's address leads to; a new object each time. */
  readonly wanted: { readonly row: number } | undefined;
}

/** Where a row is linked: "t1-run3-req12". Rows count from 1 there, as people do. */
export const hashOf = (figure: string, run: number, row: number): string => `${figure}-run${run}-req${row + 1}`;

/** The table of requests where a script runs: only the rows in sight exist, and it answers to mouse and keyboard. */
export function LiveTable(props: LiveTableProps): JSX.Element {
  const { id, name, load, printing, axis, ordered, choice, onChoose, details, setDetails, active, grid } = props;
  const { entries } = ordered;
  const frame = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const rows = useVirtualRows(frame, entries.length, printing ? PRINTED : undefined);
  const width = useAxisWidth(frame);
  const look = useMemo(() => ({ ...chosenSpan(choice, axis), width }), [choice, axis, width]);
  const positions = useMemo(() => new Map(entries.map((entry, position) => [nameOf(entry), position])), [entries]);
  const [hovered, setHovered] = useState<number>();
  const navigation = useNavigation(props, { frame, panel, positions, reveal: rows.reveal });
  const follow = usePanelPlace({ frame, panel, details, setDetails, lineOf: (row) => (positions.get(row) ?? -1) + 2 });
  const pointer = pointerHandlers(props, navigation, hovered, setHovered);

  useLayoutEffect(() => {
    setHovered(undefined);
    if (active === undefined || positions.has(active)) return;
    props.setActive(undefined);
    setDetails(undefined);
  }, [positions]);

  const { wanted } = props;
  useLayoutEffect(() => {
    if (wanted !== undefined) navigation.jump(wanted.row);
  }, [wanted]);

  const activeId = `${id}-active`;
  const shown = entries.slice(rows.first, rows.last);
  const activeShown = shown.some((entry) => nameOf(entry) === active);
  const drawn = useMemo(
    () => ({
      behind: <Behind load={load} look={look} />,
      lanes: <Lanes load={load} look={look} />,
      timeline: <Timeline load={load} look={look} onPick={(from, to) => onChoose({ zoom: zoomOn(from, to, axis) })} />,
    }),
    [load, look],
  );
  return (
    <>
      <div
        class="frame live"
        ref={frame}
        onScroll={() => {
          rows.look();
          follow();
          setHovered(undefined);
        }}
      >
        {/* One tab stop for the table; arrow keys move within it (aria-activedescendant). */}
        <div
          class="grid"
          role="treegrid"
          ref={grid}
          tabIndex={0}
          aria-label={`Requests of ${name}`}
          aria-rowcount={entries.length + 1}
          aria-activedescendant={activeShown ? activeId : undefined}
          onFocus={navigation.focus}
          onBlur={navigation.blur}
          onKeyDown={navigation.keyDown}
        >
          <TableHead
            sort={choice.sort}
            descending={choice.descending}
            onSort={(sort) => onChoose(sortedBy(choice, sort))}
          >
            {drawn.timeline}
          </TableHead>
          <div class="list" style={{ height: `${(printing ? shown : entries).length * rows.tall}px` }}>
            <div class="lines" role="rowgroup" style={{ top: `${rows.first * rows.tall}px` }} {...pointer}>
              <div class="behind" aria-hidden="true">
                {drawn.behind}
              </div>
              <Links
                load={load}
                choice={choice}
                look={look}
                subject={hovered ?? (typeof active === 'number' ? active : undefined)}
                yOf={(index) => {
                  const position = positions.get(index);
                  return position && (position - rows.first) * rows.tall + (isNarrow() ? 33 : rows.tall / 2);
                }}
              />
              {shown.map((entry) => (
                <Line
                  key={nameOf(entry)}
                  entry={entry}
                  look={look}
                  activeId={nameOf(entry) === active ? activeId : undefined}
                />
              ))}
            </div>
          </div>
        </div>
        {ordered.shown === 0 && (
          <p class="none">
            {load.rows.length === 0 ? 'No requests were recorded.' : 'No request passes these filters.'}
          </p>
        )}
        <FewOrAll {...{ load, choice, onChoose }} />
        {printing && entries.length > PRINTED && (
          <p class="beyond">and {formatCount(entries.length - PRINTED, 'more request')}</p>
        )}
        {drawn.lanes}
      </div>
      <DetailPanel
        panel={panel}
        load={load}
        row={load.rows[details?.row ?? -1]}
        pinned={details?.pinned === true}
        brief={details !== undefined && !details.pinned && !details.asked}
        hash={hashOf(id, load.run, details?.row ?? 0)}
        onClose={navigation.leave}
        onJump={navigation.jump}
      />
    </>
  );
}

/** Shows all rows, or the first ones again. */
function FewOrAll({
  load: { rows },
  choice,
  onChoose,
}: Pick<LiveTableProps, 'load' | 'choice' | 'onChoose'>): JSX.Element | undefined {
  const isEver = useMemo(() => firstRows(rows).length < rows.length, [rows]);
  if (!isEver || isArranged(choice)) return undefined;
  return (
    <p class="few-or-all">
      <button type="button" onClick={() => onChoose({ few: !choice.few })}>
        {choice.few ? `Show all ${formatCount(rows.length, 'request')}` : 'Show the most important only'}
      </button>
    </p>
  );
}

/** A line of the table. It is drawn again only when it has to look different: most lines stay when the list moves. */
class Line extends Component<{
  readonly entry: Entry;
  readonly look: Look;
  readonly activeId: string | undefined;
}> {
  override shouldComponentUpdate(next: Readonly<Line['props']>): boolean {
    const { entry, look, activeId } = this.props;
    return next.entry !== entry || next.look !== look || next.activeId !== activeId;
  }

  override render(): JSX.Element {
    const { entry, look, activeId } = this.props;
    return entry.row === undefined ? (
      <GroupRow group={entry.group} place={entry} look={look} activeId={activeId} />
    ) : (
      <Row row={entry.row} place={entry} look={look} activeId={activeId} />
    );
  }
}

/** How wide the scale is, px. */
function useAxisWidth(frame: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const scale = frame.current?.querySelector('.timeline');
    if (!scale) return undefined;
    const measure = (): void => setWidth(scale.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(scale);
    return () => observer.disconnect();
  }, []);
  return width;
}

/** True while the page is on its way to paper. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(() => matchMedia('print').matches);
  useLayoutEffect(() => {
    const over = new AbortController();
    const { signal } = over;
    addEventListener('beforeprint', () => setPrinting(true), { signal });
    addEventListener('afterprint', () => setPrinting(false), { signal });
    const paper = matchMedia('print');
    paper.addEventListener('change', () => setPrinting(paper.matches), { signal });
    return () => over.abort();
  }, []);
  return printing;
}
