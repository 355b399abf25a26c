import type { Build, RequestChange } from '../../model/comparison.ts';
import type { CompareReport } from '../../model/report.ts';
import type { Finding } from '../../model/result.ts';
import { onlyInInWords } from '../../wording/background-change.ts';
import { isWorthAWord } from '../../wording/coverage.ts';
import { endpointInWords } from '../../wording/endpoints.ts';
import { formatCount, formatValue, joined } from '../../wording/format.ts';
import { healthLine } from '../../wording/health.ts';
import { hostWithEntity } from '../../wording/parties.ts';
import { whyInWords } from '../../wording/why.ts';
import { findingTitle } from '../../wording/words.ts';
import {
  anythingChanged,
  changeBesideMedians,
  changeInterval,
  coverage,
  decisionWord,
  differencesInWords,
  failuresInWords,
  gateInWords,
  isInAnswer,
  mediansNote,
  minEffectsText,
  reachOf,
  requestSize,
  type ShownMetric,
  SIGN,
  shownMetrics,
  sizeChange,
  type Tone,
  toneOf,
  verdictOf,
} from '../comparison.ts';
import type { Ansi } from './ansi.ts';
import { budgetLines } from './budgets.ts';
import { columns, fit, pad, padLeft } from './columns.ts';
import { interactionChangeLines } from './interactions.ts';
import { drawInterval } from './interval.ts';
import { lighthouseComparisonLines } from './lighthouse.ts';
import {
  bullet,
  endedEarly,
  INDENT,
  indented,
  more,
  type Paint,
  parted,
  prose,
  type Screen,
  screenOf,
  type TerminalOptions,
  unpainted,
  widest,
} from './screen.ts';
import { shardLines } from './shards.ts';

/** Things of one kind that are listed before it says how many more there are. */
const LISTED = 6;
/** Columns of the drawn interval, where there is room for it; odd, so that no change has a column of its own. */
const DRAWING = { least: 15, most: 31 };
/** Smallest effects of interest that a drawing reaches to either side at most; what is further out has an arrow. */
const FAR = 4;
/** A title cut shorter than this cannot be told from its neighbours, in columns. */
const SHORTEST_TITLE = 14;

/** What a person wants to read right after a comparison; ends with a newline. */
export function renderComparison(report: CompareReport, options: TerminalOptions): string {
  const screen = screenOf(options);
  const lines = parted([
    healthLines(report, screen),
    decisionLines(report, screen),
    buildLines(report, screen),
    metricLines(report, screen),
    sentenceLines(report, screen),
    budgetLines(report.result.candidate, screen),
    lighthouseComparisonLines(report.result.lighthouse, screen),
    backgroundLines(report, screen),
    interactionChangeLines(report, screen),
    codeLines(report, screen),
    changeLines(report, screen),
    fairnessLines(report, screen),
    shardLines(report.result, screen),
    endedEarly(report.result, screen),
  ]);
  return `${lines.join('\n')}\n`;
}

/** That a build does not work: before any figure. */
function healthLines({ base, candidate }: CompareReport, screen: Screen): readonly string[] {
  const of = (name: string, target: CompareReport['base']): readonly string[] => {
    const line = healthLine(target.result);
    return line === undefined ? [] : bullet(`${name}: ${line.sentence}`, screen, '⚠ ').map(screen.style.yellow);
  };
  return [...of('Base', base), ...of('Candidate', candidate)];
}

function dress(tone: Tone | 'invalid', style: Ansi): Paint {
  switch (tone) {
    case 'better':
      return style.green;
    case 'worse':
    case 'invalid':
      return style.red;
    case 'slight':
    case 'unsure':
      return style.yellow;
    case 'same':
      return unpainted;
  }
}

