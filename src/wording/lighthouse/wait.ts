import type { LighthouseWait } from '../../model/lighthouse/lighthouse.ts';
import { formatCount, formatValue } from '../text/format.ts';

/** How Lighthouse waited and why, in one sentence. */
export function lighthouseWaitSentence({ strategy, cap, blocked }: Omit<LighthouseWait, 'sentence'>): string {
  switch (strategy) {
    case 'blocked':
      return `Lighthouse ran with ${formatCount(blocked.length, 'background endpoint')} blocked: without ${blocked.length === 1 ? 'it' : 'them'} the page looks the same.`;
    case 'capped':
      return `Lighthouse waited by its own rule, but ${formatValue(cap, 'ms')} at most: the page-complete time plus the silence that it requires.`;
    case 'own':
      return 'Lighthouse waited by its own rule, up to 45 s, because the page-complete time is not known.';
  }
}
