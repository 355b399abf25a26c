import type { MainThread } from '../../model/main-thread.ts';
import type { TargetReport } from '../../model/report.ts';
import { formatValue } from '../../wording/format.ts';
import {
  blockersOf,
  blockingSentence,
  functionInWords,
  mainThreadSentence,
  partyInWords,
  unreadMapsSentences,
} from '../../wording/main-thread.ts';
import { shortName } from '../../wording/text.ts';
import { details, list } from './blocks.ts';
import { code, prose } from './inert.ts';

/** Scripts that are listed. */
const LISTED = 5;
/** Scripts that took less are not worth a line, ms. */
const WORTH_A_LINE_MS = 5;

/** Which code kept the main thread busy: the scripts that took longest, each with its longest function. */
export function mainThreadPart({ result: { mainThread }, representative }: TargetReport): string {
  const blockers = blockersOf(representative);
  const blocking = blockers.length > 0 ? prose(blockingSentence(blockers)) : '';
  const parts = [...(mainThread ? tracedParts(mainThread) : []), blocking].filter((part) => part !== '');
  return parts.length === 0 ? '' : details('Main thread', parts.join('\n\n'));
}

function tracedParts(mainThread: MainThread): readonly string[] {
  const scripts = mainThread.byScript.filter(({ ms }) => ms >= WORTH_A_LINE_MS).slice(0, LISTED);
  const lines = scripts.map((script) => {
    const [first] = script.functions.toSorted((a, b) => b.ms - a.ms);
    const most =
      first === undefined
        ? ''
        : `, ${formatValue(first.ms, 'ms')} of it in ${code(functionInWords(script.url, first))}`;
    return `${formatValue(script.ms, 'ms')} ${code(shortName(script.url))} (${prose(partyInWords(script))})${most}`;
  });
  return [
    prose(mainThreadSentence(mainThread)),
    list(lines),
    ...unreadMapsSentences(mainThread.unreadMaps ?? []).map(prose),
  ];
}