/** The decision; where the two pages are not the same page that is said before any figure. */
function decisionLines(report: CompareReport, screen: Screen): readonly string[] {
  const { style } = screen;
  const { tone, sign } = verdictOf(report);
  const paint = dress(tone, style);
  const { pageDifferences, sentence } = report.result;
  const why = whyInWords(report.result);
  const headline = [
    ...bullet(sentence, screen, `${sign} `).map((line) => style.bold(paint(line))),
    ...(why === undefined ? [] : bullet(`Why: ${why}`, screen, INDENT)),
  ];
  if (pageDifferences.length === 0) return headline;
  const { heading, grave } = differencesInWords(report);
  const differences = pageDifferences.flatMap(({ message }) => bullet(message, screen, '! ', style.yellow));
  // Other traffic alone makes no other page.
  if (!grave) return [...headline, '', ...differences];
  return [...prose(`${heading}:`, screen, style.yellow), ...differences, '', ...headline];
}

function buildLines({ base, candidate }: CompareReport, { style, width }: Screen): readonly string[] {
  const line = (name: string, target: CompareReport['base']['result']): string => {
    const url = target.url === target.target || target.url === '' ? '' : `  (${target.url})`;
    return `${INDENT}${style.dim(pad(name, 9))}  ${fit(target.target + url, width - 13)}`;
  };
  return [line('base', base.result), line('candidate', candidate.result)];
}

function metricLines(report: CompareReport, screen: Screen): readonly string[] {
  const { style, width } = screen;
  // Gates always; of the others those that a short table shows, and those that differ.
  const shown = shownMetrics(report).filter(
    ({ comparison, column }) =>
      comparison.gate || column === undefined || column.headline || comparison.discovery === true,
  );
  if (shown.length === 0) return [];
  const rows = shown.map((metric) => ({ ...wordsOf(metric), metric }));
  const head = {
    mark: '',
    title: 'metric',
    base: 'base',
    candidate: 'candidate',
    change: 'change',
    interval: 'interval',
    decision: 'decision',
  };
  const widthOf = (of: (row: typeof head) => string): number => widest([head, ...rows].map(of));
  const wide = {
    title: widthOf((row) => row.title),
    base: widthOf((row) => row.base),
    candidate: widthOf((row) => row.candidate),
    change: widthOf((row) => row.change),
    interval: widthOf((row) => row.interval),
    decision: widthOf((row) => row.decision),
  };
  const gap = '  ';
  const table = INDENT.length + Object.values(wide).reduce((sum, each) => sum + each + gap.length, 0) - gap.length;
  const invalid = report.result.decision === 'invalid';
  const paintOf = ({ comparison }: ShownMetric) => dress(invalid ? 'same' : toneOf(comparison), style);
  const room = width - table - gap.length;
  const drawing = room < DRAWING.least ? 0 : Math.min(DRAWING.most, room - ((room + 1) % 2));
  const levels = [...new Set(shown.flatMap(({ comparison }) => comparison.difference?.level ?? []))];
  const legend =
    levels.length === 0
      ? []
      : indented(
          `● gate metric: it decides. Intervals hold the true change in ${levels.map(coverage).join(' (gates) and ')} of such comparisons${drawing > 0 ? '; [ ] is the smallest change that matters' : ''}.`,
          screen,
          style.dim,
        );
  const note = indented(mediansNote(shown.map(({ comparison }) => comparison)) ?? '', screen, style.dim);
  if (table > width) {
    return [...rows.flatMap((row) => stackedLines(row, paintOf(row.metric), screen)), ...legend, ...note];
  }
  const reach = reachOf(
    shown.flatMap(({ comparison }) => comparison.difference ?? []),
    FAR,
  );
  const line = (row: typeof head, drawn: string, paint: Paint): string =>
    [
      pad(row.mark, INDENT.length) + pad(row.title, wide.title),
      padLeft(row.base, wide.base),
      padLeft(row.candidate, wide.candidate),
      padLeft(row.change, wide.change),
      pad(row.interval, wide.interval),
      ...(drawing > 0 ? [pad(drawn, drawing)] : []),
      paint(row.decision),
    ]
      .join(gap)
      .trimEnd();
  const middle = (drawing - 1) / 2;
  const scale = drawing > 0 ? `${padLeft('better ◂ ', middle)}0 ▸ worse` : '';
  return [
    style.dim(line(head, scale, unpainted)),
    ...rows.map(({ metric, ...row }) => {
      const { difference } = metric.comparison;
      const drawn = difference === undefined || drawing === 0 ? '' : drawInterval(difference, reach, drawing);
      return line(row, drawn, paintOf(metric));
    }),
    ...legend,
    ...note,
  ];
}

