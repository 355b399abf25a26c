import type { TargetReport } from '../../model/report.ts';
import { worthwhileFixes } from '../../result/fixes.ts';
import { fixPage, problemText, problemTitle, savingInWords } from '../../wording/fixes.ts';
import { andMore } from '../../wording/format.ts';
import { prose, type Screen } from './screen.ts';

/** Fixes that are listed: more than anybody does at once. */
const LISTED = 3;

/** What to fix first, with what it saves; nothing where nothing is worth it. */
export function fixLines(target: TargetReport, screen: Screen): readonly string[] {
  const fixes = worthwhileFixes(target);
  const [first] = fixes;
  if (first === undefined) return [];
  const page = fixPage(first.code)?.replace(/#.*$/, '');
  const pageUrl = target.result.finalUrl ?? target.result.url;
  const more = fixes.length - LISTED;
  return [
    ...fixes.slice(0, LISTED).flatMap((fix, index) => {
      const begins = index === 0 ? 'Fix first: ' : 'Then: ';
      return prose(`${begins}${problemTitle(fix, pageUrl)}, ${savingInWords(fix)}. ${problemText(fix)}`, screen);
    }),
    ...(more > 0 ? [`${andMore(more)} in the report`] : []),
    ...(page === undefined ? [] : prose(`How: ${page}`, screen, screen.style.dim)),
  ];
}
