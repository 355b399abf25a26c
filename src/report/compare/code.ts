import { BUILDS } from '../../model/compare/build.ts';
import type { CoverageChange } from '../../model/coverage.ts';
import type { CodeChange } from '../../model/main-thread.ts';
import { interactionSplit, isInteractionChanged, shownInteraction } from '../../result/interactions.ts';
import { changedFileName, isWorthAWord, signedBytes } from '../../wording/coverage.ts';
import { INTERACTION_PARTS, interactionSentence, splitChangeSentence } from '../../wording/interactions.ts';
import {
  categoryInWords,
  changedFunctionInWords,
  changeOverLoadsInWords,
  isChangedScript,
  isLikeTimed,
  signed,
  timedChangeInWords,
} from '../../wording/main-thread.ts';
import { ABSENT, formatValue, joined } from '../../wording/text/format.ts';

import { capitalized } from '../../wording/text/text.ts';
import { type Cell, type ColumnOf, details, list, paragraph, type Span, table } from '../parts.ts';
import type { CompareChapter } from './comparison.ts';

const LIGHT = { weight: 'light' } as const;
/** Kinds of work and packages that are named. */
const MAX_PACKAGES = 4;
/** Kinds of work that changed by less in one load of each build are not named, ms. */
const WORTH_A_WORD_MS = 5;

/** How the interactions of both builds split. */
export const interactions: CompareChapter = (report, detail) => {
  const [base, candidate] = [interactionSplit(report.base), interactionSplit(report.candidate)];
  const change = splitChangeSentence(report);
  if (detail === 'brief') return isInteractionChanged(report) ? paragraph(change) : [];
  if (base === undefined && candidate === undefined) return [];
  const rows = [...INTERACTION_PARTS, { part: 'duration', title: 'Together' } as const];
  return details(
    'Interactions',
    [
      ...table(
        rows,
        [
          { title: 'Part', cell: ({ title }) => title },
          { title: 'Base', figures: true, cell: ({ part }) => formatValue(base?.[part], 'ms') },
          { title: 'Candidate', figures: true, cell: ({ part }) => formatValue(candidate?.[part], 'ms') },
          {
            title: 'Change',
            figures: true,
            cell: ({ part }) => (base && candidate ? signed(candidate[part] - base[part]) : ABSENT),
          },
        ],
        detail,
      ),
      ...list(
        BUILDS.flatMap((build) => {
          const shown = shownInteraction(report[build]);
          if (shown === undefined) return [];
          return [{ text: `${capitalized(build)}, in the run in the middle: ${interactionSentence(shown)}` }];
        }),
        detail,
      ),
      ...paragraph(
        'Medians over the runs that count, each for itself: they need not add up. Interactions of less than 16 ms are not reported.',
        LIGHT,
      ),
    ],
    detail,
    { line: change ?? 'Only in one build', docs: 'main-thread.md#interactions' },
  );
};

/** Which code took longer or shorter; nothing unless both builds were traced. */
export const mainThread: CompareChapter = ({ result: { mainThread: traced } }, detail) => {
  if (traced === undefined) return [];
  const { byScript, byCategory, byPackage, profiledLoads, sentence } = traced;
  const categories = byCategory
    .filter(({ base, candidate }) => isLikeTimed(traced) && Math.abs(candidate - base) >= WORTH_A_WORD_MS)
    .slice(0, MAX_PACKAGES)
    .map(({ category, base, candidate }) => `${categoryInWords(category)} ${signed(candidate - base)}`);
  const packages = byPackage.slice(0, MAX_PACKAGES).map((each) => `${each.package} ${changeOverLoadsInWords(each)}`);
  return details(
    'Main thread',
    [
      ...table(byScript.filter(isChangedScript), SCRIPTS, detail, { noun: 'script' }),
      ...(packages.length === 0 ? [] : paragraph(`By package: ${joined(packages)}.`, LIGHT)),
      ...(categories.length === 0
        ? []
        : paragraph(`By kind of work, in one traced load of each build: ${joined(categories)}.`, LIGHT)),
      ...paragraph(
        profiledLoads === undefined
          ? `From ${traced.base === undefined ? 'the timed runs' : 'one traced load of each build'}.`
          : `From ${profiledLoads} untimed loads of each build with a CPU profile: a profile makes scripts slower, so what changed counts here, and the timed runs say by how much. The intervals hold for all scripts and functions together.`,
        LIGHT,
      ),
    ],
    detail,
    { line: sentence },
  );
};

const SCRIPTS: readonly ColumnOf<CodeChange>[] = [
  { title: 'Script', cell: ({ name }) => ({ code: name }) },
  { title: 'Base', figures: true, cell: ({ profiled, timed }) => formatValue((profiled ?? timed)?.base, 'ms') },
  {
    title: 'Candidate',
    figures: true,
    cell: ({ profiled, timed }) => formatValue((profiled ?? timed)?.candidate, 'ms'),
  },
  {
    title: 'Change',
    figures: true,
    cell: ({ profiled, timed }) => {
      const change = profiled ?? timed;
      return change === undefined ? ABSENT : changeOverLoadsInWords(change);
    },
  },
  { title: 'Mostly', long: true, cell: mostlyIn },
];

function mostlyIn({ url, profiled, category, functions = [], timed }: CodeChange): Cell {
  const [first, ...others] = functions.map((each): readonly Span[] => [
    `${changeOverLoadsInWords(each)} in `,
    { code: changedFunctionInWords(url, each) },
  ]);
  return {
    text: first ?? (category === undefined ? '' : categoryInWords(category)),
    remarks: [
      ...others,
      ...(profiled && timed?.difference !== undefined ? [`The script ${timedChangeInWords(timed)}`] : []),
    ],
  };
}

/** Which code was loaded and not used. */
export const unusedCode: CompareChapter = ({ result: { coverage } }, detail) =>
  coverage === undefined
    ? []
    : details(
        'Unused code',
        [
          ...table(coverage.files.filter(isWorthAWord), FILES, detail, { noun: 'file' }),
          ...paragraph('From one untimed load of each build. Sizes are of the text, uncompressed.', LIGHT),
        ],
        detail,
        { line: coverage.sentence },
      );

const unusedOf = ({ bytes, unused }: CoverageChange['base']): string =>
  bytes === 0 ? ABSENT : `${formatValue(unused, 'bytes')} of ${formatValue(bytes, 'bytes')}`;

const FILES: readonly ColumnOf<CoverageChange>[] = [
  { title: 'File', cell: (file) => ({ code: changedFileName(file) }) },
  { title: 'Base', figures: true, cell: ({ base }) => unusedOf(base) },
  { title: 'Candidate', figures: true, cell: ({ candidate }) => unusedOf(candidate) },
  { title: 'Change', figures: true, cell: ({ base, candidate }) => signedBytes(candidate.unused - base.unused) },
];