/** A metric on a terminal that is too narrow for a table. */
function stackedLines(row: ReturnType<typeof wordsOf>, paint: Paint, screen: Screen): readonly string[] {
  const { style, width } = screen;
  const title = fit(row.title, width - INDENT.length - columns(row.decision) - 2);
  const figures = `${row.base} → ${row.candidate}, ${row.change} (${row.interval})`;
  return [
    `${pad(row.mark, INDENT.length)}${pad(title, width - INDENT.length - columns(row.decision))}${paint(row.decision)}`,
    ...indented(figures, screen, style.dim),
  ];
}

function wordsOf({ comparison, title }: ShownMetric) {
  const { unit, base, candidate } = comparison;
  const gate = gateInWords(comparison);
  return {
    mark: comparison.gate ? '●' : '',
    title,
    base: formatValue(base.median, unit),
    candidate: formatValue(candidate.median, unit),
    change: changeBesideMedians(comparison),
    interval: changeInterval(comparison),
    decision: `${SIGN[toneOf(comparison)]} ${decisionWord(comparison)}${gate === undefined ? '' : `, ${gate}`}`,
  };
}

/** Each gate in a sentence of its own, where the decision's sentence has not said it already. */
function sentenceLines(report: CompareReport, screen: Screen): readonly string[] {
  if (report.result.decision === 'invalid') return [];
  return shownMetrics(report)
    .filter(({ comparison }) => comparison.gate && !isInAnswer(report.result, comparison))
    .flatMap(({ comparison }) => {
      const tone = toneOf(comparison);
      return bullet(comparison.sentence, screen, `${SIGN[tone]} `, dress(tone, screen.style));
    });
}

/** Background endpoints that only one build has: a new poll is news for a team. */
function backgroundLines({ result }: CompareReport, screen: Screen): readonly string[] {
  const { style } = screen;
  const { backgroundChanges } = result;
  if (backgroundChanges.length === 0) return [];
  const lines = backgroundChanges
    .slice(0, LISTED)
    .flatMap((change) => [
      ...bullet(
        `${change.kind} ${endpointInWords(change)}`,
        screen,
        change.build === 'candidate' ? '+ ' : '− ',
        change.build === 'candidate' ? style.yellow : style.dim,
      ),
      ...indented(`${change.because}; ${onlyInInWords(change)}`, screen, style.dim),
    ]);
  return [
    ...prose('Background traffic that only one build has:', screen),
    ...lines,
    ...more(backgroundChanges.length - LISTED, screen),
  ];
}

/** Which code took longer or shorter, and how much was not used; nothing unless both builds were traced. */
function codeLines({ result: { mainThread, coverage } }: CompareReport, screen: Screen): readonly string[] {
  const unused = coverage?.files.some(isWorthAWord) ? coverage : undefined;
  return [mainThread, unused].flatMap((part) => (part === undefined ? [] : prose(part.sentence, screen)));
}

