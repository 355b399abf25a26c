import type { InteractionPart, InteractionScript } from '../../model/metrics/metrics.ts';
import { shownFrame, shownInteraction } from '../../result/interactions.ts';
import {
  INTERACTION_PARTS,
  interactionInShort,
  interactionSentence,
  longestFrameSentence,
} from '../../wording/interactions.ts';
import { calledInWords } from '../../wording/main-thread.ts';
import { ABSENT, formatValue } from '../../wording/text/format.ts';
import { type ColumnOf, details, paragraph, table } from '../parts.ts';
import type { Chapter } from './page.ts';

/** Scripts that took less are not worth a row, ms. */
const WORTH_A_ROW_MS = 0.5;

/** What the slowest interaction of a step, or of all steps after a load, waited for; and the longest frame of a step. */
export const interactions: Chapter = ({ target, detail }) => {
  const interaction = shownInteraction(target);
  const isStep = target.result.step !== undefined;
  // Of a load itself the long frames stand in its waterfall.
  const frame = isStep ? shownFrame(target) : undefined;
  const said = interaction && interactionSentence(interaction);
  if (detail === 'brief') return paragraph(said);
  const framed = frame && longestFrameSentence(frame);
  // A step is about nothing else.
  const line = isStep ? undefined : interaction && interactionInShort(interaction);
  return details(
    'Interactions',
    [
      ...paragraph(said),
      ...(interaction === undefined
        ? []
        : [
            {
              kind: 'split' as const,
              title: 'Parts',
              pieces: INTERACTION_PARTS.map(({ part, title }) => ({
                name: `part-${part}`,
                title,
                value: interaction[part],
                means: MEANS[part],
              })),
            },
            ...table(interaction.scripts?.filter(({ ms }) => ms >= WORTH_A_ROW_MS) ?? [], COLUMNS, detail, {
              title: 'Scripts that it waited for',
              noun: 'script',
            }),
          ]),
      ...paragraph(framed, { weight: 'light' }),
      ...(interaction === undefined
        ? []
        : paragraph(
            'From the middle one of the timed runs that measured these parts. Browsers round the time to the paint to 8 ms, and name only scripts of frames over 50 ms.',
            { weight: 'light' },
          )),
    ],
    detail,
    { docs: 'main-thread.md#interactions', ...(line !== undefined && { line }) },
  );
};

/** What each part is made of. */
const MEANS: Readonly<Record<InteractionPart, string>> = {
  inputDelay: 'The main thread was busy with something else',
  processing: 'The handlers of its events',
  presentation: 'What they ordered for the frame, style, layout and paint',
};

const COLUMNS: readonly ColumnOf<InteractionScript>[] = [
  {
    title: 'Script',
    cell: (script) => ({
      text: { code: calledInWords(script) },
      ...(script.url !== '' && { remarks: [{ address: script.url }] }),
    }),
  },
  { title: 'Called by', cell: ({ url, invoker }) => (invoker && invoker !== url ? { code: invoker } : ABSENT) },
  { title: 'When', cell: ({ part }) => INTERACTION_PARTS.find((each) => each.part === part)?.title ?? ABSENT },
  { title: 'Time', figures: true, cell: ({ ms }) => formatValue(ms, 'ms') },
  { title: 'Forced layout', figures: true, cell: ({ forced }) => (forced > 0 ? formatValue(forced, 'ms') : ABSENT) },
];
