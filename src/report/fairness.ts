import type { TargetReport } from '../model/result/report.ts';
import type { RunResult } from '../model/result/result.ts';
import { countedRuns, timedRuns } from '../result/counted-runs.ts';
import { filmDoubt, wasFilmedBusy } from '../result/doubt/film-doubt.ts';
import { stolenFrom } from '../result/doubt/stolen.ts';
import { isUnproved } from '../result/doubt/unproved.ts';
import { pagesWithSteps } from '../result/pages-with-steps.ts';
import { certaintyInWords } from '../wording/completion/doubt.ts';
import { formatCount, formatValue } from '../wording/text/format.ts';
import { isNetworkOff } from './conditions.ts';

/** Whether a measurement was fair, before any detail. */
export interface Fairness {
  readonly tone: 'better' | 'unsure' | 'worse';
  readonly sign: string;
  /** One sentence. */
  readonly sentence: string;
  /** The sentence beside the answer itself, where it was not fair or nobody can know; that it was need not be said there. */
  readonly aside?: string;
}

/** Whether to believe an answer, in a line. */
export interface Trust {
  readonly sure: boolean;
  /** "5 runs agree", "machine quiet". */
  readonly words: readonly string[];
}

/** The same in a few words, as they stand beside the answer; undefined where no run was measured. */
export function trustOf(target: TargetReport): Trust | undefined {
  const runs = countedRuns(target);
  const fairness = fairnessOf(target);
  if (fairness === undefined) return undefined;
  const { agreement } = target.result.summary.pageComplete ?? {};
  const many = formatCount(runs.length, 'run');
  const agree = filmDoubt(target.result.runs)
    ? 'the filmed load disagrees'
    : agreement === undefined
      ? `${runs.length === 1 ? 'only ' : ''}${many}`
      : { stable: `${many} agree`, varies: `${many} vary a little`, disagrees: `${many} disagree` }[agreement];
  const [unfit, unknown] = [having(runs, 'unfit'), having(runs, 'unknown')];
  const far = runs.some(({ host }) => host?.driver !== undefined);
  const machine =
    unfit > 0
      ? `machine busy in ${unfit} of ${many}`
      : wasFilmedBusy(target.result.runs)
        ? 'machine busy in the untimed run'
        : far
          ? 'browser on another machine'
          : unknown > 0
            ? 'load of the machine not known'
            : 'machine quiet';
  const off = runs.some(isNetworkOff) ? ['network not as requested'] : [];
  const unproved = isUnproved(target.result) || isBackgroundUnproved(target);
  const doubt = target.representative?.pageComplete?.doubt;
  return {
    sure: fairness.tone === 'better' && agreement !== undefined && !unproved && doubt !== 'doubtful',
    words: [agree, machine, ...off, ...sureness(target, unproved)],
  };
}

/** How sure the answer is; why it is doubtful stands in its sentence. */
function sureness({ representative, result }: TargetReport, unproved: boolean): readonly string[] {
  const answer = representative?.pageComplete;
  if (answer?.doubt === 'doubtful') return ['doubtful'];
  const certainty = answer && certaintyInWords(answer, result.finalUrl ?? result.url);
  return certainty === undefined ? (unproved ? ['not proved'] : []) : [certainty];
}

const isBackgroundUnproved = ({ representative }: TargetReport): boolean =>
  representative?.pageComplete?.doubts?.some(({ code }) => code === 'background-unproved') === true;

const having = (runs: readonly RunResult[], verdict: string): number =>
  runs.filter(({ host }) => (host?.verdict ?? 'unknown') === verdict).length;

/** "in all 5 runs", "in both runs", "in 2 of 5 runs", "in its one run". */
function inRuns(some: number, all: number): string {
  if (all === 1) return 'in its one run';
  if (some < all) return `in ${some} of ${formatCount(all, 'run')}`;
  return all === 2 ? 'in both runs' : `in all ${all} runs`;
}

