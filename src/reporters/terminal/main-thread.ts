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
import { columns, fit, pad, padLeft } from './columns.ts';
import { INDENT, prose, type Screen, widest } from './screen.ts';

/** Scripts that are listed: those below hardly matter. */
const LISTED = 4;
/** Scripts that took less are not worth a line, nor is a main thread that was busy for less, ms. */
const WORTH_A_LINE_MS = 5;
const WORTH_A_WORD_MS = 50;

/** Which code kept the main thread busy; nothing where nothing was traced, or it hardly was. */
export function mainThreadLines(target: TargetReport, screen: Screen): readonly string[] {
  const { mainThread } = target.result;
  const blockers = blockersOf(target.representative);
  const blocking = blockers.length > 0 ? prose(blockingSentence(blockers), screen) : [];
  return [...(mainThread ? tracedLines(mainThread, screen) : []), ...blocking];
}

function tracedLines(mainThread: MainThread, screen: Screen): readonly string[] {
  const { style, width } = screen;
  const scripts = mainThread.byScript.filter(({ ms }) => ms >= WORTH_A_LINE_MS).slice(0, LISTED);
  if (scripts.length === 0 && mainThread.ms < WORTH_A_WORD_MS) return [];
  const rows = scripts.map((script) => {
    const [first] = script.functions.toSorted((a, b) => b.ms - a.ms);
    const most = first === undefined ? '' : `${formatValue(first.ms, 'ms')} in ${functionInWords(script.url, first)}`;
    return {
      ms: formatValue(script.ms, 'ms'),
      name: shortName(script.url),
      what: [partyInWords(script), most].filter((part) => part !== '').join(', '),
    };
  });
  const figure = widest(rows.map(({ ms }) => ms));
  const name = Math.min(Math.floor(width / 3), widest(rows.map((row) => row.name)));
  return [
    ...prose(mainThreadSentence(mainThread), screen),
    ...rows.map((row) => {
      const begins = `${INDENT}${padLeft(row.ms, figure)}  ${pad(fit(row.name, name), name)}  `;
      return begins + style.dim(fit(row.what, Math.max(1, width - columns(begins))));
    }),
    ...unreadMapsSentences(mainThread.unreadMaps ?? []).flatMap((each) => prose(each, screen)),
  ];
}
