import type { Build } from '../model/compare/build.ts';
import type {
  Interaction,
  InteractionPart,
  InteractionScript,
  LongFrame,
  LongFrameScript,
} from '../model/metrics/metrics.ts';
import type { CompareReport } from '../model/result/report.ts';
import { type InteractionSplit, interactionSplit, shownInteraction } from '../result/interactions.ts';
import { calledInWords } from './main-thread.ts';
import { formatValue, joined } from './text/format.ts';
import { elide } from './text/text.ts';

/** The parts of an interaction, in order of time. */
export const INTERACTION_PARTS: readonly { readonly part: InteractionPart; readonly title: string }[] = [
  { part: 'inputDelay', title: 'Until its handlers ran' },
  { part: 'processing', title: 'In its handlers' },
  { part: 'presentation', title: 'From then to the paint' },
];

/** What events are called; others stand under their own names. Source: Event Timing API, the events that are exposed. */
const ACTIONS: Readonly<Record<string, string>> = {
  click: 'click',
  auxclick: 'click',
  contextmenu: 'click',
  dblclick: 'double click',
  mousedown: 'press of the mouse',
  mouseup: 'press of the mouse',
  pointerdown: 'press of the pointer',
  pointerup: 'press of the pointer',
  touchstart: 'tap',
  touchend: 'tap',
  keydown: 'key press',
  keypress: 'key press',
  keyup: 'key press',
  beforeinput: 'key press',
  input: 'key press',
};

/** Below this a script is not worth a word in a sentence, ms. */
const WORTH_A_WORD_MS = 5;
/** Scripts of a frame that a sentence names. */
const MAX_SCRIPTS = 3;
/** Longest name of a script in a sentence: the figures behind it count more. */
const LONGEST_NAME = 80;

/** What the user did: "click", "key press"; with the step of a journey: 'click in the step "buy"'. */
function interactionName({ type, step }: Pick<Interaction, 'type' | 'step'>): string {
  const action = Object.hasOwn(ACTIONS, type) ? ACTIONS[type] : `event ${type}`;
  return step === undefined ? `${action}` : `${action} in the step "${step}"`;
}

/** "The click took 152 ms to show". */
export function interactionInShort(interaction: Interaction): string {
  return `The ${interactionName(interaction)} took ${formatValue(interaction.duration, 'ms')} to show`;
}

/**
 * How long an interaction took and where: "The click took 152 ms to show: 2 ms until its handlers ran, 132 ms in them
 * (onClick in app.js 128 ms, including 30 ms of forced layout), 18 ms until the paint." Each part names its longest script.
 */
export function interactionSentence(interaction: Interaction): string {
  const { inputDelay, processing, presentation } = interaction;
  const named = (part: InteractionPart): string => {
    const longest = longestIn(interaction, part);
    return longest === undefined ? '' : ` (${interactionScriptInWords(longest)})`;
  };
  return (
    `${interactionInShort(interaction)}: ` +
    `${formatValue(inputDelay, 'ms')} until its handlers ran${named('inputDelay')}, ` +
    `${formatValue(processing, 'ms')} in them${named('processing')}, ` +
    `${formatValue(presentation, 'ms')} until the paint${named('presentation')}.`
  );
}

function longestIn({ scripts = [] }: Interaction, part: InteractionPart): InteractionScript | undefined {
  const [longest] = scripts
    .filter((each) => each.part === part && each.ms >= WORTH_A_WORD_MS)
    .toSorted((a, b) => b.ms - a.ms);
  return longest;
}

/** "onClick in app.js 128 ms, including 30 ms of forced layout". */
function interactionScriptInWords({ ms, forced, ...called }: InteractionScript): string {
  const layout = forced < 1 ? '' : `, including ${formatValue(forced, 'ms')} of forced layout`;
  return `${shortCalled(called)} ${formatValue(ms, 'ms')}${layout}`;
}

const shortCalled = (called: Parameters<typeof calledInWords>[0]): string => elide(calledInWords(called), LONGEST_NAME);

/** The longest frame with its scripts: "The longest frame took 152 ms, from 3 ms on: onClick in app.js 128 ms and draw in app.js 9 ms." */
export function longestFrameSentence({ at, duration, scripts }: LongFrame): string {
  const inWords = ({ duration: ms, forced, ...called }: LongFrameScript): string =>
    `${shortCalled(called)} ${formatValue(ms, 'ms')}${forced < 1 ? '' : ` (${formatValue(forced, 'ms')} forced layout)`}`;
  const began = at <= 0 ? 'which had begun before' : `from ${formatValue(at, 'ms')} on`;
  const named = scripts.filter((each) => each.duration >= WORTH_A_WORD_MS).map(inWords);
  const what = named.length === 0 ? 'no script ran in it for long' : joined(named, MAX_SCRIPTS);
  return `The longest frame took ${formatValue(duration, 'ms')}, ${began}: ${what}.`;
}

/**
 * The interactions of two builds: "Interactions took 200 ms to show instead of 40 ms (medians): 2.0 ms until their handlers
 * ran instead of 2.0 ms, 168 ms in them instead of 8.0 ms, 30 ms until the paint instead of 30 ms. Longest in the candidate
 * there: buyNow in app.js 160 ms." The script is that of the candidate's middle run, in the part that grew most. Undefined
 * unless both have some.
 */
export function splitChangeSentence({ base, candidate }: Pick<CompareReport, Build>): string | undefined {
  const [before, after] = [interactionSplit(base), interactionSplit(candidate)];
  if (!before || !after) return undefined;
  const change = (part: keyof InteractionSplit, what: string): string =>
    `${formatValue(after[part], 'ms')} ${what} instead of ${formatValue(before[part], 'ms')}`;
  const grown = INTERACTION_PARTS.map(({ part }) => ({ part, by: after[part] - before[part] }));
  const [most] = grown.filter(({ by }) => by >= WORTH_A_WORD_MS).toSorted((a, b) => b.by - a.by);
  const shown = shownInteraction(candidate);
  const longest = most && shown && longestIn(shown, most.part);
  return (
    `Interactions took ${change('duration', 'to show')} (medians): ${change('inputDelay', 'until their handlers ran')}, ` +
    `${change('processing', 'in them')}, ${change('presentation', 'until the paint')}.` +
    `${longest ? ` Longest in the candidate there: ${interactionScriptInWords(longest)}.` : ''}`
  );
}
