import type { JSX } from 'preact';
import type { Interaction, InteractionPart, InteractionScript } from '../../../model/metrics.ts';
import { interactionsLine } from '../../../report/chapter-lines.ts';
import { shownFrame, shownInteraction } from '../../../result/interactions.ts';
import { ABSENT, formatValue } from '../../../wording/format.ts';
import { INTERACTION_PARTS, interactionSentence, longestFrameSentence } from '../../../wording/interactions.ts';
import { calledInWords } from '../../../wording/main-thread.ts';
import { DOCS } from '../components/docs.ts';
import { Address, foreignName, Part, type SectionProps, sentence } from '../components/part.tsx';
import { Split } from '../components/split.tsx';
import { type Column, FoldedTable } from '../components/table.tsx';

/** Scripts that are seen at once; more are folded. */
const SEEN = 6;
/** Scripts that took less are not worth a line, ms. */
const WORTH_A_LINE_MS = 0.5;

/** What the slowest interaction of a step, or of all steps after a load, waited for; and the longest frame of a step. */
export function InteractionsPart({ target, id }: SectionProps): JSX.Element | undefined {
  const interaction = shownInteraction(target);
  // Of a load itself the long frames stand in its waterfall.
  const frame = target.result.step === undefined ? undefined : shownFrame(target);
  if (interaction === undefined && frame === undefined) return undefined;
  // A step is about nothing else.
  const line = target.result.step === undefined ? interactionsLine(target) : undefined;
  const lead = interaction === undefined ? undefined : sentence(interactionSentence(interaction));
  return (
    <Part id={id} title="Interactions" line={line} lead={lead} docs={DOCS.interactions}>
      {interaction !== undefined && (
        <Split
          label="Parts"
          pieces={INTERACTION_PARTS.map(({ part, title }) => ({
            className: `part-${part}`,
            title,
            value: interaction[part],
            means: MEANS[part],
          }))}
        />
      )}
      {interaction !== undefined && <Scripts interaction={interaction} />}
      {frame !== undefined && <p class="keys">{sentence(longestFrameSentence(frame))}</p>}
      {interaction !== undefined && (
        <p class="keys">
          From the middle one of the timed runs that measured these parts. Browsers round the time to the paint to 8 ms,
          and name only scripts of frames over 50 ms.
        </p>
      )}
    </Part>
  );
}

/** What each part is made of. */
const MEANS: Readonly<Record<InteractionPart, string>> = {
  inputDelay: 'The main thread was busy with something else',
  processing: 'The handlers of its events',
  presentation: 'What they ordered for the frame, style, layout and paint',
};

const titleOf = (of: InteractionPart): string => INTERACTION_PARTS.find(({ part }) => part === of)?.title ?? ABSENT;

const COLUMNS: readonly Column<InteractionScript>[] = [
  {
    title: 'Script',
    cell: (script) => (
      <>
        <code>{foreignName(calledInWords(script))}</code>
        {script.url !== '' && (
          <small class="place">
            <Address url={script.url} />
          </small>
        )}
      </>
    ),
  },
  { title: 'Called by', cell: ({ url, invoker }) => (invoker && invoker !== url ? foreignName(invoker) : ABSENT) },
  { title: 'When', cell: ({ part }) => titleOf(part) },
  { title: 'Time', className: 'num', cell: ({ ms }) => formatValue(ms, 'ms') },
  {
    title: 'Forced layout',
    className: 'num',
    cell: ({ forced }) => (forced > 0 ? formatValue(forced, 'ms') : ABSENT),
  },
];

function Scripts({ interaction: { scripts = [] } }: { readonly interaction: Interaction }): JSX.Element | undefined {
  const all = scripts.filter(({ ms }) => ms >= WORTH_A_LINE_MS);
  if (all.length === 0) return undefined;
  return (
    <FoldedTable
      caption="Scripts that the interaction waited for"
      className="waited-for"
      columns={COLUMNS}
      rows={all}
      seen={SEEN}
      noun="script"
    />
  );
}
