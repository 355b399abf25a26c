import type { NumberFormat } from '../format.ts';
import type { shortName } from '../text.ts';
import type { AxisDrawing } from './axis-sketch.ts';
import type { Elements } from './client-elements.ts';
import type { longList } from './client-list.ts';
import type { DetailPanel, PanelHost } from './client-panel.ts';
import type { Span } from './geometry.ts';
import type { RowMark } from './island.ts';
import type { readIsland, ShownRow, ShownWaterfall } from './island-read.ts';
import type { linkPath } from './links.ts';
import type { Choice, Entry, orderRows } from './row-order.ts';
import type { Look, RowDrawing } from './row-sketch.ts';

/** What a waterfall in the browser is made with. */
export interface WaterfallTools {
  readonly dom: Elements;
  readonly format: NumberFormat;
  readonly rows: RowDrawing;
  readonly axis: AxisDrawing;
  readonly panel: DetailPanel;
  readonly readIsland: typeof readIsland;
  readonly orderRows: typeof orderRows;
  readonly longList: typeof longList;
  readonly linkPath: typeof linkPath;
  readonly shortName: typeof shortName;
  readonly groupNames: Readonly<Record<string, string>>;
  readonly rowMarks: readonly (RowMark | '')[];
}

/**
 * Brings a waterfall to life: filters, groups, order, zoom, arrows, keyboard, and the choice of the run. `choice` may be
 * shared with other waterfalls; `changed` redraws them all. What comes back redraws this one. Self-contained (see
 * `client-elements.ts`).
 */
