import type { FixCode } from '../model/fixes.ts';
import type { LighthouseOpportunity } from '../model/lighthouse/lighthouse.ts';
import type { CoverageFact } from '../model/result/finding.ts';

/** Audits of Lighthouse by what they advise, with the fixes of ours that say the same. Source: Lighthouse 13, `core/audits`. */
const SAME: Readonly<Partial<Record<string, readonly (FixCode | CoverageFact['code'])[]>>> = {
  'cache-insight': ['short-cache'],
  'cls-culprits-insight': ['font-shift'],
  'document-latency-insight': ['slow-server', 'redirect', 'no-compression'],
  'font-display-insight': ['hidden-text'],
  'image-delivery-insight': ['large-picture', 'old-format'],
  'lcp-discovery-insight': ['late-picture'],
  'network-dependency-tree-insight': ['late-discovery', 'late-connection'],
  redirects: ['redirect'],
  'render-blocking-insight': ['render-blocking'],
  'server-response-time': ['slow-server'],
  'third-parties-insight': ['third-party'],
  'unused-css-rules': ['unused-code'],
  'unused-javascript': ['unused-code'],
};

/** Whether Lighthouse and a fix of this code advise the same. */
export function isSameAdvice({ id }: Pick<LighthouseOpportunity, 'id'>, code: string): boolean {
  return SAME[id]?.some((each) => each === code) ?? false;
}
