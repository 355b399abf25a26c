import type { TargetReport } from '../model/report.ts';
import type { RunResult } from '../model/result.ts';
import { isNetworkOff } from './conditions.ts';
import { formatCount } from './format.ts';
import { measuredRuns, timedRuns } from './select.ts';

/** Whether a measurement was fair, before any detail. */
export interface Fairness {
  readonly tone: 'better' | 'unsure' | 'worse';
  readonly sign: string;
  /** One sentence. */
  readonly sentence: string;
}

const having = (runs: readonly RunResult[], verdict: string): number =>
  runs.filter(({ host }) => (host?.verdict ?? 'unknown') === verdict).length;

/** "in all 5 runs", "in 2 of 5 runs", "in its one run". */
function inRuns(some: number, all: number): string {
  if (all === 1) return 'in its one run';
  return some === all ? `in all ${all} runs` : `in ${some} of ${formatCount(all, 'run')}`;
}

/** Was the machine left alone, and do the runs agree? Nothing of a target of which no run was measured. */
export function fairnessOf(target: TargetReport): Fairness | undefined {
  const runs = measuredRuns(target);
  if (runs.length === 0) return undefined;
  const [unfit, unknown] = [having(runs, 'unfit'), having(runs, 'unknown')];
  const agreement = target.result.summary.pageComplete?.agreement;
  const failed = timedRuns(target).length - runs.length;
  const lost = failed === 0 ? '' : ` ${formatCount(failed, 'more run')} failed.`;
  if (unfit > 0) {
    const times = unfit === 1 ? 'its time' : 'their times';
    return {
      tone: 'worse',
      sign: '✗',
      sentence: `No: the machine was busy with other things ${inRuns(unfit, runs.length)}, so ${times} may be too long.${lost}`,
    };
  }
  const agree =
    agreement === 'disagrees'
      ? ', but the runs disagree'
      : agreement === 'varies'
        ? '; the runs vary a little'
        : agreement === 'stable'
          ? ', and the runs agree'
          : '';
  const off = runs.filter(isNetworkOff).length;
  if (off > 0) {
    return {
      tone: 'unsure',
      sign: '!',
      sentence: `In part: the network was not the one that was asked for ${inRuns(off, runs.length)}, so ${off === 1 ? 'its time says' : 'their times say'} little of that network${agree}.${lost}`,
    };
  }
  if (unknown > 0) {
    return {
      tone: 'unsure',
      sign: '?',
      sentence: `Not known: what else the machine was doing could not be read ${inRuns(unknown, runs.length)}${agree}.${lost}`,
    };
  }
  if (agreement === 'disagrees') {
    return {
      tone: 'unsure',
      sign: '!',
      sentence: `In part: the machine was fit ${inRuns(runs.length, runs.length)}, but the runs disagree; more of them (--runs) narrow the interval.${lost}`,
    };
  }
  return {
    tone: 'better',
    sign: '✓',
    sentence: `Yes: the machine had little else to do ${inRuns(runs.length, runs.length)}${agree}.${lost}`,
  };
}
