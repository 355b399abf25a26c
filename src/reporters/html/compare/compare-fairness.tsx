import type { JSX } from 'preact';
import { BUILDS } from '../../../model/build.ts';
import type { HostComparison } from '../../../model/comparison.ts';
import type { CompareReport } from '../../../model/report.ts';
import { conditionsInWords, isNetworkOff, networkInWords, screenInWords } from '../../../report/conditions.ts';
import { countedRuns } from '../../../result/counted-runs.ts';
import { ABSENT, formatChosenShare, formatCount, formatValue } from '../../../wording/format.ts';
import { changeInterval, changeText, coverage, failuresInWords, placedRuns } from '../../comparison.ts';
import { layoutInWords } from '../../shards.ts';
import { browserFact } from '../components/browser-fact.tsx';
import { type Fact, Facts } from '../components/facts.tsx';
import { Notes } from '../components/notes.tsx';
import { foreign, Part, partId, sentence } from '../components/part.tsx';
import { ShardsTable } from '../components/shards.tsx';

/** An interval wider than this tells nothing of the machine, as a share. */
const TOO_WIDE = 0.25;

/** What the fixed calculation says of the machine. */
function controlInWords({
  differs,
  low = Number.NEGATIVE_INFINITY,
  high = Number.POSITIVE_INFINITY,
}: NonNullable<HostComparison['control']>): string {
  if (differs) return 'it differs, which no build can cause';
  return high - low > TOO_WIDE ? 'too uncertain to tell' : 'no difference between the builds';
}

/** Blocks and reasons that are listed before it says how many more there are. */
const LISTED = 12;

const ID = 'compare';
const TITLE = 'Was it fair?';

const HOST: Readonly<Record<string, string>> = { fit: '✓', unknown: '?' };

/** Beside the decision, for who reads no further: that the machine was not fit, and where it says how much. */
export function UnfitHost({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const { host, decision } = report.result;
  // What is not valid says so, and why, in the decision.
  if (HOST[host.verdict] !== undefined || decision === 'invalid') return undefined;
  return (
    <p class="notice" role="note">
      {sentence(host.sentence)} <a href={`#${partId(ID, TITLE)}`}>Why</a>
    </p>
  );
}

/** Whether the two builds were treated alike: the machine, the order, what was repeated and what does not count. */
export function CompareFairnessPart({ report }: { readonly report: CompareReport }): JSX.Element {
  const { design, host } = report.result;
  const sign = HOST[host.verdict] ?? '✗';
  const { control } = host;
  const looks = design.looksTaken.map(({ pairs }) => pairs);
  const order = orderOf(report);
  const facts: readonly Fact[] = [
    ['Pairs that count', `${formatValue(design.pairs, 'count')} in ${formatCount(design.blocks, 'block')} of four`],
    ['Why it stopped', sentence(design.stoppedSentence)],
    [
      'Looked at after',
      looks.length === 0 ? ABSENT : `${looks.join(', ')} pairs; planned were ${design.looks.join(', ')}`,
    ],
    ['Chance of a false difference', `${formatChosenShare(design.alpha)} at most, over all looks and gate metrics`],
    ['Seed of the order', <code key="seed">{String(design.seed)}</code>],
    [
      'Loads that were repeated',
      design.repeated === 0
        ? 'none'
        : `${formatValue(design.repeated, 'count')}, because the machine was busy with other work`,
    ],
    ...(host.unfitRuns > 0
      ? [['Loads on a busy machine that count', formatValue(host.unfitRuns, 'count')] as const]
      : []),
    ...conditionFacts(report),
    browserFact(report.result.browser),
    ...(control === undefined
      ? []
      : [
          [
            'A fixed calculation before each load',
            `${changeText({ difference: control, unit: 'ms' })}, ${coverage(control.level)} interval ${changeInterval({ difference: control, unit: 'ms' })}: ${controlInWords(control)}`,
          ] as const,
        ]),
  ];
  return (
    <Part id={ID} title={TITLE} line={`${sign} ${host.sentence}`} lead={layoutInWords(report.result)}>
      <Facts facts={facts} look="fair" />
      <ShardsTable result={report.result} />
      <Trouble report={report} />
      {order.length > 0 && (
        <details class="more">
          <summary>The order of all loads</summary>
          <p class="order">
            {order.map(({ block, builds, counts }) => (
              <span key={block} class={counts ? undefined : 'out'}>
                <small>{block}</small> {builds}
              </span>
            ))}
          </p>
          <p class="keys">B is a load of the base, C one of the candidate; blocks that do not count are struck out.</p>
        </details>
      )}
    </Part>
  );
}

/** Under which conditions both builds were loaded, and what each really got of them. */
function conditionFacts(report: CompareReport): readonly (readonly [string, string])[] {
  const { conditions } = report.candidate.result;
  if (conditions === undefined) return [];
  const networks = BUILDS.flatMap((build): readonly (readonly [string, string])[] => {
    const runs = countedRuns(report[build]);
    const network = networkInWords(conditions, runs);
    if (network === undefined) return [];
    const off = runs.filter(isNetworkOff).length;
    const trouble = off === 0 ? '' : `; ✗ not as requested in ${off} of ${formatCount(runs.length, 'load')}`;
    return [[`Network that the ${build} got`, network + trouble]];
  });
  return [
    ['Conditions', sentence(conditionsInWords(conditions))],
    ['Screen', screenInWords(conditions.device)],
    ...networks,
  ];
}

function Trouble({ report }: { readonly report: CompareReport }): JSX.Element {
  const { dropped } = report.result.design;
  const failures = failuresInWords(report, (reasons) => sentence(reasons.slice(0, 3).join(' ')));
  return (
    <Notes
      lines={[
        ...failures,
        ...dropped.slice(0, LISTED).map(({ block, because }) => `Block ${block} does not count: ${sentence(because)}`),
        ...(dropped.length > LISTED ? [`and ${formatCount(dropped.length - LISTED, 'more block')}`] : []),
      ]}
    />
  );
}

function orderOf(report: CompareReport) {
  const blocks = new Map<number, { builds: string; counts: boolean }>();
  for (const run of placedRuns(report)) {
    const block = run.block ?? 0;
    const known = blocks.get(block) ?? { builds: '', counts: true };
    blocks.set(block, {
      builds: known.builds + (run.build === 'base' ? 'B' : 'C'),
      counts: known.counts && run.ok && run.excluded === undefined,
    });
  }
  return [...blocks].map(([block, each]) => ({ block: foreign(String(block)), ...each }));
}