/** What is said beside the answer where many pages were measured; nothing where the machine was fit for all of them. */
export function unfairPagesInWords(targets: readonly TargetReport[]): string | undefined {
  const pages = pagesWithSteps(targets)
    .map(({ page, steps }) => [page, ...steps].map(({ target }) => target))
    .filter(([page]) => page !== undefined && countedRuns(page).length > 0);
  const unfair = pages.filter((all) => all.some((target) => fairnessOf(target)?.tone === 'worse')).length;
  if (unfair === 0) return undefined;
  const which =
    unfair === pages.length
      ? 'every page was'
      : `${unfair} of ${formatCount(pages.length, 'page')} ${unfair === 1 ? 'was' : 'were'}`;
  return `The machine was busy with other things while ${which} measured, so their times may be too long.`;
}

/** Was the machine left alone, and do the runs agree? Nothing of a target of which no run was measured. */
export function fairnessOf(target: TargetReport): Fairness | undefined {
  const runs = countedRuns(target);
  if (runs.length === 0) return undefined;
  const [unfit, unknown] = [having(runs, 'unfit'), having(runs, 'unknown')];
  const agreement = target.result.summary.pageComplete?.agreement;
  const failed = timedRuns(target).length - runs.length;
  const took = takenFrom(target);
  const lost = failed === 0 ? '' : ` ${formatCount(failed, 'more run')} failed.`;
  if (unfit > 0) {
    const times = unfit === 1 ? 'its time' : 'their times';
    const doubt = wasFilmedBusy(target.result.runs)
      ? ' The filmed load was disturbed too, so the list of background traffic may be wrong.'
      : '';
    const busy = `machine was busy with other things ${inRuns(unfit, runs.length)}, so ${times} may be too long.${doubt}${took}${lost}`;
    const aside = `The machine was busy with other things ${inRuns(unfit, runs.length)}, so ${times} may be too long.${lost}`;
    return { tone: 'worse', sign: '✗', sentence: `No: the ${busy}`, aside };
  }
  const isFilmApart = filmDoubt(target.result.runs) !== undefined;
  const agree = isFilmApart
    ? ', but the filmed load disagrees'
    : agreement === 'disagrees'
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
      sentence: `Partly: the network was not as requested ${inRuns(off, runs.length)}, so ${off === 1 ? 'its time says' : 'their times say'} little about that network${agree}.${lost}`,
    };
  }
  const elsewhere = runs.filter(({ host }) => host?.driver !== undefined);
  if (elsewhere.length > 0) {
    const busy = elsewhere.filter(({ host }) => host?.driver === 'busy').length;
    const driver =
      busy === 0 ? '' : ` The machine that controls it was itself more than 50% busy ${inRuns(busy, runs.length)}.`;
    const far = `the browser ran on another machine, whose load could not be seen${agree}.${driver}${lost}`;
    return {
      tone: 'unsure',
      sign: '?',
      sentence: `Not known: ${far}`,
      aside: `Whether it was fair is not known: ${far}`,
    };
  }
  if (unknown > 0) {
    return {
      tone: 'unsure',
      sign: '?',
      sentence: `Not known: the load of the machine could not be read ${inRuns(unknown, runs.length)}${agree}.${lost}`,
    };
  }
  if (agreement === 'disagrees') {
    return {
      tone: 'unsure',
      sign: '!',
      sentence: `Partly: the machine was fit ${inRuns(runs.length, runs.length)}, but ${isFilmApart ? 'the filmed load disagrees with them' : 'the runs disagree; more runs (--runs) narrow the interval'}.${took}${lost}`,
    };
  }
  if (wasFilmedBusy(target.result.runs)) {
    const but =
      'the filmed load was disturbed, so the list of background traffic may be wrong. Measure again while nothing else runs.';
    return {
      tone: 'unsure',
      sign: '!',
      sentence: `Partly: the machine had little else to do ${inRuns(runs.length, runs.length)}, but ${but}${took}${lost}`,
      aside: `${but.charAt(0).toUpperCase()}${but.slice(1)}`,
    };
  }
  return {
    tone: 'better',
    sign: '✓',
    sentence: `Yes: the machine had little else to do ${inRuns(runs.length, runs.length)}${agree}.${took}${lost}`,
  };
}

/** What the machine took from the page, and when it would have been complete without that; nothing where it was little. */
function takenFrom({ result }: TargetReport): string {
  const stolen = stolenFrom(result);
  if (!stolen) return '';
  const { time, undisturbed } = stolen;
  return ` The page's main thread lost ${formatValue(time, 'ms')} to it (median); without that, page complete is ${formatValue(undisturbed, 'ms')}.`;
}
