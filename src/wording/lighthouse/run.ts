import type { LighthouseRun, LighthouseRunFacts } from '../../model/lighthouse/lighthouse.ts';
import { formatCount } from '../text/format.ts';

/** A Lighthouse run with its warnings as sentences. */
export function lighthouseRunInWords({ consoleErrors, ...run }: LighthouseRunFacts): LighthouseRun {
  if (consoleErrors === undefined) return run;
  const warning = `Best practices count ${formatCount(consoleErrors, 'console error')}, which blocking background traffic may have caused.`;
  return { ...run, warnings: [...run.warnings, warning] };
}

/** The second attempt at a run, which says that it is one, and why. */
export function secondAttemptInWords({ failure }: LighthouseRun, second: LighthouseRun): LighthouseRun {
  if (!failure) return second;
  const warning = `This is a second attempt; the first failed: ${failure.message}`;
  return { ...second, warnings: [warning, ...second.warnings] };
}
