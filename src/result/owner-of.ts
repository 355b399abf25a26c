import { aboutOf } from '../core/fixes/about.ts';
import type { FixAbout } from '../model/fixes.ts';
import type { BackgroundEndpoint, TargetResult } from '../model/result/result.ts';

/** Who can change background traffic: the third party that it goes to, or the front end that asks for it. */
export function ownerOf(endpoint: BackgroundEndpoint, page: Pick<TargetResult, 'url' | 'finalUrl'>): FixAbout {
  return aboutOf(endpoint.kind, endpoint.urls, page.finalUrl ?? page.url);
}
