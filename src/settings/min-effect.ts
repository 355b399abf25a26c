import { DEFAULT_MIN_EFFECT } from '../core/experiment/effect.ts';
import type { MinEffect } from '../model/compare/comparison.ts';

const FORM = /^(\d+(?:\.\d+)?|\.\d+)\s*(%|ms)$/;

/**
 * '5%', '50ms' or '5%,10ms'. A percentage alone keeps the default floors; a time alone is all there is, for times and
 * for nothing else: a share of 0 leaves other units to their floors.
 */
export function parseMinEffect(text: string): MinEffect | { readonly problem: string } {
  const problem = (why: string) => ({ problem: why });
  let relative: number | undefined;
  let absolute: number | undefined;
  for (const part of text.split(',')) {
    const [, digits, unit] = FORM.exec(part.trim()) ?? [];
    if (digits === undefined) {
      return problem('must be a percentage, a time in ms, or both, such as 5%, 50ms or 5%,10ms');
    }
    if ((unit === '%' ? relative : absolute) !== undefined)
      return problem('must have at most one percentage and one time, such as 5%,10ms');
    if (unit === '%') relative = Number(digits) / 100;
    else absolute = Number(digits);
  }
  if (relative !== undefined && relative >= 1) return problem('must be below 100%');
  const { absolute: least, paint } = DEFAULT_MIN_EFFECT;
  const effect: MinEffect = {
    relative: relative ?? 0,
    ...(absolute === undefined ? { absolute: least, paint } : { absolute }),
  };
  if (effect.relative === 0 && effect.absolute === 0) {
    return problem('must be above 0, because no number of loads can show that two builds are exactly the same');
  }
  return effect;
}
