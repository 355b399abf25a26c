import type { JSX } from 'preact';
import type { Waterfall } from '../../../model/result/report.ts';
import { PHASES } from './geometry.ts';

/** What the colours and signs of some waterfalls mean. */
export function WaterfallLegend({ waterfalls }: { readonly waterfalls: readonly Waterfall[] }): JSX.Element {
  const flagged = waterfalls.flatMap((waterfall) => waterfall.rows.flatMap((row) => row.background ?? []));
  const background = flagged.length > 0;
  const parted = flagged.some((each) => each.countsUntil !== undefined);
  const critical = waterfalls.some((waterfall) => (waterfall.critical ?? []).length > 0);
  const raw = waterfalls.some((waterfall) => waterfall.raw?.at !== undefined);
  return (
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
      {critical && (
        <li>
          <span class="diamond" aria-hidden="true">
            ◆
          </span>
          on the critical path
        </li>
      )}
      {raw && (
        <li class="m-raw">
          <svg viewBox="0 0 22 14" aria-hidden="true">
            <path d="M11 0v14" />
          </svg>
          network idle
        </li>
      )}
    </ul>
  );
}

/** How a waterfall is used from the keyboard. */
export function WaterfallKeys(): JSX.Element {
  return (
    <p class="keys" hidden>
      <kbd>↑</kbd> <kbd>↓</kbd> move through the requests, <kbd>Enter</kbd> or a click keeps the details open,{' '}
      <kbd>Tab</kbd> goes into them, <kbd>Esc</kbd> closes them. <kbd>←</kbd> <kbd>→</kbd> fold and unfold groups,{' '}
      <kbd>+</kbd> <kbd>−</kbd> or a drag on the time scale zooms, <kbd>Shift</kbd> <kbd>←</kbd> <kbd>→</kbd> pan.
    </p>
  );
}
