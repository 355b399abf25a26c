import type { LighthouseWait } from '../../model/lighthouse/lighthouse.ts';
import type { TargetResult } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';
import { isCounted } from '../counted-runs.ts';

/**
 * Where nothing is simulated, Lighthouse wants the network silent for this long, and after that no long task for as long,
 * ms. Source: lighthouse core/config/constants.js, nonSimulatedSettingsOverrides.
 */
const LIGHTHOUSE_QUIET_MS = 5_250;
/** Lighthouse traces the page, and loads differ: it may take this many times as long as our slowest run. */
const SLOWER = 1.5;
/** For its own steps between navigating and listening, ms. */
const SLACK_MS = 1_000;

/**
 * How Lighthouse is to wait for a page of which all this is known. `held` are the URL patterns by which the ablation run
 * held its endpoints.
 */
export function lighthouseWait(
  target: Pick<TargetResult, 'runs' | 'evidence'>,
  held: readonly string[],
): Omit<LighthouseWait, 'sentence'> {
  const cap = capOf(target);
  const ablation = target.evidence?.ablation;
  const capped = { cap };
  if (ablation?.same === true && held.length > 0) return { strategy: 'blocked', ...capped, blocked: ablation.held };
  return { strategy: cap === undefined ? 'own' : 'capped', ...capped, blocked: [] };
}

/** The slowest run's page complete, and both of Lighthouse's silences after it. */
function capOf({ runs }: Pick<TargetResult, 'runs'>): Ms | undefined {
  const timed = runs.filter(isCounted);
  const at = timed.flatMap(({ pageComplete }) =>
    pageComplete?.state === 'complete' && pageComplete.at !== undefined ? pageComplete.at : [],
  );
  // A run that was never complete says that others may not be either.
  if (at.length === 0 || at.length < timed.length) return undefined;
  return Math.ceil(Math.max(...at) * SLOWER + 2 * LIGHTHOUSE_QUIET_MS + SLACK_MS);
}
