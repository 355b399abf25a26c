import { fixesOf, worthwhileFixes } from '../../result/fixes.ts';
import { fixPage, problemText, problemTitle, savingInWords } from '../../wording/fixes/fixes.ts';
import { cut, list, type Span } from '../parts.ts';
import type { Chapter } from './page.ts';

/** What to fix, the largest saving first: on a first screen in a line each, and only what is worth it. */
export const fixes: Chapter = ({ target, detail }) => {
  const pageUrl = target.result.finalUrl ?? target.result.url;
  if (detail === 'brief') {
    const { shown, more } = cut(worthwhileFixes(target), detail);
    if (shown.length === 0) return [];
    return [
      {
        kind: 'table',
        title: 'What to fix first',
        columns: [
          { title: '', figures: true },
          { title: '', long: true },
        ],
        rows: shown.map((fix) => [savingInWords(fix), problemTitle(fix, pageUrl)]),
        ...(more !== undefined && { more }),
      },
    ];
  }
  const items = fixesOf(target).map((fix) => {
    const page = fixPage(fix.code);
    const how: readonly Span[] = page === undefined ? [] : [' ', { link: 'How', href: page }];
    return {
      text: [{ strong: problemTitle(fix, pageUrl) }, ` ${savingInWords(fix)}: `, problemText(fix), ...how],
    };
  });
  return list(items, detail, { title: [{ strong: 'What to fix first' }, ' (savings overlap: do not add them up)'] });
};
