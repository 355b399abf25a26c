import type { BackgroundChange, Build, RequestChange } from '../../model/comparison.ts';
import type { CompareReport } from '../../model/report.ts';
import type { CriticalPath } from '../../model/result.ts';
import { chainInWords, pathSentence } from '../../report/critical-path.ts';
import { isOverBudget } from '../../result/over-budget.ts';
import { onlyInInWords } from '../../wording/background-change.ts';
import { comparisonAnswer } from '../../wording/comparison.ts';
import { endpointInWords } from '../../wording/endpoints.ts';
import { formatCount, formatValue } from '../../wording/format.ts';
import { healthLine } from '../../wording/health.ts';
import { hostWithEntity } from '../../wording/parties.ts';
import { whyInWords } from '../../wording/why.ts';
import { findingTitle } from '../../wording/words.ts';
import {
  anythingChanged,
  changeBesideMedians,
  changeInterval,
  changeText,
  coverage,
  decisionWord,
  differencesInWords,
  failuresInWords,
  gateInWords,
  isInAnswer,
  mediansNote,
  minEffectsText,
  requestSize,
  type ShownMetric,
  SIGN,
  shownMetrics,
  sizeChange,
  type Tone,
  toneOf,
  verdictOf,
} from '../comparison.ts';
import { details, list, others, table } from './blocks.ts';
import { code, prose } from './inert.ts';
import { interactionChangePart } from './interactions.ts';
import { budgetsPart, conditionsLine, lighthouseTable } from './lab.ts';
import { shardsPart, shardsWarning } from './shards.ts';

/**
 * Things of one kind that are listed before it says how many more there are. With the longest names a summary stays
 * below the 65,536 letters that a comment on GitHub may have.
 */
const LISTED = 10;

/** Pictures that every forge and mail program has; never red for what is better. */
const EMOJI: Readonly<Record<Tone | 'invalid', string>> = {
  better: '🟢',
  worse: '🔴',
  slight: '🟡',
  same: '⚪',
  unsure: '❔',
  invalid: '⛔',
};

/**
 * The comparison as a comment on a pull request or the summary of a job (GitHub flavoured Markdown). Texts of the pages
 * are words or code in it: they mention nobody, link nowhere and hold no HTML.
 */
