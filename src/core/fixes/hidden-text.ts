import type { Ms } from '../../model/units.ts';
import { isBlocking } from '../rendering/blocking.ts';
import { toMicroseconds } from '../time/time.ts';
import { type Fix, urlsOf } from './fix.ts';
import { familiesOf, fontsOf } from './fonts.ts';

/** For so long a browser hides text whose font has not come, ms. Source: CSS Fonts 4, `font-display`, "block period". */
const HIDDEN_AT_MOST_MS = 3_000;
/** Nobody misses text for less, ms. Source: 100 ms is what feels immediate (RAIL, https://web.dev/articles/rail). */
const WORTH_MS = 100;
/** Displays that hide text meanwhile; `auto` is `block` in all browsers. Source: as above. */
const HIDES: ReadonlySet<string> = new Set(['auto', 'block']);

/** Fonts that keep text from being seen. Page complete waits for the font in any case, so it is no sooner without. */
export const hiddenText: Fix = (load) => {
  const hiding = fontsOf(load).filter(({ display }) => HIDES.has(display));
  const waits = hiding.map((font) => {
    const { startedAt, broughtAt } = font.step;
    // What blocks the page hides all of it.
    const blocked = load.steps
      .filter((step) => step.broughtAt <= broughtAt && isBlocking(step.request, load.initiators))
      .reduce((latest, step) => Math.max(latest, step.broughtAt), startedAt);
    return { font, hidden: Math.min(broughtAt - blocked, HIDDEN_AT_MOST_MS) };
  });
  const long = waits.filter(({ hidden }) => hidden >= WORTH_MS).toSorted((a, b) => b.hidden - a.hidden);
  const [longest] = long;
  if (longest === undefined) return [];
  const fonts = long.map(({ font }) => font);
  const hidden: Ms = toMicroseconds(longest.hidden);
  return [
    {
      code: 'hidden-text',
      urls: urlsOf(fonts.map(({ step }) => step)),
      savesMs: 0,
      facts: { families: familiesOf(fonts), hidden },
    },
  ];
};
