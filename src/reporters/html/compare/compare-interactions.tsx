import type { JSX } from 'preact';
import { BUILDS } from '../../../model/build.ts';
import type { CompareReport } from '../../../model/report.ts';
import { type InteractionSplit, interactionSplit, shownInteraction } from '../../../result/interactions.ts';
import { formatValue } from '../../../wording/format.ts';
import { INTERACTION_PARTS, interactionSentence, splitChangeSentence } from '../../../wording/interactions.ts';
import { signed } from '../../../wording/main-thread.ts';
import { DOCS } from '../components/docs.ts';
import { Part, sentence } from '../components/part.tsx';
import { type Column, Table } from '../components/table.tsx';
import { BUILD_NAMES } from './build-sign.tsx';

interface SplitRow {
  readonly title: string;
  readonly base: number | undefined;
  readonly candidate: number | undefined;
}

const COLUMNS: readonly Column<SplitRow>[] = [
  { title: 'Part', cell: ({ title }) => title },
  { title: 'Base', className: 'num', cell: ({ base }) => formatValue(base, 'ms') },
  { title: 'Candidate', className: 'num', cell: ({ candidate }) => formatValue(candidate, 'ms') },
  {
    title: 'Change',
    className: 'num',
    cell: ({ base, candidate }) =>
      base === undefined || candidate === undefined ? formatValue(undefined, 'ms') : signed(candidate - base),
  },
];

/** How the interactions of both builds split. */
export function CompareInteractionsPart({ report }: { readonly report: CompareReport }): JSX.Element | undefined {
  const [base, candidate] = [interactionSplit(report.base), interactionSplit(report.candidate)];
  if (base === undefined && candidate === undefined) return undefined;
  const row = (title: string, part: keyof InteractionSplit): SplitRow => ({
    title,
    base: base?.[part],
    candidate: candidate?.[part],
  });
  const rows = [...INTERACTION_PARTS.map(({ part, title }) => row(title, part)), row('Together', 'duration')];
  const change = splitChangeSentence(report);
  return (
    <Part id="compare" title="Interactions" line={change ?? 'Only in one build'} docs={DOCS.interactions}>
      <Table caption="Parts of the slowest interaction" columns={COLUMNS} rows={rows} />
      {BUILDS.map((build) => {
        const shown = shownInteraction(report[build]);
        return (
          shown && (
            <p key={build} class="keys">
              {BUILD_NAMES[build]}, in the run in the middle: {sentence(interactionSentence(shown))}
            </p>
          )
        );
      })}
      <p class="keys">
        Medians over the runs that count, each for itself: they need not add up. Interactions of less than 16 ms are not
        reported.
      </p>
    </Part>
  );
}
