import type { HostReason } from '../../model/host/reason.ts';
import type { HostResult } from '../../model/result/result.ts';
import type { HostFacts } from '../../model/result/run-facts.ts';
import type { Ms } from '../../model/units.ts';
import { formatCount, formatShare, formatValue } from '../text/format.ts';

/** The verdict on a host with its reasons in words. */
export function hostInWords(facts: HostFacts): HostResult {
  return { ...facts, reasons: facts.reasonFacts.map(hostReasonInWords) };
}

/** Why a host was not fit, all in one clause. */
export function hostReasonsInWords(reasons: readonly HostReason[]): string {
  return reasons.map(hostReasonInWords).join(', ');
}

/** That hosts were not fit in so many of the runs of a page, with the reasons of the first of them, as sentences. */
export function unfitRunsInWords(unfit: readonly HostResult[], runs: number): string {
  const why = unfit[0]?.reasons.join(', ') ?? '';
  return `In ${unfit.length} of ${formatCount(runs, 'run')}, ${why}: the times may be too long. Measure again while nothing else runs.`;
}

/** One reason why a host was not fit, as a clause. */
export function hostReasonInWords(reason: HostReason): string {
  switch (reason.code) {
    case 'busy-by-others': {
      const { share, mostly, stolen } = reason;
      const when =
        mostly === undefined
          ? ''
          : `, mostly between ${formatValue(mostly.from, 'ms')} and ${formatValue(mostly.to, 'ms')}`;
      return `other programs used ${formatShare(share)} of the CPU${when}${taken(stolen)}`;
    }
    case 'steal':
      return `the hypervisor took ${formatShare(reason.share)} of the CPU time${taken(reason.stolen)}`;
    case 'memory-pressure':
      return `programs waited for memory ${formatShare(reason.share)} of the time`;
    case 'disk-pressure':
      return `programs waited for a disk ${formatShare(reason.share)} of the time`;
    case 'no-clocks':
      return 'this system does not report how busy its CPU is';
    case 'browser-share-unknown':
      return 'the browser did not report its own CPU use';
    case 'elsewhere':
      return 'the browser runs on another machine, whose load cannot be seen from here';
    case 'driver-busy':
      return `this machine, which controls it, used ${formatShare(reason.share)} of its own CPU, so it may have received events late`;
  }
}

/** ", and the page's main thread lost 215 ms"; nothing where that is not known. */
function taken(stolen: Ms | undefined): string {
  return stolen === undefined ? '' : `, and the page's main thread lost ${formatValue(stolen, 'ms')}`;
}
