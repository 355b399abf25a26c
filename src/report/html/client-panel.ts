import type { NumberFormat } from '../format.ts';
import type { shortName } from '../text.ts';
import type { Elements } from './client-elements.ts';
import type { ShownRow, ShownWaterfall } from './island-read.ts';

/** What a waterfall and its panel of details have to tell each other. */
export interface PanelHost {
  /** Where the keyboard goes when the panel closes. */
  readonly grid: HTMLElement;
  /** The panel stands in the document after this. */
  readonly frame: HTMLElement;
  readonly load: () => ShownWaterfall;
  /** The element of the row that the panel speaks of, while it exists. */
  readonly element: (index: number) => HTMLElement | undefined;
  /** Goes to a row. */
  readonly jump: (index: number) => void;
}

/** The panel with all that is known of one row. There is one in a page. */
export interface DetailPanel {
  /** Shows a row's details beside it, from `x` on; `asked`: by the keyboard, and not only by the mouse passing. */
  show(host: PanelHost, index: number, x: number, asked: boolean): void;
  /** Keeps it open. */
  pin(): void;
  isPinned(): boolean;
  hide(): void;
  /** Goes where its row went. */
  follow(): void;
  contains(node: EventTarget | null): boolean;
  /** True when it speaks of that row. */
  shows(row: ShownRow): boolean;
}

