import type { JSX } from 'preact';
import type { AuditReport, TargetReport } from '../../../model/report.ts';
import type { ResultHeader, RunResult } from '../../../model/result.ts';
import { fairnessLine } from '../../../report/chapter-lines.ts';
import {
  conditionsInWords,
  isNetworkOff,
  networkInWords,
  profileInWords,
  screenInWords,
} from '../../../report/conditions.ts';
import { fairnessOf, unfairPagesInWords } from '../../../report/fairness.ts';
import { countedRuns, failedRuns, timedRuns, untimedRuns } from '../../../result/counted-runs.ts';
import { ABSENT, formatCount, formatInterval, formatShare, formatValue } from '../../../wording/format.ts';
import { endingDoubtInWords } from '../../../wording/loads.ts';
import { agreementInWords } from '../../../wording/outcome.ts';
import { runName } from '../../../wording/run-name.ts';
import { capitalized } from '../../../wording/text.ts';
import { purposeInWords } from '../../../wording/words.ts';
import { browserFact } from '../components/browser-fact.tsx';
import { DOCS } from '../components/docs.ts';
import { type Fact, Facts } from '../components/facts.tsx';
import { Notes } from '../components/notes.tsx';
import { foreign, Part, partId, type SectionProps, sentence } from '../components/part.tsx';
import { RunsTable } from './runs.tsx';

/** Reasons that are listed before it says how many more there are. */
const LISTED = 6;
/** Runs that are seen at once; of more, the table is folded. */
const FEW = 12;
const TITLE = 'Was it fair?';

/** The shares of several runs: "3.1% to 5.5%", "0%"; nothing where none is known. */
function shares(runs: readonly RunResult[], of: (run: RunResult) => number | undefined): string | undefined {
  const known = runs.flatMap((run) => of(run) ?? []).filter(Number.isFinite);
  if (known.length === 0) return undefined;
  const [least, most] = [formatShare(Math.min(...known)), formatShare(Math.max(...known))];
  return least === most ? most : `${least} to ${most}`;
}

/** How the machine was busy besides, over all runs that count. */
function machine(runs: readonly RunResult[]): readonly Fact[] {
  const busy = shares(runs, ({ host }) => host?.busyByOthers);
  const stolen = shares(runs, ({ host }) => host?.steal);
  const waits = (['cpu', 'memory', 'io'] as const).flatMap((resource) => {
    const share = shares(runs, ({ host }) => host?.pressure?.[resource]);
    return share === undefined ? [] : [`${{ cpu: 'the CPU', memory: 'memory', io: 'a disk' }[resource]} ${share}`];
  });
  return [
    ['CPU used by other programs', busy ?? 'not known'],
    ['CPU time taken by the hypervisor', stolen ?? 'not known'],
    ...(waits.length === 0 ? [] : [['Tasks had to wait', `for ${waits.join(', for ')} of the time`] as const]),
  ];
}

/** Under which conditions a page was loaded, and what it really got of them; every setting stands at the end of the report. */
function conditionFacts(target: TargetReport, { settings }: Pick<ResultHeader, 'settings'>): readonly Fact[] {
  const { conditions } = target.result;
  const runs = countedRuns(target);
  const profile = profileInWords(conditions, settings);
  // Before results named their conditions there was but one kind.
  if (conditions === undefined) return [['Conditions', `${profile}; desktop window; network and CPU not slowed down`]];
  const network = networkInWords(conditions, runs);
  const off = runs.filter(isNetworkOff).length;
  return [
    ['Conditions', sentence(conditionsInWords(conditions))],
    ['Screen', screenInWords(conditions.device)],
    ['Browser profile', profile],
    ...(network === undefined
      ? []
      : [
          [
            'Network as it really was',
            <>
              {network}
              {off > 0 && (
                <small class="bad-text">
                  ✗ not as requested in {off} of {formatCount(runs.length, 'run')}
                </small>
              )}
            </>,
          ] as const,
        ]),
  ];
}

/** The runs that do not count, by what they were for. */
function apart(target: TargetReport): string {
  const runs = untimedRuns(target);
  if (runs.length === 0) return 'none';
  const roles = [...new Set(runs.map(({ role }) => role))];
  const parts = roles.map((role) => {
    const many = runs.filter((run) => run.role === role).length;
    const purpose = purposeInWords(role)?.replace(/^untimed: /, '');
    return `${formatCount(many, `${role} run`)}${purpose === undefined ? '' : ` (${purpose})`}`;
  });
  return parts.join(', ');
}

