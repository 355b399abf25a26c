import type { LateContent } from '../../model/completion/late-content.ts';
import { formatCount, formatShare, formatValue } from '../text/format.ts';
import { nameOf } from '../text/names.ts';

/** "/recommendations arrives 3.40 s later and changes 12% of the screen". */
export function lateContentInWords(
  { after, share, urls }: Pick<LateContent, 'after' | 'share' | 'urls'>,
  pageUrl: string,
): string {
  const [first] = urls;
  if (first === undefined) {
    return `the page draws more content ${formatValue(after, 'ms')} later, which changes ${formatShare(share)} of the screen`;
  }
  const others = urls.length - 1;
  const what = `${nameOf(first, pageUrl)}${others > 0 ? ` and ${formatCount(others, 'other request')}` : ''}`;
  const one = others === 0;
  return `${what} ${one ? 'arrives' : 'arrive'} ${formatValue(after, 'ms')} later and ${one ? 'changes' : 'change'} ${formatShare(share)} of the screen`;
}
