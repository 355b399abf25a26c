import type { ResultHeader, TargetResult } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';

/** The silence that a target was judged with; earlier versions say it for all targets, in the settings. Absent: not known. */
export function quietWindowOf({ policy }: TargetResult, { settings }: Pick<ResultHeader, 'settings'>): Ms | undefined {
  if (policy !== undefined) return policy.quietWindow;
  return typeof settings.quietWindow === 'number' ? settings.quietWindow : undefined;
}