export function openWaterfall(
  tools: WaterfallTools,
  figure: HTMLElement,
  choice: Choice,
  changed: () => void,
): (() => void) | undefined {
  const { dom, format, panel } = tools;
  const { one, all, make, draw } = dom;
  /** Most rows that are printed. */
  const PRINTED = 2000;
  /** Most arrows from one row. */
  const ARROWS = 40;
  /** The closest look, ms. */
  const CLOSEST = 2;
  /** For the keyboard there is no pointer to stand beside: at the right, where most bars have ended. */
  const ASIDE = Number.MAX_SAFE_INTEGER;
  /** As in the style sheet: below it rows have two lines, the bar in the second. */
  const narrow = matchMedia('(max-width: 45rem)');
  const SVG = 'http://www.w3.org/2000/svg';

  const run = one(figure, '.run');
  const frame = one(figure, '.frame');
  const grid = one(figure, '.grid');
  const scale = one(figure, '.timeline');
  const behind = one(figure, '.behind');
  const rowsBox = one(figure, '.lines');
  const lanes = one(figure, '.tracks');
  if (!run || !frame || !grid || !scale || !behind || !rowsBox || !lanes) return undefined;

  const parsed = (id: string | undefined): unknown => JSON.parse(document.getElementById(id ?? '')?.textContent ?? '');
  const vocabulary = parsed(figure.dataset.words) as Parameters<typeof readIsland>[0];
  const loads = new Map<string, ShownWaterfall>();
  const read = (number: string): ShownWaterfall => {
    const known = loads.get(number);
    if (known !== undefined) return known;
    const island = parsed(`${figure.dataset.island}-run-${number}`) as Parameters<typeof readIsland>[1];
    const load = tools.readIsland(vocabulary, island, tools.rowMarks);
    loads.set(number, load);
    return load;
  };
  let load = read(run.dataset.run ?? '');
  const axisEnd = Number(figure.dataset.span);
  const near = figure.dataset.near === undefined ? undefined : Number(figure.dataset.near);

  // ── What is looked at ────────────────────────────────────────────────────────────────────────────────────────────

  let axisWidth = 0;
  const spanOf = (): Span => {
    if (choice.zoom === 'all' || (choice.zoom === 'load' && near === undefined)) return { from: 0, to: axisEnd };
    if (choice.zoom === 'load') return { from: 0, to: near ?? axisEnd };
    return choice.zoom;
  };
  const lookOf = (): Look => ({ ...spanOf(), width: axisWidth });
  const zoomTo = (from: number, to: number): void => {
    const length = Math.max(CLOSEST, Math.min(to - from, axisEnd));
    const start = Math.max(0, Math.min(from, axisEnd - length));
    if (length >= axisEnd) choice.zoom = 'all';
    else if (start === 0 && length === near) choice.zoom = 'load';
    else choice.zoom = { from: start, to: start + length };
    changed();
  };
  const zoom = (how: string): void => {
    const { from, to } = spanOf();
    const length = to - from;
    const row = typeof active === 'number' ? load.rows[active] : undefined;
    const middle =
      row !== undefined && row.startedAt >= from && row.startedAt <= to ? row.startedAt : from + length / 2;
    if (how === 'in') zoomTo(middle - (middle - from) / 2, middle + (to - middle) / 2);
    if (how === 'out') zoomTo(from - length / 2, to + length / 2);
    if (how === 'left') zoomTo(from - length / 4, to - length / 4);
    if (how === 'right') zoomTo(from + length / 4, to + length / 4);
  };

  const ruler = document.createElement('canvas').getContext('2d');
  const widthOf = (text: string): number => {
    const style = getComputedStyle(scale);
    if (ruler !== null) ruler.font = `550 11.5px ${style.fontFamily}`;
    return ruler?.measureText(text).width ?? text.length * 7;
  };
  const drawAxis = (): void => {
    const look = lookOf();
    scale.replaceChildren(...tools.axis.scale(load, look, widthOf).map(draw));
    behind.replaceChildren(draw(tools.axis.behind(load, look)));
    lanes.replaceChildren(...tools.axis.lanes(load, look).map(draw));
    lanes.hidden = lanes.childElementCount === 0;
  };

  // ── The lines ────────────────────────────────────────────────────────────────────────────────────────────────────

  let entries: readonly Entry[] = [];
  /** A row's index, or a group's key. */
  type Name = number | string;
  const nameOf = (entry: Entry): Name => entry.row?.index ?? (entry.row === undefined ? entry.group.key : -1);
  let positions: ReadonlyMap<Name, number> = new Map();
  let active: Name | undefined;
  let hovered: number | undefined;

  const made = (entry: Entry): HTMLElement => {
    const look = lookOf();
    return draw(
      entry.row === undefined ? tools.rows.group(entry.group, entry, look) : tools.rows.row(entry.row, entry, look),
    );
  };

  const links = document.createElementNS(SVG, 'svg');
  links.setAttribute('class', 'links');
  links.setAttribute('aria-hidden', 'true');
  rowsBox.append(links);

  /** Arrows to and from the row that is looked at, and the critical path. */
  const drawLinks = (): void => {
    const look = lookOf();
    const tall = list.tall();
    const endOf = (index: number | undefined) => {
      const row = index === undefined ? undefined : load.rows[index];
      const position = index === undefined ? undefined : positions.get(index);
      if (row === undefined || position === undefined) return undefined;
      const y = (position - list.first()) * tall + (narrow.matches ? 33 : tall / 2);
      return { y, startedAt: row.startedAt, endsAt: row.endsAt };
    };
    const arrow = (from: number | undefined, to: number | undefined): string => {
      const [a, b] = [endOf(from), endOf(to)];
      return a === undefined || b === undefined ? '' : tools.linkPath(a, b, look);
    };
    const path = (className: string, d: string): SVGPathElement => {
      const element = document.createElementNS(SVG, 'path');
      element.setAttribute('class', className);
      element.setAttribute('d', d);
      return element;
    };
    const subject = hovered ?? (typeof active === 'number' ? active : undefined);
    const drawn: SVGPathElement[] = [];
    if (choice.chain || choice.critical) {
      const chain = load.critical.map((index, i) => (i === 0 ? '' : arrow(load.critical[i - 1], index))).join('');
      drawn.push(path('chain', chain));
    }
    if (subject !== undefined) {
      const children = load.rows.filter((row) => row.initiatorRow === subject).slice(0, ARROWS);
      drawn.push(path('asked', children.map((row) => arrow(subject, row.index)).join('')));
      drawn.push(path('asker', arrow(load.rows[subject]?.initiatorRow, subject)));
    }
    links.replaceChildren(...drawn);
  };

  const mark = (): void => {
    for (const row of all(rowsBox, '.r.active')) {
      row.classList.remove('active');
      row.removeAttribute('id');
      row.removeAttribute('aria-selected');
    }
    const position = active === undefined ? undefined : positions.get(active);
    const element = position === undefined ? undefined : list.at(position);
    if (element === undefined) {
      grid.removeAttribute('aria-activedescendant');
      return;
    }
    element.classList.add('active');
    element.id = `${figure.dataset.island}-active`;
    element.setAttribute('aria-selected', 'true');
    grid.setAttribute('aria-activedescendant', element.id);
  };

  const list = tools.longList(dom, frame, made, () => {
    mark();
    drawLinks();
  });
  const activate = (name: Name | undefined): void => {
    active = name;
    mark();
    drawLinks();
  };

  // ── Tools ────────────────────────────────────────────────────────────────────────────────────────────────────────

  const press = (selector: string, isPressed: (button: HTMLElement) => boolean): void => {
    for (const button of all(run, selector)) button.setAttribute('aria-pressed', String(isPressed(button)));
  };
  const count = (selector: string, figureOf: (button: HTMLElement) => number): void => {
    for (const button of all(run, selector)) {
      const number = figureOf(button);
      const small = one(button, 'small');
      if (small !== undefined) small.textContent = format.value(number, 'count');
      button.hidden = number === 0 && button.getAttribute('aria-pressed') !== 'true';
    }
  };
  const preset = (selector: string, value: string): void => {
    const input = one<HTMLInputElement | HTMLSelectElement>(run, selector);
    if (input !== undefined && input.value !== value) input.value = value;
  };

  const drawTools = (shown: number, groups: number): void => {
    press('button[data-type]', ({ dataset: { type = '' } }) =>
      type === 'all' ? choice.types.size === 0 : choice.types.has(type),
    );
    press('button[data-mode]', ({ dataset }) => dataset.mode === choice.background);
    press('button[data-flag]', ({ dataset }) => choice[dataset.flag as 'failed' | 'critical' | 'chain']);
    press(
      'button[data-near]',
      ({ dataset }) => dataset.near === choice.zoom || (choice.zoom === 'load' && near === undefined),
    );
    const numberOf = (passes: (row: ShownRow) => boolean): number =>
      load.rows.reduce((sum, row) => sum + (passes(row) ? 1 : 0), 0);
    count('button[data-type]', ({ dataset: { type } }) => numberOf((row) => type === 'all' || row.group === type));
    count('button[data-mode=only]', () => numberOf((row) => row.background !== undefined));
    count('button[data-flag=failed]', () => numberOf((row) => row.failed));
    count('button[data-flag=chain]', () => load.critical.length);
    for (const button of all(run, 'button[data-flag=critical]')) button.hidden = load.critical.length === 0;
    preset('input[type=search]', choice.search);
    preset('select[name=group]', choice.group);
    preset('select[name=sort]', choice.sort);
    for (const each of all(run, '.folds')) each.hidden = groups === 0;
    for (const each of all(run, 'button[data-turn]')) {
      each.textContent = choice.descending ? '↓' : '↑';
      each.setAttribute('aria-label', choice.descending ? 'Descending' : 'Ascending');
    }
    for (const head of all(grid, '[role=columnheader]')) {
      const own = (head.dataset.sorts ?? '').split(' ').includes(choice.sort);
      if (head.dataset.sorts === undefined) continue;
      head.setAttribute('aria-sort', own ? (choice.descending ? 'descending' : 'ascending') : 'none');
    }
    const { from, to } = spanOf();
    for (const each of all(run, 'button[data-zoom]')) {
      const ends: Readonly<Record<string, boolean>> = {
        in: to - from <= CLOSEST,
        out: choice.zoom === 'all',
        left: from <= 0,
        right: to >= axisEnd,
      };
      each.setAttribute('aria-disabled', String(ends[each.dataset.zoom ?? ''] ?? false));
    }
    const told = one(run, '.shown');
    const total = format.value(load.rows.length, 'count');
    if (told !== undefined) {
      told.textContent =
        shown === load.rows.length ? `${total} requests` : `${format.value(shown, 'count')} of ${total} requests`;
    }
    const none = one(run, '.none');
    if (none !== undefined) {
      none.hidden = shown > 0;
      none.textContent = load.rows.length === 0 ? 'No requests were recorded.' : 'No request passes these filters.';
    }
    const touched =
      choice.types.size > 0 ||
      choice.background !== 'all' ||
      choice.search !== '' ||
      choice.failed ||
      choice.critical ||
      choice.chain ||
      choice.group !== 'none' ||
      choice.sort !== 'start' ||
      choice.descending ||
      choice.zoom !== 'load';
    for (const button of all(run, 'button[data-reset]')) button.classList.toggle('idle', !touched);
  };
  const clearFilters = (): void => {
    choice.types.clear();
    choice.background = 'all';
    choice.search = '';
    choice.failed = false;
    choice.critical = false;
  };

  const redraw = (): void => {
    const ordered = tools.orderRows(load.rows, choice, tools.groupNames, tools.shortName);
    entries = ordered.entries;
    positions = new Map(entries.map((entry, position) => [nameOf(entry), position]));
    if (active !== undefined && !positions.has(active)) {
      active = undefined;
      panel.hide();
    }
    hovered = undefined;
    axisWidth = scale.clientWidth;
    grid.setAttribute('aria-rowcount', String(entries.length + 1));
    drawAxis();
    drawTools(ordered.shown, ordered.groups.length);
    list.fill(entries);
  };

  const jump = (index: number): void => {
    if (!positions.has(index)) {
      choice.folded.clear();
      changed();
    }
    if (!positions.has(index)) {
      clearFilters();
      changed();
    }
    go(positions.get(index) ?? 0);
    panel.pin();
  };
  const host: PanelHost = {
    grid,
    frame,
    load: () => load,
    element: (index) => list.at(positions.get(index) ?? -1),
    jump: (index) => {
      jump(index);
      grid.focus({ preventScroll: true });
    },
  };

  /** Goes to a line, as the keyboard does. */
  const go = (position: number): void => {
    const entry = entries[Math.max(0, Math.min(entries.length - 1, position))];
    if (entry === undefined) return;
    active = nameOf(entry);
    list.reveal(positions.get(active) ?? 0);
    mark();
    drawLinks();
    if (entry.row !== undefined) panel.show(host, entry.row.index, ASIDE, true);
    else panel.hide();
  };
  const fold = (key: string, folded: boolean): void => {
    if (folded) choice.folded.add(key);
    else choice.folded.delete(key);
    changed();
  };

  // ── Mouse ────────────────────────────────────────────────────────────────────────────────────────────────────────

  const entryAt = (event: Event): Entry | undefined => entries[list.positionOf(event.target)];
  // Rows that come to lie under a resting mouse, by scrolling or because the panel closed, were not asked for.
  rowsBox.addEventListener('pointermove', (event) => {
    if (event.pointerType !== 'mouse') return;
    const row = entryAt(event)?.row;
    if (row?.index !== hovered) {
      hovered = row?.index;
      drawLinks();
    }
    if (panel.isPinned()) return;
    if (row === undefined) panel.hide();
    else if (!panel.shows(row)) panel.show(host, row.index, event.clientX + 16, false);
  });
  rowsBox.addEventListener('pointerleave', (event) => {
    hovered = undefined;
    drawLinks();
    if (!panel.isPinned() && event.pointerType === 'mouse') panel.hide();
  });
  rowsBox.addEventListener('pointerdown', (event) => {
    // Before the grid takes the focus, which would open its first row.
    const entry = entryAt(event);
    if (entry !== undefined) activate(nameOf(entry));
  });
  rowsBox.addEventListener('click', (event) => {
    const entry = entryAt(event);
    if (entry === undefined) return;
    activate(nameOf(entry));
    if (entry.row === undefined) {
      fold(entry.group.key, !entry.group.folded);
      return;
    }
    panel.show(host, entry.row.index, event.clientX + 16, false);
    panel.pin();
  });
  frame.addEventListener('scroll', () => {
    panel.follow();
    if (hovered === undefined) return;
    hovered = undefined;
    drawLinks();
  });

  // A part of the scale that is drawn over with the mouse is looked at closely.
  scale.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    const box = scale.getBoundingClientRect();
    const at = (x: number): number => Math.max(0, Math.min(x - box.left, box.width));
    const from = at(event.clientX);
    let to = from;
    const picked = make('div', 'picked');
    const over = new AbortController();
    const end = (take: boolean): void => {
      over.abort();
      picked.remove();
      const { from: start, to: finish } = spanOf();
      const unit = (finish - start) / box.width;
      // A click is not a choice.
      if (take && Math.abs(to - from) > 5) zoomTo(start + Math.min(from, to) * unit, start + Math.max(from, to) * unit);
    };
    scale.setPointerCapture(event.pointerId);
    const { signal } = over;
    scale.addEventListener(
      'pointermove',
      (moved) => {
        to = at(moved.clientX);
        picked.style.left = `${Math.min(from, to)}px`;
        picked.style.width = `${Math.abs(to - from)}px`;
        scale.append(picked);
      },
      { signal },
    );
    scale.addEventListener('pointerup', () => end(true), { signal });
    scale.addEventListener('pointercancel', () => end(false), { signal });
  });

  // ── Keyboard ─────────────────────────────────────────────────────────────────────────────────────────────────────

  grid.addEventListener('focus', () => {
    if (active === undefined && entries[0] !== undefined) activate(nameOf(entries[0]));
    if (!panel.isPinned() && grid.matches(':focus-visible')) go(positions.get(active ?? -1) ?? 0);
  });
  grid.addEventListener('blur', (event) => {
    if (panel.contains(event.relatedTarget)) panel.pin();
    else if (!panel.isPinned()) panel.hide();
  });
  grid.addEventListener('keydown', (event) => {
    if (event.target !== grid || event.altKey || event.ctrlKey || event.metaKey) return;
    const now = positions.get(active ?? -1) ?? -1;
    const entry = entries[now];
    const { key } = event;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 20,
      PageUp: -20,
      Home: Number.NEGATIVE_INFINITY,
      End: Number.POSITIVE_INFINITY,
    };
    const step = steps[key];
    const zooms: Readonly<Record<string, string>> = { '+': 'in', '=': 'in', '-': 'out', '−': 'out' };
    const how =
      event.shiftKey && key === 'ArrowLeft' ? 'left' : event.shiftKey && key === 'ArrowRight' ? 'right' : zooms[key];
    if (step !== undefined) go(now + step);
    else if (how !== undefined) zoom(how);
    else if (key === '0') zoomTo(0, near ?? axisEnd);
    else if (entry === undefined) return;
    else if (key === 'Enter' || key === ' ') {
      if (entry.row === undefined) fold(entry.group.key, !entry.group.folded);
      else {
        go(now);
        panel.pin();
      }
    } else if (key === 'ArrowLeft') {
      if (entry.row === undefined) fold(entry.group.key, true);
      else if (entry.level > 1) go(now - entry.position);
    } else if (key === 'ArrowRight') {
      if (entry.row !== undefined) return;
      if (entry.group.folded) fold(entry.group.key, false);
      else go(now + 1);
    } else return;
    event.preventDefault();
  });

  // ── What the tools do ────────────────────────────────────────────────────────────────────────────────────────────

  const sortBy = (sort: Choice['sort']): void => {
    // What is long and what is large is looked for first.
    choice.descending = choice.sort === sort ? !choice.descending : sort === 'duration' || sort === 'size';
    choice.sort = sort;
    changed();
  };
  run.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('button') : null;
    if (button === null || panel.contains(button)) return;
    const { type, mode, flag, near: whole, zoom: how, sort, fold: folds, turn, reset, more } = button.dataset;
    if (more !== undefined) {
      const open = one(run, '.tools')?.classList.toggle('open') === true;
      button.setAttribute('aria-expanded', String(open));
      return;
    }
    if (sort !== undefined) return sortBy(sort as Choice['sort']);
    if (how !== undefined) return zoom(how);
    if (type === 'all') choice.types.clear();
    else if (type !== undefined && !choice.types.delete(type)) choice.types.add(type);
    if (mode !== undefined) choice.background = mode as Choice['background'];
    if (flag !== undefined)
      choice[flag as 'failed' | 'critical' | 'chain'] = button.getAttribute('aria-pressed') !== 'true';
    if (whole !== undefined) choice.zoom = whole as 'load' | 'all';
    if (turn !== undefined) choice.descending = !choice.descending;
    if (folds !== undefined) {
      choice.folded.clear();
      const { groups } = tools.orderRows(load.rows, choice, tools.groupNames, tools.shortName);
      if (folds === 'all') for (const { key } of groups) choice.folded.add(key);
    }
    if (reset !== undefined) {
      clearFilters();
      Object.assign(choice, { chain: false, group: 'none', sort: 'start', descending: false, zoom: 'load' });
      choice.folded.clear();
      // The button cannot be seen now.
      grid.focus({ preventScroll: true });
      panel.hide();
    }
    changed();
  });
  run.addEventListener('input', (event) => {
    const input = event.target;
    if (input instanceof HTMLInputElement && input.type === 'search') choice.search = input.value;
    else if (input instanceof HTMLSelectElement && input.name === 'group')
      choice.group = input.value as Choice['group'];
    else if (input instanceof HTMLSelectElement && input.name === 'sort') return sortBy(input.value as Choice['sort']);
    else return;
    changed();
  });

  const select = one<HTMLSelectElement>(figure, '.chooser select');
  const turnTo = (number: string): void => {
    panel.hide();
    active = undefined;
    load = read(number);
    run.dataset.run = number;
    const name = select?.selectedOptions[0]?.textContent;
    if (name) grid.setAttribute('aria-label', `Requests of ${name}`);
    frame.scrollTop = 0;
    redraw();
    ends();
  };
  const ends = (): void => {
    if (select === undefined) return;
    const last = select.options.length - 1;
    for (const button of all(figure, '.chooser button')) {
      const stop = button.dataset.step === '-1' ? 0 : last;
      button.setAttribute('aria-disabled', String(select.selectedIndex === stop));
    }
  };
  select?.addEventListener('change', () => turnTo(select.value));
  for (const button of all(figure, '.chooser button')) {
    button.addEventListener('click', () => {
      if (select === undefined || button.getAttribute('aria-disabled') === 'true') return;
      select.selectedIndex += Number(button.dataset.step);
      turnTo(select.value);
    });
  }
  for (const each of all(figure, '.chooser, .tools')) each.hidden = false;
  // How it is used stands once, under all that stand together.
  const keys = one(figure.parentElement ?? figure, ':scope > .keys');
  if (keys !== undefined) keys.hidden = false;
  ends();
  // The chooser names the run already.
  for (const which of all(figure, '.which')) which.hidden = select !== undefined;
  grid.tabIndex = 0;

  // ── Paper, and other widths ──────────────────────────────────────────────────────────────────────────────────────

  const rest = one(run, '.beyond');
  const paper = matchMedia('print');
  const print = (on: boolean): void => {
    list.unroll(on ? PRINTED : undefined);
    const more = entries.length - PRINTED;
    if (rest === undefined) return;
    rest.hidden = !on || more <= 0;
    rest.textContent = `and ${format.value(more, 'count')} more requests`;
  };
  if (rest !== undefined) rest.hidden = true;
  addEventListener('beforeprint', () => print(true));
  addEventListener('afterprint', () => print(false));
  paper.addEventListener('change', () => print(paper.matches));

  new ResizeObserver(() => {
    if (scale.clientWidth !== axisWidth) redraw();
  }).observe(scale);
  redraw();
  if (paper.matches) print(true);
  return redraw;
}
