import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { Details } from './panel.tsx';

/** As in the style sheet: below it rows have two lines, the bar in the second, and the panel is a sheet at the foot. */
export const isNarrow = (): boolean => matchMedia('(max-width: 45rem)').matches;

type SetDetails = (details: Details | undefined) => void;

/** Of all tables of a page one at a time shows details: this one did last. */
let lastShown: SetDetails | undefined;

/**
 * Keeps the panel beside its row, and closes it when its time is over. What comes back is for scrolling: the panel goes
 * where its row went.
 */
export function usePanelPlace(props: {
  readonly frame: RefObject<HTMLElement | null>;
  readonly panel: RefObject<HTMLElement | null>;
  readonly details: Details | undefined;
  readonly setDetails: SetDetails;
  /** The `aria-rowindex` of a row. */
  readonly lineOf: (row: number) => number;
}): () => void {
  const { frame, panel, details, setDetails, lineOf } = props;
  const rowElement = (): Element | undefined =>
    (details && frame.current?.querySelector(`.r[aria-rowindex="${lineOf(details.row)}"]`)) ?? undefined;
  const place = (): void => {
    const row = rowElement();
    if (panel.current !== null && row !== undefined) placePanel(panel.current, row, details?.x ?? 0);
  };
  const follow = (): void => {
    // One that only follows the mouse would stand beside a wrong row.
    if (details?.pinned === false && !details.asked) setDetails(undefined);
    else place();
  };
  useLayoutEffect(() => {
    if (details === undefined) return undefined;
    if (lastShown !== setDetails) lastShown?.(undefined);
    lastShown = setDetails;
    place();
    const over = new AbortController();
    const { signal } = over;
    addEventListener('scroll', follow, { signal });
    document.addEventListener(
      'keydown',
      ({ key }) => {
        if (key !== 'Escape') return;
        const within = panel.current?.contains(document.activeElement) === true;
        if (within) panel.current?.querySelector('button')?.click();
        else setDetails(undefined);
      },
      { signal },
    );
    return () => over.abort();
  });
  useLayoutEffect(() => {
    const row = rowElement();
    if (panel.current === null || row === undefined) return;
    panel.current.scrollTop = 0;
    // The sheet at the foot must not lie over the row that it speaks of.
    const covered = row.getBoundingClientRect().bottom + 12 - panel.current.getBoundingClientRect().top;
    if (isNarrow() && covered > 0) scrollBy(0, covered);
  }, [details?.row]);
  return follow;
}

function placePanel(panel: HTMLElement, row: Element, x: number): void {
  if (isNarrow()) {
    panel.style.removeProperty('left');
    panel.style.removeProperty('top');
    return;
  }
  const box = row.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = panel;
  const below = box.bottom + 8;
  const top = below + offsetHeight <= innerHeight - 8 ? below : Math.max(8, box.top - offsetHeight - 8);
  const right = document.documentElement.clientWidth - offsetWidth - 16;
  panel.style.left = `${Math.max(8, Math.min(x, right))}px`;
  panel.style.top = `${top}px`;
}
