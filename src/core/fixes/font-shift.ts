import { type Fix, urlsOf } from './fix.ts';
import { familiesOf, fontsOf } from './fonts.ts';
import type { Load } from './replay/load.ts';

/** How soon after a font came its text is laid out anew, at most, ms; on a loaded machine a few frames. */
const LAID_OUT_WITHIN_MS = 250;
/** Smaller shifts are not worth a change. Source: a tenth of what is good (0.1, https://web.dev/articles/cls). */
const WORTH_SCORE = 0.01;

/** Fonts that moved what was there when they came. */
export const fontShift: Fix = (load) => {
  const fonts = fontsOf(load);
  const shifts = (load.visit.recording.page?.layoutShifts ?? []).flatMap(({ at, score }) => {
    const came = fonts.filter(({ step }) => step.broughtAt <= at && at - step.broughtAt <= LAID_OUT_WITHIN_MS);
    return came.length > 0 && !hasOtherCause(at, load) ? [{ score, came }] : [];
  });
  const score = Math.round(shifts.reduce((sum, shift) => sum + shift.score, 0) * 1_000) / 1_000;
  if (score < WORTH_SCORE) return [];
  const all = [...new Set(shifts.flatMap(({ came }) => came))];
  return [
    {
      code: 'font-shift',
      urls: urlsOf(all.map(({ step }) => step)),
      savesMs: 0,
      facts: { families: familiesOf(all), score },
    },
  ];
};

/** Whether something else came just before that may have moved the page. */
function hasOtherCause(at: number, { steps }: Load): boolean {
  return steps.some(
    ({ request, broughtAt }) => request.type !== 'font' && broughtAt <= at && at - broughtAt <= LAID_OUT_WITHIN_MS,
  );
}
