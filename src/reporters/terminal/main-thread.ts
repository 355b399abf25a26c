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
import { plain, shortName } from '../../wording/text.ts';
import type { Ansi } from './ansi.ts';
import { columns, fit, pad, padLeft, wrap } from './columns.ts';

/** Scripts that are listed: those below hardly matter. */
const LISTED = 4;
/** Scripts that took less are not worth a line, nor is a main thread that was busy for less, ms. */
const WORTH_A_LINE_MS = 5;
const WORTH_A_WORD_MS = 50;
const INDENT = '  ';

/** Which code kept the main thread busy; nothing where nothing was traced, or it hardly was. */
export function mainThreadLines(target: TargetReport, style: Ansi, width: number): readonly string[] {
  const { mainThread } = target.result;
  const blockers = blockersOf(target.representative);
  const blocking = blockers.length > 0 ? wrap(plain(blockingSentence(blockers)), width) : [];
  return [...(mainThread ? tracedLines(mainThread, style, width) : []), ...blocking];
}

function tracedLines(mainThread: MainThread, style: Ansi, width: number): readonly string[] {
  const scripts = mainThread.byScript.filter(({ ms }) => ms >= WORTH_A_LINE_MS).slice(0, LISTED);
  if (scripts.length === 0 && mainThread.ms < WORTH_A_WORD_MS) return [];
  const rows = scripts.map((script) => {
    const [first] = script.functions.toSorted((a, b) => b.ms - a.ms);
    const most = first === undefined ? '' : `${formatValue(first.ms, 'ms')} in ${functionInWords(script.url, first)}`;
    return {
      ms: formatValue(script.ms, 'ms'),
      name: plain(shortName(script.url)),
      what: plain([partyInWords(script), most].filter((part) => part !== '').join(', ')),
    };
  });
  const figure = Math.max(0, ...rows.map(({ ms }) => columns(ms)));
  const name = Math.min(Math.floor(width / 3), Math.max(0, ...rows.map((row) => columns(row.name))));
  return [
    ...wrap(plain(mainThreadSentence(mainThread)), width),
    ...rows.map((row) => {
      const begins = `${INDENT}${padLeft(row.ms, figure)}  ${pad(fit(row.name, name), name)}  `;
      return begins + style.dim(fit(row.what, Math.max(1, width - columns(begins))));
    }),
    ...unreadMapsSentences(mainThread.unreadMaps ?? []).flatMap((each) => wrap(plain(each), width)),
  ];
}