/** Makes the panel. Self-contained (see `client-elements.ts`). */
export function detailPanel(
  { make }: Elements,
  format: NumberFormat,
  phases: readonly string[],
  short: typeof shortName,
): DetailPanel {
  /** Most rows that are listed as asked for. */
  const LISTED = 5;
  /** As in the style sheet: below it rows have two lines and the panel is a sheet at the foot. */
  const narrow = matchMedia('(max-width: 45rem)');
  const panel = make('div', 'panel');
  panel.hidden = true;
  panel.id = 'detail';
  panel.setAttribute('role', 'group');
  panel.setAttribute('aria-label', 'Request');
  const body = make('div', 'panel-body');
  body.setAttribute('aria-live', 'polite');
  const close = make('button', 'panel-close', '×');
  close.setAttribute('type', 'button');
  close.setAttribute('aria-label', 'Close');
  panel.append(close, body);
  document.body.append(panel);

  let pinned = false;
  let subject: { host: PanelHost; index: number; asked: boolean } | undefined;

  const pairs = (className: string, rows: readonly (readonly [string, Node | string])[]): HTMLElement => {
    const list = make('dl', className);
    for (const [term, value] of rows) list.append(make('div', '', make('dt', '', term), make('dd', '', value)));
    return list;
  };

  const timings = (row: ShownRow): HTMLElement => {
    const lines = row.phases.map(({ name, from, to }): readonly [string, Node] => [
      phases[name] ?? '',
      make('span', `swatch s${name}`, format.value(to - from, 'ms')),
    ]);
    const whole = format.value(row.endsAt - row.startedAt, 'ms');
    return pairs('panel-times', [...lines, ['in all', row.open ? `${whole} and still open` : whole]]);
  };

  const jumpTo = (host: PanelHost, row: ShownRow): HTMLElement => {
    const button = make('button', 'jump', short(row.url).slice(0, 60).toWellFormed());
    button.setAttribute('type', 'button');
    button.dir = 'ltr';
    button.addEventListener('click', () => host.jump(row.index));
    return button;
  };

  const fill = (host: PanelHost, row: ShownRow): void => {
    const { background } = row;
    const address: HTMLElement = row.followed ? make('a', 'panel-url', row.url) : make('span', 'panel-url', row.url);
    if (address instanceof HTMLAnchorElement) {
      address.href = row.url;
      address.rel = 'noopener noreferrer';
      address.target = '_blank';
      address.referrerPolicy = 'no-referrer';
    }
    address.dir = 'ltr';

    const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');
    const facts: (readonly [string, Node | string])[] = [
      ['status', joined(String(row.status ?? ''), row.outcome) || '–'],
      ['type', joined(row.type, row.mimeType)],
      ['started', format.value(row.startedAt, 'ms')],
      [
        'size',
        `${format.value(row.transferSize, 'bytes')} on the wire, ${format.value(row.contentSize, 'bytes')} decoded`,
      ],
    ];
    if (row.pieces > 1) facts.push(['arrived in', `${format.value(row.pieces, 'count')} pieces`]);
    const via = joined(row.protocol, row.fromCache);
    if (via !== '') facts.push(['via', via]);
    if (row.priority !== '') facts.push(['priority', row.priority]);

    const load = host.load();
    const asker = row.initiatorRow === undefined ? undefined : load.rows[row.initiatorRow];
    if (row.initiator !== '' || asker !== undefined) {
      const named = make('span', '');
      if (asker !== undefined) named.append(jumpTo(host, asker), row.initiator === '' ? '' : ' · ');
      named.append(row.initiator);
      facts.push(['initiator', named]);
    }
    const asked = load.rows.filter((each) => each.initiatorRow === row.index);
    if (asked.length > 0) {
      const list = make('span', 'asked');
      for (const each of asked.slice(0, LISTED)) list.append(jumpTo(host, each), ' ');
      if (asked.length > LISTED) list.append(`and ${format.value(asked.length - LISTED, 'count')} more`);
      facts.push(['asked for', list]);
    }
    if (row.step !== undefined) {
      facts.push(['critical path', `◆ step ${row.step} of ${load.critical.length}`]);
    }

    const parts: Node[] = [make('p', 'panel-head', make('b', '', row.method), ' ', address)];
    if (background !== undefined) {
      const sure = background.confidence === '' ? '' : ` (${background.confidence})`;
      const counts =
        background.countsUntil === undefined ? '' : `; counts until ${format.value(background.countsUntil, 'ms')}`;
      const words = ` ${background.because}${sure}${counts}`;
      parts.push(make('p', 'panel-because', make('b', 'kind', background.kind), words));
    }
    parts.push(timings(row), pairs('panel-facts', facts));
    panel.classList.toggle('bad', row.failed);
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

  const leave = (): void => {
    const grid = subject?.host.grid;
    hide();
    // The grid shows the details of its active row when the keyboard comes to it.
    grid?.focus({ preventScroll: true });
    hide();
  };
  close.addEventListener('click', leave);
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || panel.hidden) return;
    if (panel.contains(document.activeElement)) leave();
    else hide();
  });

  return {
    show: (host, index, x, asked) => {
      const row = host.load().rows[index];
      const element = host.element(index);
      if (row === undefined || element === undefined) return;
      fill(host, row);
      subject = { host, index, asked };
      // Next to its waterfall in the document, so that Tab goes from a row into its details.
      if (panel.previousElementSibling !== host.frame) host.frame.after(panel);
      panel.hidden = false;
      panel.scrollTop = 0;
      anchor(element, x);
      // The sheet at the foot must not lie over the row that it speaks of.
      const covered = element.getBoundingClientRect().bottom + 12 - panel.getBoundingClientRect().top;
      if (narrow.matches && covered > 0) scrollBy(0, covered);
    },
    pin: () => {
      pinned = true;
      panel.classList.add('pinned');
    },
    isPinned: () => pinned,
    hide,
    follow: () => {
      if (panel.hidden || subject === undefined) return;
      const element = subject.host.element(subject.index);
      // One that only follows the mouse would stand beside a wrong row.
      if (!pinned && !subject.asked) hide();
      else if (element !== undefined) anchor(element, panel.getBoundingClientRect().left);
    },
    contains: (node) => node instanceof Node && panel.contains(node),
    shows: (row) => !panel.hidden && subject !== undefined && subject.host.load().rows[subject.index] === row,
  };
}