export function renderComparisonMarkdown(report: CompareReport): string {
  const parts = [
    decisionPart(report),
    metricPart(report),
    pathPart(report),
    interactionChangePart(report),
    budgetsPart(report.candidate.result),
    details('Every other metric', otherPart(report)),
    backgroundPart(report),
    details('Lighthouse (for information only)', lighthouseTable(report)),
    details('Main thread', prose(report.result.mainThread?.sentence ?? '')),
    details('Unused code', prose(report.result.coverage?.sentence ?? '')),
    details(`What changed besides time${changesInShort(report)}`, changePart(report)),
    details(`How it was measured: ${formatCount(report.result.design.pairs, 'pair')} of loads`, fairnessPart(report)),
    details('The shards', shardsPart(report.result)),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function decisionPart(report: CompareReport): string {
  const { tone, sign, word } = verdictOf(report);
  const { pageDifferences, interrupted, host, decision } = report.result;
  const { base, candidate } = report;
  const { heading, grave } = differencesInWords(report);
  const over = isOverBudget(candidate.result);
  const why = whyInWords(report.result);
  const conditions = conditionsLine(candidate.result.conditions);
  const shards = shardsWarning(report.result);
  const differences =
    pageDifferences.length === 0
      ? []
      : [
          `> [!${grave ? 'WARNING' : 'NOTE'}]`,
          // The message itself says it where it is only that.
          ...(grave ? [`> ${heading}:`] : []),
          ...pageDifferences.slice(0, LISTED).map(({ message }) => `> - ${prose(message)}`),
          '',
        ];
  const [answer, reasons] = comparisonAnswer(report.result);
  // Of an invalid comparison the answer is that.
  const busy =
    host.verdict === 'unfit' && decision !== 'invalid' ? ['> [!WARNING]', `> ${prose(host.sentence)}`, ''] : [];
  return [
    `### ${over && tone !== 'worse' ? '❌' : EMOJI[tone]} ${word}${tone === 'unsure' ? '' : ` ${sign}`}${over ? ', candidate over budget' : ''}`,
    '',
    ...differences,
    ...healthLines('Base', base),
    ...healthLines('Candidate', candidate),
    [`**${prose(answer)}**`, ...reasons.slice(0, LISTED).map((reason) => prose(reason))].join(' '),
    '',
    ...(why === undefined ? [] : [`**Why:** ${prose(why)}`, '']),
    ...busy,
    `${code(base.result.target)} → ${code(candidate.result.target)}`,
    ...(conditions === '' ? [] : ['', conditions]),
    ...(interrupted === true ? ['', 'Ended early. The result contains what was measured until then.'] : []),
    ...(shards === '' ? [] : ['', shards]),
  ].join('\n');
}

/** That a build does not work: before any figure. */
function healthLines(name: string, { result }: CompareReport['base']): readonly string[] {
  const line = healthLine(result);
  return line === undefined ? [] : ['> [!WARNING]', `> ${name}: ${prose(line.sentence)}`, ''];
}

function metricTable(metrics: readonly ShownMetric[], invalid: boolean): string {
  return table(
    [
      { title: 'Metric' },
      { title: 'Base', figures: true },
      { title: 'Candidate', figures: true },
      { title: 'Change', figures: true },
      { title: 'Interval' },
      { title: 'Decision' },
    ],
    metrics.map(({ comparison, title }) => {
      const { base, candidate, unit, fails, difference } = comparison;
      const gate = gateInWords(comparison);
      const tone = toneOf(comparison);
      const level = difference === undefined ? '' : ` (${coverage(difference.level)})`;
      // The picture of what is not decided says so by itself; others have the sign too, for those who see no colours.
      const sign = tone === 'unsure' ? '' : `${SIGN[tone]} `;
      const word = `${EMOJI[invalid ? 'same' : tone]} ${sign}${decisionWord(comparison)}${gate === undefined ? '' : fails ? `, **${gate}**` : `, ${gate}`}`;
      return [
        comparison.gate ? `**${prose(title)}**` : prose(title),
        formatValue(base.median, unit),
        formatValue(candidate.median, unit),
        changeBesideMedians(comparison),
        `${changeInterval(comparison)}${level}`,
        word,
      ];
    }),
  );
}

function metricPart(report: CompareReport): string {
  const gates = shownMetrics(report).filter(({ comparison }) => comparison.gate);
  if (gates.length === 0) return '';
  const tooSmall = minEffectsText(report);
  const note = mediansNote(gates.map(({ comparison }) => comparison));
  const invalid = report.result.decision === 'invalid';
  const isFirst = ({ comparison }: (typeof gates)[number]): boolean => isInAnswer(report.result, comparison);
  // The answer above names the first few.
  const sentences = invalid ? [] : [...gates.filter(isFirst).slice(LISTED), ...gates.filter((gate) => !isFirst(gate))];
  return [
    metricTable(gates, invalid),
    ...(tooSmall === undefined ? [] : ['', `A change within ${tooSmall} does not matter.`]),
    ...(note === undefined ? [] : ['', prose(note)]),
    ...(sentences.length === 0 ? [] : ['', list(sentences.map(({ comparison }) => prose(comparison.sentence)))]),
  ].join('\n');
}

/** Where a change came from, as far as one chain of requests can tell: only where there is one. */
function pathPart({ result, base, candidate }: CompareReport): string {
  const { decision } = result;
  const [before, after] = [base.representative?.criticalPath, candidate.representative?.criticalPath];
  if ((decision !== 'slower' && decision !== 'faster') || before === undefined || after === undefined) return '';
  const line = (build: Build, path: CriticalPath): string => {
    const most = pathSentence(path);
    return `${build}: ${code(chainInWords(path))}${most === undefined ? '' : `  \n  ${prose(most)}`}`;
  };
  return `**The requests that page complete waited for**\n\n${list([line('base', before), line('candidate', after)])}`;
}

function otherPart(report: CompareReport): string {
  const rest = shownMetrics(report).filter(({ comparison }) => !comparison.gate);
  return rest.length === 0 ? '' : metricTable(rest, report.result.decision === 'invalid');
}

function changeWord(change: BackgroundChange): string {
  if (change.contentInOther) return prose(onlyInInWords(change));
  return change.build === 'candidate' ? '**new**' : 'gone';
}

function backgroundPart({ result }: CompareReport): string {
  const { backgroundChanges } = result;
  if (backgroundChanges.length === 0) return '';
  const lines = backgroundChanges
    .slice(0, LISTED)
    .map(
      (change) =>
        `${changeWord(change)}: ${code(change.kind)} ${code(endpointInWords(change))}: ${prose(change.because)}`,
    );
  return `**Background traffic that only one build has**\n\n${list([...lines, ...others(backgroundChanges.length - LISTED)])}`;
}

/** ": 2 requests added, 1 grown; +79 kB", so that nobody need unfold it to learn that there is nothing. */
function changesInShort({ result }: CompareReport): string {
  const { added, removed, grown, shrunk, bytes } = result.changes;
  const counts = (
    [
      ['added', added],
      ['removed', removed],
      ['grown', grown],
      ['shrunk', shrunk],
    ] as const
  ).flatMap(([word, of]) => (of.length === 0 ? [] : [[word, of.length] as const]));
  const requests = counts.map(([word, count], i) => `${i === 0 ? formatCount(count, 'request') : count} ${word}`);
  const by = bytes.reduce((sum, { base, candidate }) => sum + candidate - base, 0);
  const size = by === 0 ? [] : [`${by > 0 ? '+' : ''}${formatValue(by, 'bytes')}`];
  const detail = [...(requests.length === 0 ? [] : [requests.join(', ')]), ...size].join('; ');
  return detail === '' ? '' : `: ${detail}`;
}

function changePart(report: CompareReport): string {
  const { changes, design } = report.result;
  if (!anythingChanged(report))
    return design.pairs > 0 ? 'Apart from times: requests, sizes, other sites and findings are the same.' : '';
  const requests = (title: string, of: readonly RequestChange[]): readonly string[] =>
    of.length === 0
      ? []
      : [
          `${formatCount(of.length, 'request')} ${title}`,
          list([
            ...of.slice(0, LISTED).map((change) => `${code(change.name)}: ${requestSize(change)}`),
            ...others(of.length - LISTED),
          ]),
        ];
  const bytes = changes.bytes.filter(({ base, candidate }) => base !== candidate);
  const hosts = (build: Build, of: readonly string[]): readonly string[] =>
    of.length === 0
      ? []
      : [
          `Other sites that only the ${build} talks to: ${[...of.slice(0, LISTED).map((host) => code(hostWithEntity(host))), ...others(of.length - LISTED)].join(', ')}`,
        ];
  const findings = (['candidate', 'base'] as const).flatMap((build) =>
    changes.findings[build === 'candidate' ? 'added' : 'removed']
      .slice(0, LISTED)
      .map(({ code: what, message }) => `${prose(findingTitle(what))}, only in the ${build}: ${prose(message)}`),
  );
  return [
    ...requests('added', changes.added),
    ...requests('removed', changes.removed),
    ...requests('grown', changes.grown),
    ...requests('shrunk', changes.shrunk),
    ...(bytes.length === 0
      ? []
      : [
          'Transferred bytes',
          list(bytes.map((each) => `${code(each.type)}: ${sizeChange(each.base, each.candidate)}`)),
        ]),
    ...hosts('candidate', changes.thirdParties.added),
    ...hosts('base', changes.thirdParties.removed),
    ...(findings.length === 0 ? [] : ['Findings', list(findings)]),
  ].join('\n\n');
}

function fairnessPart(report: CompareReport): string {
  const { design, host, browser, tool } = report.result;
  const { control } = host;
  return list([
    `${formatCount(design.pairs, 'pair')} of loads in ${formatCount(design.blocks, 'block')} of four, in random order, seed ${code(String(design.seed))}`,
    prose(design.stoppedSentence),
    ...(design.repeated > 0
      ? [
          `${formatCount(design.repeated, 'load was', 'loads were')} repeated because the machine was busy with other work`,
        ]
      : []),
    ...design.dropped.slice(0, LISTED).map(({ block, because }) => `Block ${block} does not count: ${prose(because)}`),
    ...others(design.dropped.length - LISTED),
    ...failuresInWords(report, ([first]) => first && prose(first)),
    `${host.verdict === 'fit' ? '✓ ' : ''}${prose(host.sentence)}`,
    ...(control === undefined
      ? []
      : [
          `A fixed calculation before each load, which no build can change: ${changeText({ difference: control, unit: 'ms' })} (${changeInterval({ difference: control, unit: 'ms' })}, ${coverage(control.level)})`,
        ]),
    `Measured with Quiesce ${code(tool.version)} in ${code(browser.product)}${browser.elsewhere ? ' on another machine' : ''}`,
    ...(browser.notes ?? []).map((note) => prose(note)),
  ]);
}