/** ", tried 2 times"; nothing of what went well at once. */
const again = ({ attempts = 1 }: RunResult): string => (attempts > 1 ? `, tried ${attempts} times` : '');

/** What was done again, thrown away or lost, a line each; how busy the machine was stands in the row of each run. */
function troubles(target: TargetReport): readonly string[] {
  const named = (run: RunResult): string => capitalized(runName(run));
  return target.result.runs.flatMap((run) => [
    ...(run.ok ? [] : [`${named(run)} failed${again(run)}: ${run.failure?.message ?? 'no reason was given.'}`]),
    ...(run.excluded === undefined ? [] : [`${named(run)} does not count: ${run.excluded}`]),
    ...(run.repeatedBecause ?? []).map((because) => `${named(run)} was repeated: ${because}.`),
    ...(run.repeatedEnding === undefined
      ? []
      : [`${named(run)} was repeated: ${endingDoubtInWords(run.repeatedEnding)}.`]),
    ...(run.ok && again(run) !== '' ? [`${named(run)} succeeded${again(run)}.`] : []),
  ]);
}

/** Beside the answer, for who reads no further: that its figures may not hold, and where it says why. */
export function Unfair({
  target,
  id,
}: {
  readonly target: TargetReport;
  readonly id: string;
}): JSX.Element | undefined {
  const unfair = fairnessOf(target)?.aside;
  if (unfair === undefined) return undefined;
  return (
    <p class="notice" role="note">
      {sentence(unfair)} <a href={`#${partId(id, TITLE)}`}>Why</a>
    </p>
  );
}

/** The same above a table of pages, each of which says why. */
export function UnfairPages({
  report: { result, targets },
}: {
  readonly report: AuditReport;
}): JSX.Element | undefined {
  const unfair = result.kind === 'analysis' ? undefined : unfairPagesInWords(targets);
  if (unfair === undefined) return undefined;
  return (
    <p class="notice" role="note">
      {sentence(unfair)}
    </p>
  );
}

/** Whether the figures can be trusted: the machine, the conditions, what was repeated or lost, and every run. */
export function FairnessPart({ target, report: { result }, id }: SectionProps): JSX.Element | undefined {
  const runs = countedRuns(target);
  const verdict = fairnessOf(target);
  // A recording says nothing of the machine that made it.
  if (verdict === undefined || result.kind === 'analysis') return undefined;
  const timed = timedRuns(target).length;
  const lost = failedRuns(target).filter(({ role }) => role === 'timed').length;
  const summary = target.result.summary.pageComplete;
  const { browser } = result;
  const facts: readonly Fact[] = [
    ['Runs that count', lost === 0 ? formatValue(runs.length, 'count') : `${runs.length} of ${timed}; ${lost} failed`],
    [
      'Do they agree?',
      agreement(summary?.agreement, agreementInWords(summary), formatInterval(summary?.low, summary?.high, 'ms')),
    ],
    ...machine(runs),
    ...conditionFacts(target, result),
    browserFact(browser),
    ['Runs that do not count', foreign(apart(target))],
  ];
  return (
    <Part id={id} title={TITLE} line={fairnessLine(target) ?? ''} docs={DOCS.machine}>
      <p class={`host ${verdict.tone}`}>
        <span aria-hidden="true">{verdict.sign}</span> {sentence(verdict.sentence)}
      </p>
      <Facts facts={facts} look="fair" />
      <Notes lines={troubles(target).map(sentence)} most={LISTED} />
      <details class="more every-run" open={timed <= FEW}>
        <summary>Every run</summary>
        <RunsTable target={target} analysis={false} />
      </details>
    </Part>
  );
}

/** "stable: 1.21–1.27 s; half the interval is within 5% of the median". */
function agreement(kind: 'stable' | 'varies' | 'disagrees' | undefined, word: string, interval: string): string {
  switch (kind) {
    case 'stable':
      return `stable: half of the interval ${interval} is within 5% of the median`;
    case 'varies':
      return `they vary: half of the interval ${interval} is within 10% of the median`;
    case 'disagrees':
      return `they do not: half of the interval ${interval} is more than 10% of the median`;
    default:
      return word === ABSENT ? 'not known' : word;
  }
}
