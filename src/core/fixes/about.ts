import type { FixAbout, FixCode, FixOwner } from '../../model/fixes.ts';
import type { CoverageFact } from '../../model/result/finding.ts';
import { ownershipOf } from '../requests/party.ts';
import { siteOf } from '../requests/site.ts';

/** Who can do something about each, where it is the page's own. */
const OWNERS: Readonly<Record<FixCode | CoverageFact['code'], FixOwner>> = {
  'slow-server': 'server',
  redirect: 'server',
  'no-compression': 'server',
  'short-cache': 'server',
  'connection-limit': 'server',
  'stream-starvation': 'server',
  'slow-script': 'front-end',
  'slow-layout': 'front-end',
  'render-blocking': 'front-end',
  'late-discovery': 'front-end',
  'late-picture': 'front-end',
  'late-connection': 'front-end',
  'large-picture': 'front-end',
  'old-format': 'front-end',
  'third-party': 'third-party',
  'duplicate-request': 'front-end',
  'duplicate-poll': 'front-end',
  'hidden-text': 'front-end',
  'font-shift': 'front-end',
  'unused-code': 'front-end',
};

/**
 * What a fix is about and who can act: the third party, where all its requests are of one; else its file or endpoint, of
 * several the first, which matters most. Of a code that a later version wrote, the front end.
 */
export function aboutOf(code: string, urls: readonly string[], pageUrl: string): FixAbout {
  const parties = new Set(
    urls.map((url) => ownershipOf(pageUrl, url)).map((each) => (each.thirdParty ? each.party : '')),
  );
  // Whose what is nobody knows of a page without a site: a file, a HAR that names no page.
  const [party] = siteOf(pageUrl) === '' ? [] : parties;
  if (parties.size === 1 && party) return { about: party, who: 'third-party' };
  return { about: urls[0], who: OWNERS[code as FixCode] ?? 'front-end' };
}
