import type { AuditReport, TargetReport } from '../../model/result/report.ts';
import type { Browser, RunResult } from '../../model/result/result.ts';
import { countedRuns, failedRuns, timedRuns, untimedRuns } from '../../result/counted-runs.ts';
import { endingDoubtInWords } from '../../wording/result/loads.ts';
import { agreementInWords } from '../../wording/result/outcome.ts';
import { runName } from '../../wording/result/run-name.ts';
import { ABSENT, formatCount, formatInterval, formatShare, formatValue } from '../../wording/text/format.ts';
import { capitalized } from '../../wording/text/text.ts';
import { purposeInWords } from '../../wording/text/words.ts';
import { conditionsInWords, isNetworkOff, networkInWords, profileInWords, screenInWords } from '../conditions.ts';
import { fairnessOf, trustOf } from '../fairness.ts';
import { details, type Fact, list, type Mark, paragraph } from '../parts.ts';
import type { Chapter } from './page.ts';
import { runsTable } from './runs.ts';

const MARKS: Readonly<Record<'better' | 'unsure' | 'worse', Mark>> = {
  better: 'good',
  unsure: 'warning',
  worse: 'bad',
};

/** Whether the figures can be trusted: the machine, the conditions, what was repeated or lost, and every run. */
export const fairness: Chapter = (page) => {
  const { target, result, analysis, detail } = page;
  // A recording says nothing of the machine that made it.
  const verdict = analysis ? undefined : fairnessOf(target);
  if (verdict === undefined) return [];
  const { sure, words = [] } = trustOf(target) ?? {};
  const trust = words.join(', ');
  if (detail === 'brief') {
    // That it was not stands beside the answer.
    return verdict.aside === undefined ? paragraph(trust, { mark: sure ? 'good' : 'warning' }) : [];
  }
  const runs = countedRuns(target);
  const timed = timedRuns(target).length;
  const lost = failedRuns(target).filter(({ role }) => role === 'timed').length;
  const facts: readonly Fact[] = [
    ['Runs that count', lost === 0 ? formatValue(runs.length, 'count') : `${runs.length} of ${timed}; ${lost} failed`],
    ['Do they agree?', agreement(target.result.summary.pageComplete)],
    ...machine(runs),
    ...conditionFacts(target, result),
    browserFact(result.browser),
    ['Runs that do not count', apart(target)],
  ];
  return details(
    'Was it fair?',
    [
      ...paragraph(verdict.sentence, { mark: MARKS[verdict.tone] }),
      { kind: 'facts', facts },
      ...list(
        target.result.runs.flatMap(troubles).map((text) => ({ text })),
        detail,
      ),
      ...runsTable(page),
    ],
    detail,
    { line: capitalized(trust), docs: 'statistics.md#the-measuring-machine' },
  );
};

/** The shares of several runs: "3.1% to 5.5%", "0%"; nothing where none is known. */
function shares(runs: readonly RunResult[], of: (run: RunResult) => number | undefined): string | undefined {
  const known = runs.flatMap((run) => of(run) ?? []).filter(Number.isFinite);
  if (known.length === 0) return undefined;
  const [least, most] = [formatShare(Math.min(...known)), formatShare(Math.max(...known))];
  return least === most ? most : `${least} to ${most}`;
}

/** How the machine was busy besides, over all runs that count. */
function machine(runs: readonly RunResult[]): readonly Fact[] {
  const waits = (['cpu', 'memory', 'io'] as const).flatMap((resource) => {
    const share = shares(runs, ({ host }) => host?.pressure?.[resource]);
    return share === undefined ? [] : [`${{ cpu: 'the CPU', memory: 'memory', io: 'a disk' }[resource]} ${share}`];
  });
  return [
    ['CPU used by other programs', shares(runs, ({ host }) => host?.busyByOthers) ?? 'not known'],
    ['CPU time taken by the hypervisor', shares(runs, ({ host }) => host?.steal) ?? 'not known'],
    ...(waits.length === 0 ? [] : [['Tasks had to wait', `for ${waits.join(', for ')} of the time`] as const]),
  ];
}

/** Under which conditions a page was loaded, and what it really got of them. */
function conditionFacts(target: TargetReport, { settings }: AuditReport['result']): readonly Fact[] {
  const { conditions } = target.result;
  const runs = countedRuns(target);
  const profile = profileInWords(conditions, settings);
  // Before results named their conditions there was but one kind.
  if (conditions === undefined) return [['Conditions', `${profile}; desktop window; network and CPU not slowed down`]];
  const network = networkInWords(conditions, runs);
  const off = runs.filter(isNetworkOff).length;
  const trouble = off === 0 ? '' : `; ✗ not as requested in ${off} of ${formatCount(runs.length, 'run')}`;
  return [
    ['Conditions', conditionsInWords(conditions)],
    ['Screen', screenInWords(conditions.device)],
    ['Browser profile', profile],
    ...(network === undefined ? [] : [['Network as it really was', network + trouble] as const]),
  ];
}

/** Which browser loaded the pages, where it ran, and what is to be known of it. */
export function browserFact({ product, sandbox, elsewhere, notes = [] }: Browser): Fact {
  const inside = sandbox === undefined ? '' : `, its sandbox ${sandbox ? 'on' : 'off'}`;
  const where = elsewhere ? ', on another machine' : '';
  return ['Browser', { text: `${product}${where}${inside}`, remarks: notes }];
}

/** The runs that do not count, by what they were for. */
function apart(target: TargetReport): string {
  const byRole = Map.groupBy(untimedRuns(target), ({ role }) => role);
  const parts = [...byRole].map(([role, { length }]) => {
    const purpose = purposeInWords(role)?.replace(/^untimed: /, '');
    return `${formatCount(length, `${role} run`)}${purpose === undefined ? '' : ` (${purpose})`}`;
  });
  return parts.length === 0 ? 'none' : parts.join(', ');
}

/** What was done again, thrown away or lost; how busy the machine was stands in the row of each run. */
function troubles(run: RunResult): readonly string[] {
  const { ok, attempts = 1, failure, excluded, repeatedBecause = [], repeatedEnding } = run;
  const name = capitalized(runName(run));
  const again = attempts > 1 ? `, tried ${attempts} times` : '';
  return [
    ...(ok ? [] : [`${name} failed${again}: ${failure?.message ?? 'no reason was given.'}`]),
    ...(excluded === undefined ? [] : [`${name} does not count: ${excluded}`]),
    ...repeatedBecause.map((because) => `${name} was repeated: ${because}.`),
    ...(repeatedEnding === undefined ? [] : [`${name} was repeated: ${endingDoubtInWords(repeatedEnding)}.`]),
    ...(ok && again !== '' ? [`${name} succeeded${again}.`] : []),
  ];
}

/** "stable: half of the interval 1.21–1.27 s is within 5% of the median". */
function agreement(summary: TargetReport['result']['summary']['pageComplete']): string {
  const half = `half of the interval ${formatInterval(summary?.low, summary?.high, 'ms')} is`;
  switch (summary?.agreement) {
    case 'stable':
      return `stable: ${half} within 5% of the median`;
    case 'varies':
      return `they vary: ${half} within 10% of the median`;
    case 'disagrees':
      return `they do not: ${half} more than 10% of the median`;
    default: {
      const word = agreementInWords(summary);
      return word === ABSENT ? 'not known' : word;
    }
  }
}
