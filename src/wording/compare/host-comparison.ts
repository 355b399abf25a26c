import type { HostComparison, HostComparisonFacts } from '../../model/compare/comparison.ts';
import { formatShare } from '../text/format.ts';

const ELSEWHERE =
  'Whether the machine was the same for both builds is not known: the browser ran on another one, whose load cannot be seen from here.';

/** Whether the machine was the same for both builds, with a sentence. */
export function hostComparisonInWords(facts: HostComparisonFacts): HostComparison {
  const { runs: _runs, machines: _machines, driverBusyIn: _driver, ...result } = facts;
  return { ...result, sentence: sentenceFor(facts) };
}

function sentenceFor({ verdict, control, unfitRuns, runs, machines, driverBusyIn }: HostComparisonFacts): string {
  const busy = `in ${unfitRuns} of ${runs} loads`;
  const several = machines > 1;
  const [machine, was] = several ? ['machines', 'were'] : ['machine', 'was'];
  switch (verdict) {
    case 'differs': {
      const { relative = 0, low = 0, high = 0 } = control ?? {};
      const ends = [low, high].map(Math.abs).sort((a, b) => a - b);
      const [least = 0, most = 0] = ends;
      return `The ${machine} ${several ? 'themselves' : 'itself'} ${was} ${formatShare(Math.abs(relative))} ${relative > 0 ? 'slower' : 'faster'} (${formatShare(least)} to ${formatShare(most)}) before loads of the candidate, so a difference may be the ${several ? "machines'" : "machine's"} and not the build's.`;
    }
    case 'unfit':
      return `The ${machine} ${was} busy with something else ${busy}. Both builds were slowed down equally, but figures may be larger than on ${several ? 'free machines: measure again on such' : 'a free machine: measure again on one'}.`;
    case 'fit': {
      const same =
        control?.low === undefined || control.high === undefined
          ? `The ${machine} ${was} free enough to measure`
          : `The ${machine} ${was} the same for both builds (a fixed piece of work took between ${formatShare(control.low)} and ${formatShare(control.high)} longer before the candidate)`;
      return unfitRuns === 0
        ? `${same}.`
        : `${same}, although ${several ? 'they were' : 'it was'} busy with something else ${busy}.`;
    }
    case 'unknown':
      if (driverBusyIn !== undefined) return `${ELSEWHERE}${driverBusy(driverBusyIn, runs)}`;
      return `Whether the ${machine} ${was} the same for both builds is not known: ${several ? 'these systems do' : 'this system does'} not report it.`;
  }
}

/** What the load of the machine that only drives the browser may have done. */
function driverBusy(busy: number, runs: number): string {
  return busy === 0
    ? ''
    : ` This machine, which drove it, had more than half of its CPU busy in ${busy} of ${runs} loads.`;
}
