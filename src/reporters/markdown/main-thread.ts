import type { MainThread } from '../../model/main-thread.ts';
import { formatValue } from '../../wording/format.ts';
import { functionInWords, mainThreadSentence, partyInWords } from '../../wording/main-thread.ts';
import { shortName } from '../../wording/text.ts';
import { details, list } from './blocks.ts';
import { code, prose } from './inert.ts';

/** Scripts that are listed. */
const LISTED = 5;
/** Scripts that took less are not worth a line, ms. */
const WORTH_A_LINE_MS = 5;

/** Which code kept the main thread busy: the scripts that took longest, each with its longest function. */
export function mainThreadPart(mainThread: MainThread | undefined): string {
  if (mainThread === undefined) return '';
  const scripts = mainThread.byScript.filter(({ ms }) => ms >= WORTH_A_LINE_MS).slice(0, LISTED);
  const lines = scripts.map((script) => {
    const [first] = script.functions.toSorted((a, b) => b.ms - a.ms);
    const most =
      first === undefined
        ? ''
        : `, ${formatValue(first.ms, 'ms')} of it in ${code(functionInWords(script.url, first))}`;
    return `${formatValue(script.ms, 'ms')} ${code(shortName(script.url))} (${prose(partyInWords(script))})${most}`;
  });
  const parts = [prose(mainThreadSentence(mainThread)), list(lines)];
  return details('Main thread', parts.filter((part) => part !== '').join('\n\n'));
}
