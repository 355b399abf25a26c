import type { NumberFormat } from '../format.ts';
import type { placeLabels } from './geometry.ts';
import type { Island, IslandRow } from './island.ts';

/**
 * What makes the report answer to mouse and keyboard.
 *
 * The report is one file without a build step of its own: this function is written into it with
 * `Function.prototype.toString`. Type checker, linter and tests see it as ordinary code that way, and no bundler stands
 * between source and report. It may therefore use nothing from outside itself but types, the browser and its arguments
 * (which travel the same road), and no syntax that a compiler would replace by a helper kept elsewhere.
 */
export function client(
  format: NumberFormat,
  place: typeof placeLabels,
  phases: readonly string[],
  groups: readonly string[],
): void {
  const OPEN = 1;
  const FAILED = 2;
  const SAFE = 4;
  const BACKGROUND = 8;
  /** As in the style sheet: below it rows have two lines and the panel is a sheet at the foot. */
  const narrow = matchMedia('(max-width: 45rem)');

  interface Filter {
    readonly types: Set<string>;
    mode: string;
    text: string;
    near: boolean;
  }
  interface View {
    readonly element: HTMLElement;
    readonly list: HTMLElement;
    readonly rows: readonly HTMLElement[];
    readonly positions: ReadonlyMap<Element, number>;
    readonly island: () => Island;
    refresh(): void;
  }

  const one = <T extends Element = HTMLElement>(within: ParentNode, selector: string): T | undefined =>
    within.querySelector<T>(selector) ?? undefined;
  const all = <T extends Element = HTMLElement>(within: ParentNode, selector: string): T[] =>
    Array.from(within.querySelectorAll<T>(selector));
  const make = (name: string, className: string, ...children: (Node | string)[]): HTMLElement => {
    const element = document.createElement(name);
    if (className !== '') element.className = className;
    element.append(...children);
    return element;
  };

  // ── The panel ────────────────────────────────────────────────────────────────────────────────────────────────────

  const panel = make('aside', 'panel');
  panel.hidden = true;
  panel.id = 'detail';
  panel.setAttribute('aria-label', 'Request');
  const body = make('div', 'panel-body');
  body.setAttribute('aria-live', 'polite');
  const close = make('button', 'panel-close', '×');
  close.setAttribute('type', 'button');
  close.setAttribute('aria-label', 'Close');
  panel.append(close, body);
  document.body.append(panel);

  let pinned = false;
  /** The row that the panel speaks of, and whether the keyboard brought it there. */
  let subject: { row: HTMLElement; byKeys: boolean } | undefined;
  let active: { view: View; row: HTMLElement } | undefined;

  const pairs = (className: string, rows: readonly (readonly [string, Node | string])[]): HTMLElement => {
    const list = make('dl', className);
    for (const [term, value] of rows) list.append(make('div', '', make('dt', '', term), make('dd', '', value)));
    return list;
  };

  const timings = (row: IslandRow): HTMLElement => {
    const steps = row[20];
    const lines: (readonly [string, Node | string])[] = [];
    for (let i = 0; i + 2 < steps.length; i += 3) {
      const phase = steps[i] ?? 0;
      const from = steps[i + 1] ?? 0;
      const to = steps[i + 2] ?? from;
      if (to <= from) continue;
      const label = make('span', `swatch s${phase}`, format.value(to - from, 'ms'));
      lines.push([phases[phase] ?? '', label]);
    }
    const whole = format.value(row[3] - row[2], 'ms');
    lines.push(['in all', row[1] & OPEN ? `${whole} and still open` : whole]);
    return pairs('panel-times', lines);
  };

  const fill = (island: Island, row: IslandRow): void => {
    const word = (index: number): string => island.words[index] ?? '';
    const [url, flags, startedAt, , status, , method, type, mime, protocol, cache, priority, initiator, outcome] = row;
    const address: HTMLElement = flags & SAFE ? make('a', 'panel-url', url) : make('span', 'panel-url', url);
    if (address instanceof HTMLAnchorElement) {
      address.href = url;
      address.rel = 'noopener noreferrer';
      address.target = '_blank';
      address.referrerPolicy = 'no-referrer';
    }
    address.dir = 'ltr';

    const facts: (readonly [string, Node | string])[] = [
      ['status', [status > 0 ? String(status) : '', word(outcome)].filter((part) => part !== '').join(' · ') || '–'],
      ['type', [word(type), word(mime)].filter((part) => part !== '').join(' · ')],
      ['started', format.value(startedAt, 'ms')],
    ];
    const transfer = row[17];
    const sizes = `${format.value(transfer ?? undefined, 'bytes')} on the wire, ${format.value(row[18], 'bytes')} decoded`;
    facts.push(['size', sizes]);
    if (row[19] > 1) facts.push(['arrived in', `${format.value(row[19], 'count')} pieces`]);
    const via = [word(protocol), word(cache)].filter((part) => part !== '');
    if (via.length > 0) facts.push(['via', via.join(' · ')]);
    if (word(priority) !== '') facts.push(['priority', word(priority)]);
    if (word(initiator) !== '') facts.push(['initiator', word(initiator)]);

    const head = make('p', 'panel-head', make('b', '', word(method)), ' ', address);
    const parts: Node[] = [head];
    if (flags & BACKGROUND) {
      const sure = word(row[16]) === '' ? '' : ` (${word(row[16])})`;
      const counts = row[21] === null ? '' : `; counts until ${format.value(row[21], 'ms')}`;
      parts.push(make('p', 'panel-because', make('b', 'kind', word(row[14])), ` ${word(row[15])}${sure}${counts}`));
    }
    parts.push(timings(row), pairs('panel-facts', facts));
    panel.classList.toggle('bad', (flags & FAILED) !== 0);
    body.replaceChildren(...parts);
  };

  const anchor = (row: HTMLElement, x: number): void => {
    if (narrow.matches) {
      panel.style.removeProperty('left');
      panel.style.removeProperty('top');
      return;
    }
    const box = row.getBoundingClientRect();
    const width = panel.offsetWidth;
    const height = panel.offsetHeight;
    const below = box.bottom + 8;
    const top = below + height <= innerHeight - 8 ? below : Math.max(8, box.top - height - 8);
    panel.style.left = `${Math.max(8, Math.min(x, document.documentElement.clientWidth - width - 16))}px`;
    panel.style.top = `${top}px`;
  };

  const hide = (): void => {
    panel.hidden = true;
    pinned = false;
    panel.classList.remove('pinned');
  };

  const show = (view: View, row: HTMLElement, x: number, byKeys: boolean): void => {
    const position = view.positions.get(row) ?? -1;
    const island = view.island();
    const values = island.rows[position];
    if (values === undefined) return;
    // The panel says all that the browser's own tooltip would, which would lie on top of it.
    row.removeAttribute('title');
    fill(island, values);
    subject = { row, byKeys };
    panel.hidden = false;
    anchor(row, x);
    // The sheet at the foot must not lie over the row that it speaks of.
    const covered = row.getBoundingClientRect().bottom + 12 - panel.getBoundingClientRect().top;
    if (narrow.matches && covered > 0) scrollBy(0, covered);
  };

  const activate = (view: View, row: HTMLElement | undefined): void => {
    if (active !== undefined) {
      active.row.classList.remove('active');
      active.row.removeAttribute('id');
      active.row.removeAttribute('aria-selected');
      active.view.list.removeAttribute('aria-activedescendant');
    }
    active = row === undefined ? undefined : { view, row };
    if (row === undefined) return;
    row.classList.add('active');
    row.id = 'active-row';
    row.setAttribute('aria-selected', 'true');
    view.list.setAttribute('aria-activedescendant', row.id);
  };

  const pin = (): void => {
    pinned = true;
    panel.classList.add('pinned');
  };

  /** Where the pointer was when the cross took the panel away; what comes to lie under it was not asked for. */
  let resting: { x: number; y: number } | undefined;
  close.addEventListener('click', (event) => {
    resting = { x: event.clientX, y: event.clientY };
    const list = active?.view.list;
    hide();
    list?.focus({ preventScroll: true });
    hide();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !panel.hidden) hide();
  });
  /** A panel that was asked for goes along with its row; one that only follows the mouse would stand beside a wrong one. */
  const follow = (): void => {
    if (panel.hidden || subject === undefined) return;
    if (pinned || subject.byKeys) anchor(subject.row, panel.getBoundingClientRect().left);
    else hide();
  };
  addEventListener('scroll', follow);

  // ── One waterfall ────────────────────────────────────────────────────────────────────────────────────────────────

  /** `changed` redraws whatever shares the filter. */
  const open = (element: HTMLElement, filter: Filter, chosen: boolean, changed: () => void): View | undefined => {
    const list = one(element, '[role=listbox]');
    const source = document.getElementById(element.dataset.island ?? '');
    if (list === undefined || source === null) return undefined;

    const rows = all(element, '.r');
    const blocks = all(element, '.block').map((block) => ({ block, rows: all(block, '.r') }));
    const positions = new Map(rows.map((row, index) => [row as Element, index]));
    let parsed: Island | undefined;
    const island = (): Island => {
      parsed ??= JSON.parse(source.textContent ?? '') as Island;
      return parsed;
    };

    const labels = (): void => {
      const drawing = one<SVGSVGElement>(element, '.labels');
      const frame = drawing?.parentElement;
      if (drawing === undefined || frame === null || frame === undefined) return;
      const full = drawing.clientWidth;
      const seen = frame.clientWidth;
      const marks = all<SVGGElement>(drawing, '.mark').map((mark) => {
        const text = one<SVGTextElement>(mark, 'text');
        const at = Number(mark.dataset.at) * full;
        return { mark, text, at, width: (text?.getComputedTextLength() ?? 0) + 12 };
      });
      const shown = marks.filter(({ at }) => at <= seen + 1);
      const places = place(shown, seen);
      let lanes = 1;
      for (const { mark } of marks) mark.classList.add('gone');
      shown.forEach(({ mark, text }, index) => {
        const { lane, toLeft } = places[index] ?? { lane: 0, toLeft: false };
        lanes = Math.max(lanes, lane + 1);
        mark.classList.remove('gone');
        text?.setAttribute('y', String(lane * 17 + 13));
        text?.setAttribute('dx', toLeft ? '-5' : '5');
        text?.setAttribute('text-anchor', toLeft ? 'end' : 'start');
        one(mark, 'line')?.setAttribute('y1', String(lane * 17 + 2));
      });
      drawing.setAttribute('height', String(lanes * 17 + 4));
    };

    const refresh = (): void => {
      const filtering = filter.types.size > 0 || filter.mode !== 'all' || filter.text !== '';
      const wanted = filter.text.toLowerCase();
      const values = filtering ? island().rows : [];
      const words = filtering ? island().words : [];
      let shown = 0;
      let position = 0;
      for (const { block, rows: members } of blocks) {
        let kept = 0;
        for (const row of members) {
          const value = values[position++];
          const keep =
            value === undefined ||
            ((filter.types.size === 0 || filter.types.has(groups[value[5]] ?? '')) &&
              (filter.mode === 'all' || (filter.mode === 'only') === ((value[1] & BACKGROUND) !== 0)) &&
              (wanted === '' ||
                value[0].toLowerCase().includes(wanted) ||
                (words[value[14]] ?? '').toLowerCase().includes(wanted)));
          if (row.hidden === keep) row.hidden = !keep;
          if (keep) kept++;
        }
        shown += kept;
        block.hidden = kept === 0;
        // A block off the screen is not laid out. `contain-intrinsic-size` would let it remember how tall it once was.
        block.style.setProperty('--rows', String(kept));
      }
      const count = one(element, '.shown');
      const total = format.value(rows.length, 'count');
      if (count !== undefined) {
        count.textContent =
          shown === rows.length ? `${total} requests` : `${format.value(shown, 'count')} of ${total} requests`;
      }
      const none = one(element, '.none');
      if (none !== undefined) none.hidden = shown > 0;

      for (const button of all(element, 'button[data-type]')) {
        const type = button.dataset.type ?? '';
        button.setAttribute('aria-pressed', String(type === 'all' ? filter.types.size === 0 : filter.types.has(type)));
      }
      for (const button of all(element, 'button[data-mode]')) {
        button.setAttribute('aria-pressed', String(button.dataset.mode === filter.mode));
      }
      for (const button of all(element, 'button[data-near]')) {
        button.setAttribute('aria-pressed', String((button.dataset.near === 'yes') === filter.near));
      }
      const input = one<HTMLInputElement>(element, 'input[type=search]');
      if (input !== undefined && input.value !== filter.text) input.value = filter.text;
      const zoom = filter.near ? Number(element.dataset.zoom ?? 1) : 1;
      element.style.setProperty('--zoom', String(zoom));
      element.classList.toggle('near', zoom > 1);
      if (active?.row.hidden) {
        activate(active.view, undefined);
        hide();
      }
      labels();
    };

    const view: View = { element, list, rows, positions, island, refresh };
    for (const tools of all(element, '.tools')) tools.hidden = false;
    // The chooser names the run already.
    for (const which of all(element, '.which')) which.hidden = chosen;

    const rowOf = (event: Event): HTMLElement | undefined => {
      const target = event.target;
      return target instanceof Element ? (target.closest<HTMLElement>('.r') ?? undefined) : undefined;
    };
    // For the keyboard there is no pointer to stand beside: at the right, where most bars have ended.
    const aside = Number.MAX_SAFE_INTEGER;

    list.addEventListener('pointerover', (event) => {
      const row = rowOf(event);
      if (row === undefined || pinned || event.pointerType !== 'mouse') return;
      // A click's place is in whole pixels, a pointer's is not.
      if (resting && Math.hypot(resting.x - event.clientX, resting.y - event.clientY) < 2) return;
      resting = undefined;
      show(view, row, event.clientX + 16, false);
    });
    list.addEventListener('pointerleave', (event) => {
      if (!pinned && event.pointerType === 'mouse') hide();
    });
    list.addEventListener('pointerdown', (event) => {
      // Before the list takes the focus, which would open its first row.
      const row = rowOf(event);
      if (row !== undefined) activate(view, row);
    });
    list.addEventListener('click', (event) => {
      const row = rowOf(event);
      if (row === undefined) return;
      activate(view, row);
      show(view, row, event.clientX + 16, false);
      pin();
    });
    list.addEventListener('focus', () => {
      if (active?.view !== view)
        activate(
          view,
          rows.find((row) => !row.hidden),
        );
      if (active !== undefined && !pinned && list.matches(':focus-visible')) show(view, active.row, aside, true);
    });
    list.addEventListener('blur', () => {
      if (!pinned) hide();
    });
    list.addEventListener('keydown', (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === 'Enter' || event.key === ' ') {
        if (active === undefined) return;
        event.preventDefault();
        show(view, active.row, aside, true);
        pin();
        return;
      }
      const steps: Readonly<Record<string, number>> = {
        ArrowDown: 1,
        ArrowUp: -1,
        PageDown: 20,
        PageUp: -20,
        Home: Number.NEGATIVE_INFINITY,
        End: Number.POSITIVE_INFINITY,
      };
      const step = steps[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const visible = rows.filter((row) => !row.hidden);
      const now = active?.view === view ? visible.indexOf(active.row) : -1;
      const next = visible[Math.max(0, Math.min(visible.length - 1, now + step))];
      if (next === undefined) return;
      activate(view, next);
      next.scrollIntoView({ block: 'nearest' });
      show(view, next, aside, true);
    });
    one(element, '.frame')?.addEventListener('scroll', follow);

    element.addEventListener('click', (event) => {
      const button = event.target instanceof Element ? event.target.closest<HTMLElement>('button') : null;
      if (button === null) return;
      const { type, mode, near } = button.dataset;
      if (type === 'all') filter.types.clear();
      else if (type !== undefined && !filter.types.delete(type)) filter.types.add(type);
      if (mode !== undefined) filter.mode = mode;
      if (near !== undefined) filter.near = near === 'yes';
      changed();
    });
    one<HTMLInputElement>(element, 'input[type=search]')?.addEventListener('input', (event) => {
      if (event.target instanceof HTMLInputElement) filter.text = event.target.value;
      changed();
    });
    return view;
  };

  // ── Pictures of the evidence ─────────────────────────────────────────────────────────────────────────────────────

  const links = all<HTMLAnchorElement>(document, 'a.picture');
  if (links.length > 0) {
    const viewer = document.createElement('dialog');
    viewer.className = 'viewer';
    viewer.setAttribute('aria-label', 'Picture');
    const image = document.createElement('img');
    const words = make('p', 'viewer-words');
    words.setAttribute('aria-live', 'polite');
    const whole = document.createElement('a');
    whole.textContent = 'Full size';
    const control = (label: string, sign: string): HTMLElement => {
      const button = make('button', '', sign);
      button.setAttribute('type', 'button');
      button.setAttribute('aria-label', label);
      return button;
    };
    const before = control('Previous picture', '←');
    const after = control('Next picture', '→');
    const leave = control('Close', '×');
    leave.className = 'viewer-close';
    const bar = make('div', 'viewer-bar', before, after, words, whole, leave);
    viewer.append(image, bar);
    document.body.append(viewer);

    let group: readonly HTMLAnchorElement[] = [];
    let at = 0;
    const look = (index: number): void => {
      at = (index + group.length) % group.length;
      const link = group[at];
      const small = link === undefined ? undefined : one<HTMLImageElement>(link, 'img');
      if (link === undefined || small === undefined) return;
      image.src = small.src;
      image.alt = small.alt;
      image.width = small.width;
      image.height = small.height;
      const caption = one(link.closest('figure') ?? link, 'figcaption');
      words.replaceChildren(...Array.from(caption?.cloneNode(true).childNodes ?? []));
      whole.href = link.href;
    };
    before.addEventListener('click', () => look(at - 1));
    after.addEventListener('click', () => look(at + 1));
    leave.addEventListener('click', () => viewer.close());
    viewer.addEventListener('click', (event) => {
      // The dialog's own box is all bar and picture: what is clicked of it itself is the ground around them.
      if (event.target === viewer) viewer.close();
    });
    viewer.addEventListener('keydown', (event) => {
      if (event.key === 'ArrowLeft') look(at - 1);
      if (event.key === 'ArrowRight') look(at + 1);
    });
    for (const link of links) {
      link.setAttribute('aria-haspopup', 'dialog');
      link.addEventListener('click', (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        group = all<HTMLAnchorElement>(link.closest('.pictures') ?? document, 'a.picture');
        before.hidden = group.length < 2;
        after.hidden = group.length < 2;
        look(group.indexOf(link));
        viewer.showModal();
      });
    }
  }

  // ── The runs of one target ───────────────────────────────────────────────────────────────────────────────────────

  /** Waterfalls that stand together, two builds of one page, are filtered and magnified together. */
  const alike = new Map<Element, { filter: Filter; redraw: (() => void)[] }>();
  for (const figure of all(document, '.waterfall')) {
    const key = figure.closest('[data-together]') ?? figure;
    const group = alike.get(key) ?? { filter: { types: new Set(), mode: 'all', text: '', near: true }, redraw: [] };
    alike.set(key, group);
    const { filter } = group;
    const changed = (): void => {
      for (const redraw of group.redraw) redraw();
    };
    const views = new Map<string, View>();
    const first = one(figure, '.run');
    if (first === undefined) continue;
    const chooser = one(figure, '.chooser');
    let shown = open(first, filter, chooser !== undefined, changed);
    if (shown === undefined) continue;
    views.set(first.dataset.run ?? '', shown);
    group.redraw.push(() => shown?.refresh());
    shown.refresh();

    const select = one<HTMLSelectElement>(figure, 'select');
    if (chooser !== undefined) chooser.hidden = false;
    select?.addEventListener('change', () => {
      hide();
      let next = views.get(select.value);
      if (next === undefined) {
        // With scripts on, what stands in <noscript> is text until it is asked for: other runs cost nothing to open.
        const stored = all(figure, 'noscript').find((candidate) => candidate.dataset.run === select.value);
        const holder = document.createElement('div');
        holder.innerHTML = stored?.textContent ?? '';
        const element = one(holder, '.run');
        if (element === undefined || shown === undefined) return;
        next = open(element, filter, true, changed);
        if (next === undefined) return;
        views.set(select.value, next);
      }
      if (active !== undefined) activate(active.view, undefined);
      shown?.element.replaceWith(next.element);
      shown = next;
      next.refresh();
    });
    let width = figure.clientWidth;
    new ResizeObserver(() => {
      if (figure.clientWidth === width) return;
      width = figure.clientWidth;
      shown?.refresh();
    }).observe(figure);
  }
}
