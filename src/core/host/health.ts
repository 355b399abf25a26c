import type { HostSample } from '../../model/recording.ts';
import type { HostResult } from '../../model/result.ts';

/** A driver of a latency-sensitive test should not be more than half busy. Source: docs/statistics.md. */
const MAX_BUSY_BY_OTHERS = 0.5;
/** Stolen time is lost time that user and system time do not show; more than noise is a reason. */
const MAX_STEAL = 0.05;

/** Was the measuring machine fit between the first and the last reading? */
export function hostHealth(samples: readonly HostSample[]): HostResult {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.total <= first.total) {
    return { verdict: 'unknown', reasons: ['this system does not tell how busy its processors are'] };
  }
  const total = last.total - first.total;
  const browser = first.browser === undefined || last.browser === undefined ? 0 : last.browser - first.browser;
  const share = (ms: number): number => Math.min(1, Math.max(0, ms / total));
  const busyByOthers = share(last.busy - first.busy - browser);
  const steal = first.steal === undefined || last.steal === undefined ? undefined : share(last.steal - first.steal);
  const reasons: string[] = [];
  if (busyByOthers > MAX_BUSY_BY_OTHERS) {
    reasons.push(`other programs kept ${percent(busyByOthers)} of the processors busy`);
  }
  if (steal !== undefined && steal > MAX_STEAL) reasons.push(`the hypervisor took ${percent(steal)} of the processors`);
  return {
    verdict: reasons.length === 0 ? 'fit' : 'unfit',
    busyByOthers,
    ...(steal !== undefined && { steal }),
    reasons,
  };
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