/** What changed besides time. */
function changeLines(report: CompareReport, screen: Screen): readonly string[] {
  const { style } = screen;
  const { changes } = report.result;
  if (!anythingChanged(report)) {
    return report.result.design.pairs > 0
      ? prose('Apart from times: requests, sizes, other sites and findings are the same.', screen)
      : [];
  }
  const list = (title: string, mark: string, of: readonly RequestChange[]): readonly string[] =>
    of.length === 0
      ? []
      : [
          `${formatCount(of.length, 'request')} ${title}`,
          ...of.slice(0, LISTED).flatMap((change) => requestLines(change, mark, screen)),
          ...more(of.length - LISTED, screen),
        ];
  const bytes = changes.bytes.filter(({ base, candidate }) => base !== candidate);
  const hosts = (build: Build, of: readonly string[]): readonly string[] =>
    of.length === 0
      ? []
      : prose(`Other sites that only the ${build} talks to: ${joined(of.map(hostWithEntity), LISTED)}`, screen);
  const findings = (build: Build, of: readonly Finding[]): readonly string[] =>
    of
      .slice(0, LISTED)
      .flatMap((finding) =>
        bullet(
          `${findingTitle(finding.code)}, only in the ${build}: ${finding.message}`,
          screen,
          '! ',
          build === 'candidate' ? style.yellow : style.dim,
        ),
      );
  return [
    style.bold('Besides time'),
    ...list('added', '+', changes.added),
    ...list('removed', '−', changes.removed),
    ...list('grown', '▲', changes.grown),
    ...list('shrunk', '▼', changes.shrunk),
    ...(bytes.length === 0
      ? []
      : [
          'Transferred bytes',
          ...bytes.map(({ type, base, candidate }) => `${INDENT}${pad(type, 10)}  ${sizeChange(base, candidate)}`),
        ]),
    ...hosts('candidate', changes.thirdParties.added),
    ...hosts('base', changes.thirdParties.removed),
    ...findings('candidate', changes.findings.added),
    ...findings('base', changes.findings.removed),
  ];
}

function requestLines(change: RequestChange, mark: string, { style, width }: Screen): readonly string[] {
  const size = requestSize(change);
  const room = width - INDENT.length - 2 - columns(size) - 2;
  const name = change.name;
  // Beside a name that is cut to nothing a size says nothing.
  if (room < SHORTEST_TITLE) {
    return [`${INDENT}${mark} ${fit(name, width - 4)}`, `${INDENT}${INDENT}${style.dim(fit(size, width - 4))}`];
  }
  return [`${INDENT}${mark} ${fit(name, room)}  ${style.dim(size)}`];
}

/** How the loads were laid out, whether the machine was fit, and why it stopped. */
function fairnessLines(report: CompareReport, screen: Screen): readonly string[] {
  const { style } = screen;
  const { design, host } = report.result;
  const tooSmall = minEffectsText(report);
  const facts = [
    `${formatCount(design.pairs, 'pair')} of loads in ${formatCount(design.blocks, 'block')} of four, in random order (seed ${design.seed})${
      tooSmall === undefined ? '' : `; a change within ${tooSmall} does not matter`
    }.`,
    design.stoppedSentence,
    ...(design.repeated > 0
      ? [
          `${formatCount(design.repeated, 'load was', 'loads were')} repeated because the machine was busy with other work.`,
        ]
      : []),
  ];
  const dropped = design.dropped
    .slice(0, LISTED)
    .flatMap(({ block, because }) => bullet(`Block ${block} does not count: ${because}`, screen, '! ', style.yellow));
  const paint = host.verdict === 'fit' ? style.green : host.verdict === 'unknown' ? style.dim : style.red;
  const sign = host.verdict === 'fit' ? '✓ ' : host.verdict === 'unknown' ? '? ' : '✗ ';
  return [
    ...facts.flatMap((fact) => bullet(fact, screen)),
    ...dropped,
    ...more(design.dropped.length - LISTED, screen),
    ...failuresInWords(report, ([first]) => first).flatMap((line) => bullet(line, screen, '✗ ', style.red)),
    ...bullet(host.sentence, screen, sign, paint),
  ];
}
