import { formatTick, numberFormat } from '../format.ts';
import { elide, shortName } from '../text.ts';
import { axisDrawing } from './axis-sketch.ts';
import { barDrawing } from './bars.ts';
import type { Elements } from './client-elements.ts';
import { longList } from './client-list.ts';
import { detailPanel } from './client-panel.ts';
import { openWaterfall } from './client-waterfall.ts';
import { PHASES, percent, placeLabels, roomBeside, ticksWithin } from './geometry.ts';
import { GROUP_NAMES, ROW_MARKS } from './island.ts';
import { readIsland } from './island-read.ts';
import { linkPath } from './links.ts';
import { type Choice, orderRows } from './row-order.ts';
import { rowDrawing } from './row-sketch.ts';
import { sketch } from './sketch.tsx';

/** What waterfalls are made of, here and, by their sources, in the page. */
const FUNCTIONS = {
  axisDrawing,
  barDrawing,
  detailPanel,
  elide,
  formatTick,
  linkPath,
  longList,
  numberFormat,
  openWaterfall,
  orderRows,
  percent,
  placeLabels,
  readIsland,
  roomBeside,
  rowDrawing,
  shortName,
  sketch,
  ticksWithin,
};
const WORDS = { PHASES, GROUP_NAMES, ROW_MARKS };

/** Opens every waterfall of a page. Self-contained (see `client-elements.ts`). */
export function openWaterfalls(dom: Elements, made: typeof FUNCTIONS, words: typeof WORDS): void {
  const { sketch, elide, shortName } = made;
  const format = made.numberFormat();
  const tools = {
    ...made,
    dom,
    format,
    rows: made.rowDrawing(sketch, format, made.barDrawing(sketch), made, { elide, shortName }),
    axis: made.axisDrawing(sketch, format, made.formatTick, made),
    panel: made.detailPanel(dom, format, words.PHASES, shortName),
    groupNames: words.GROUP_NAMES,
    rowMarks: words.ROW_MARKS,
  };
  addEventListener('scroll', () => tools.panel.follow());

  /** Waterfalls that stand together, two builds of one page, show the same choice. */
  const alike = new Map<Element, { readonly choice: Choice; readonly redraw: (() => void)[] }>();
  for (const figure of dom.all(document, '.waterfall')) {
    const key = figure.closest('[data-together]') ?? figure;
    const choice: Choice = {
      types: new Set(),
      background: 'all',
      search: '',
      failed: false,
      critical: false,
      chain: false,
      group: 'none',
      folded: new Set(),
      sort: 'start',
      descending: false,
      zoom: 'load',
    };
    const group = alike.get(key) ?? { choice, redraw: [] };
    alike.set(key, group);
    const open = (): void => {
      const redraw = made.openWaterfall(tools, figure, group.choice, () => {
        for (const each of group.redraw) each();
      });
      if (redraw !== undefined) group.redraw.push(redraw);
    };
    if (figure.checkVisibility()) open();
    else {
      // In a page that is folded away: nothing is read before it is looked at.
      const folded = new ResizeObserver(() => {
        if (!figure.checkVisibility()) return;
        folded.disconnect();
        open();
      });
      folded.observe(figure);
    }
  }
}

/** The expression that opens the waterfalls in a page where `dom` is what `elements` returns. */
export function waterfallsScript(dom: string): string {
  const functions = Object.entries(FUNCTIONS).map(([name, written]) => `${name}:${written}`);
  return `(${openWaterfalls})(${dom},{${functions.join(',')}},${JSON.stringify(WORDS)});`;
}
