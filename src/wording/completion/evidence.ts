import { withoutOwnOrigin } from '../../core/changes/own-origin.ts';
import type { PageCompleteResult, PictureMoment } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';
import { formatCount, formatShare, formatValue } from '../text/format.ts';
import { listNames } from '../text/names.ts';

/** Why a screenshot is shown; of data, whose. */
interface PictureFacts {
  readonly moment: PictureMoment;
  readonly endpoint?: string;
}

/** What holding the suspects back, the endpoints `held`, showed, in one sentence. Where it is something, which they were. */
export function ablationSentence(
  held: readonly string[],
  comparison: { readonly same: boolean; readonly share: number },
  completeAt: Ms | undefined,
  raw: PageCompleteResult['raw'],
  pageUrl: string,
): string {
  const share = formatShare(comparison.share);
  if (!comparison.same) {
    const counts = held.length === 1 ? 'it counts' : 'some of them count';
    return `Blocking ${listNames(held, pageUrl)} changes the page (${share} of its pixels), so ${counts}.`;
  }
  const when = completeAt === undefined ? 'is not complete' : `is complete after ${formatValue(completeAt, 'ms')}`;
  return `With ${formatCount(held.length, 'endpoint')} blocked, the page looks the same (${share} of its pixels differ) and ${when}. ${instead(raw)}.`;
}

/** What a screenshot of the page shows, a caption. */
export function momentInWords({ moment, endpoint = '' }: PictureFacts, pageUrl: string): string {
  switch (moment) {
    case 'first-contentful-paint':
      return 'first contentful paint';
    case 'largest-contentful-paint':
      return 'largest contentful paint';
    case 'page-complete':
      return 'page complete';
    case 'data-arrived':
      return `after data from ${withoutOwnOrigin(endpoint, pageUrl)} arrived`;
    case 'end':
      return 'the end of watching';
  }
}

/** What network idle says of the page with nothing held back. */
function instead({ state, at }: PageCompleteResult['raw']): string {
  if (state === 'never') return 'Without blocking, network idle says never';
  return state === 'complete' && at !== undefined
    ? `Without blocking, network idle says ${formatValue(at, 'ms')}`
    : 'What network idle says without blocking is not known, because watching ended before the network was quiet for long enough';
}
