import type { FixFact } from '../../model/fixes.ts';
import type { Visit } from '../../model/network/visit.ts';
import { developmentServerOf } from '../development-server.ts';
import { connectionLimit } from './connection-limit.ts';
import { duplicatePoll } from './duplicate-poll.ts';
import { duplicateRequest } from './duplicate-request.ts';
import type { Fix } from './fix.ts';
import { fontShift } from './font-shift.ts';
import { hiddenText } from './hidden-text.ts';
import { largePicture } from './large-picture.ts';
import { lateConnection } from './late-connection.ts';
import { lateDiscovery } from './late-discovery.ts';
import { latePicture } from './late-picture.ts';
import { noCompression } from './no-compression.ts';
import { oldFormat } from './old-format.ts';
import { redirect } from './redirect.ts';
import { renderBlocking } from './render-blocking.ts';
import { loadOf } from './replay/load.ts';
import { shortCache } from './short-cache.ts';
import { slowLayout, slowScript } from './slow-script.ts';
import { slowServer } from './slow-server.ts';
import { starvation } from './starvation.ts';
import { thirdParty } from './third-party.ts';

/** All fixes by their code; of two that save the same, the first is named first. */
export const FIXES: { readonly [Code in FixFact['code']]: Fix } = {
  'slow-server': slowServer,
  redirect,
  'slow-script': slowScript,
  'slow-layout': slowLayout,
  'no-compression': noCompression,
  'render-blocking': renderBlocking,
  'late-discovery': lateDiscovery,
  'late-picture': latePicture,
  'late-connection': lateConnection,
  'stream-starvation': starvation,
  'connection-limit': connectionLimit,
  'large-picture': largePicture,
  'old-format': oldFormat,
  'third-party': thirdParty,
  'duplicate-request': duplicateRequest,
  'duplicate-poll': duplicatePoll,
  'hidden-text': hiddenText,
  'font-shift': fontShift,
  'short-cache': shortCache,
};

/** What the build of a page has, and its development server has not. */
const OF_THE_BUILD: ReadonlySet<FixFact['code']> = new Set(['no-compression', 'short-cache']);

/** What can be fixed about a visit, the largest saving of page complete first. Nothing of a page that was never complete. */
export function fixesOf(visit: Visit): readonly FixFact[] {
  const load = loadOf(visit);
  if (load === undefined) return [];
  const isDevelopment = developmentServerOf(visit.timeline.requests) !== undefined;
  const found = Object.values(FIXES)
    .flatMap((fix) => fix(load))
    .filter(({ code }) => !(isDevelopment && OF_THE_BUILD.has(code)));
  return found.toSorted((a, b) => b.savesMs - a.savesMs);
}
