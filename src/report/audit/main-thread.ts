import type { MainThread } from '../../model/main-thread.ts';
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
import { cut, type Detail, details, type Part, paragraph } from '../parts.ts';
import type { Chapter } from './page.ts';

/** Scripts that took less are not worth a row, ms. */
const WORTH_A_ROW_MS = 5;

/** Which code kept the main thread busy: the scripts that took longest, each with its longest function. */
export const mainThread: Chapter = ({ target, detail }) => {
  const blockers = blockersOf(target.representative);
  const traced = target.result.mainThread;
  return details(
    'Main thread',
    [
      ...(traced === undefined ? [] : scripts(traced, detail)),
      ...(blockers.length === 0 ? [] : paragraph(blockingSentence(blockers))),
    ],
    detail,
  );
};

function scripts(traced: MainThread, detail: Detail): readonly Part[] {
  const { shown, more } = cut(
    traced.byScript.filter(({ ms }) => ms >= WORTH_A_ROW_MS),
    detail,
    'script',
  );
  const rows = shown.map((script) => {
    const [first] = script.functions.toSorted((a, b) => b.ms - a.ms);
    const longest =
      first === undefined ? '' : `${formatValue(first.ms, 'ms')} in ${functionInWords(script.url, first)}`;
    return [formatValue(script.ms, 'ms'), { code: shortName(script.url) }, partyInWords(script), longest];
  });
  const columns = [
    { title: 'Time', figures: true },
    { title: 'Script' },
    { title: 'From' },
    { title: 'Longest function', long: true },
  ];
  return [
    ...paragraph(mainThreadSentence(traced)),
    ...(rows.length === 0 ? [] : [{ kind: 'table' as const, columns, rows, ...(more !== undefined && { more }) }]),
    ...unreadMapsSentences(traced.unreadMaps ?? []).flatMap((text) => paragraph(text)),
  ];
}
