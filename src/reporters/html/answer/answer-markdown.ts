import type { TargetReport } from '../../../model/result/report.ts';
import { judgementOf } from '../../../report/judgement.ts';
import { worthwhileFixes } from '../../../result/fixes.ts';
import { problemText, problemTitle, savingInWords } from '../../../wording/fixes/fixes.ts';
import { prose } from '../../markdown/inert.ts';

/** Fixes that are copied. */
const COPIED = 3;

/** The first screen as Markdown, for an issue or a chat; what pages say is shown as it is, and makes no link of theirs. */
export function answerInMarkdown(target: TargetReport): string {
  const { result, sentence } = target;
  const { word, because } = judgementOf(target);
  const fixes = worthwhileFixes(target);
  const pageUrl = result.finalUrl ?? result.url;
  return [
    `**${prose(result.title || result.url)}**: ${prose(word)}. ${prose(sentence)}`,
    ...(because.length > 0 ? ['', prose(because.join(' '))] : []),
    ...(fixes.length > 0 ? ['', 'Fix first:', ''] : []),
    ...fixes
      .slice(0, COPIED)
      .map(
        (fix, i) =>
          `${i + 1}. **${savingInWords(fix)}** ${prose(problemTitle(fix, pageUrl))}. ${prose(problemText(fix))}`,
      ),
    '',
  ].join('\n');
}
