import { BUILDS } from '../../model/compare/build.ts';
import type { HostComparison } from '../../model/compare/comparison.ts';
import { countedRuns } from '../../result/counted-runs.ts';
import { ABSENT, formatChosenShare, formatCount, formatValue } from '../../wording/text/format.ts';
import { browserFact } from '../audit/fairness.ts';
import { changeInterval, changeText, coverage, failuresInWords, placedRuns } from '../comparison.ts';
import { conditionsInWords, isNetworkOff, networkInWords, screenInWords } from '../conditions.ts';
import { details, type Fact, type Item, list, type Mark, paragraph } from '../parts.ts';
import { shards } from '../several-machines.ts';
import { layoutInWords } from '../shards.ts';
import { showsHost } from './answer.ts';
import type { CompareChapter } from './comparison.ts';

/** An interval wider than this tells nothing of the machine, as a share. */
const TOO_WIDE = 0.25;

type Report = Parameters<CompareChapter>[0];

/** Whether the two builds were treated alike: the machine, the order, what was repeated, what does not count, and why it stopped. */
export const fairness: CompareChapter = (report, detail) => {
  const { design, host, browser, tool } = report.result;
  const mark: Mark = host.verdict === 'fit' ? 'good' : host.verdict === 'unknown' ? 'unknown' : 'bad';
  const failures = failuresInWords(report, (reasons) => reasons.slice(0, 3).join(' ')).map(
    (text): Item => ({ mark: 'bad', text }),
  );
  if (detail === 'brief') {
    const machine: readonly Item[] = showsHost(report) ? [] : [{ mark, text: host.sentence }];
    return list([{ text: design.stoppedSentence }, ...machine, ...failures], detail);
  }
  const looks = design.looksTaken.map(({ pairs }) => pairs);
  const { control } = host;
  const facts: readonly Fact[] = [
    [
      'Pairs that count',
      `${formatCount(design.pairs, 'pair')} of loads in ${formatCount(design.blocks, 'block')} of four`,
    ],
    ['Why it stopped', design.stoppedSentence],
    [
      'Looked at after',
      looks.length === 0 ? ABSENT : `${looks.join(', ')} pairs; planned were ${design.looks.join(', ')}`,
    ],
    ['Chance of a false difference', `${formatChosenShare(design.alpha)} at most, over all looks and gate metrics`],
    ['Seed of the order', { code: String(design.seed) }],
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
    browserFact(browser),
    ['Measured with', ['Quiesce ', { code: tool.version }]],
    ...(control === undefined
      ? []
      : [
          [
            'A fixed calculation before each load',
            `${changeText({ difference: control, unit: 'ms' })}, ${coverage(control.level)} interval ${changeInterval({ difference: control, unit: 'ms' })}: ${controlInWords(control)}`,
          ] as const,
        ]),
  ];
  const dropped = design.dropped.map(
    ({ block, because }): Item => ({ mark: 'warning', text: `Block ${block} does not count: ${because}` }),
  );
  return details(
    'Was it fair?',
    [
      ...paragraph(layoutInWords(report.result)),
      ...paragraph(host.sentence, { mark }),
      { kind: 'facts', facts },
      ...shards(report.result, detail),
      ...list(failures, detail),
      ...list(dropped, detail, { noun: 'block' }),
      ...(detail === 'all' ? details('The order of all loads', orderOf(report), detail) : []),
    ],
    detail,
    { line: host.sentence },
  );
};

/** What the fixed calculation says of the machine. */
function controlInWords({
  differs,
  low = Number.NEGATIVE_INFINITY,
  high = Number.POSITIVE_INFINITY,
}: NonNullable<HostComparison['control']>): string {
  if (differs) return 'it differs, which no build can cause';
  return high - low > TOO_WIDE ? 'too uncertain to tell' : 'no difference between the builds';
}

/** Under which conditions both builds were loaded, and what each really got of them. */
function conditionFacts(report: Report): readonly Fact[] {
  const { conditions } = report.candidate.result;
  if (conditions === undefined) return [];
  const networks = BUILDS.flatMap((build): readonly Fact[] => {
    const runs = countedRuns(report[build]);
    const network = networkInWords(conditions, runs);
    if (network === undefined) return [];
    const off = runs.filter(isNetworkOff).length;
    const trouble = off === 0 ? '' : `; ✗ not as requested in ${off} of ${formatCount(runs.length, 'load')}`;
    return [[`Network that the ${build} got`, network + trouble]];
  });
  return [['Conditions', conditionsInWords(conditions)], ['Screen', screenInWords(conditions.device)], ...networks];
}

/** "1 BCCB · 2 CBBC". */
function orderOf(report: Report) {
  const blocks = [...Map.groupBy(placedRuns(report), ({ block }) => block ?? 0)].map(([block, runs]) => {
    const order = runs.map(({ build }) => (build === 'base' ? 'B' : 'C')).join('');
    const counts = runs.every(({ ok, excluded }) => ok && excluded === undefined);
    return `${block} ${order}${counts ? '' : ' (does not count)'}`;
  });
  if (blocks.length === 0) return [];
  return [
    ...paragraph(blocks.join(' · ')),
    ...paragraph('B is a load of the base, C one of the candidate.', { weight: 'light' }),
  ];
}
