import path from 'node:path';
import { withPort } from '../../../core/text/port-place.ts';
import { BUILDS, type PerBuild } from '../../../model/compare/build.ts';
import type { Source } from '../../../model/result/result.ts';
import type { ResolvedServers } from '../../../settings/resolved.ts';
import { isFolder } from '../../../shell/disk/is-file.ts';
import { realPath } from '../../../shell/disk/real-path.ts';
import { QuiesceError } from '../../../wording/messages/messages.ts';
import { sourcesOfBuilds } from '../../engine/source.ts';
import { type NamedBuilds, perBuild } from '../builds.ts';
import { type ServerPlace, serverBuilds } from './build-servers.ts';

/**
 * Two folders in which servers are to be started.
 *
 * @param mayBeSame the servers or the loads differ in something else
 * @throws QuiesceError when one is no folder, or both are the same
 */
export async function serverFolders(
  words: readonly [base: string, candidate: string],
  servers: ResolvedServers,
  source: Source | undefined,
  mayBeSame: boolean,
): Promise<NamedBuilds> {
  for (const word of words)
    if (!(await isFolder(word))) throw new QuiesceError('serve-folder-missing', { detail: word });
  const [base, candidate] = await Promise.all(words.map(realPath));
  if (base === candidate && !mayBeSame) throw new QuiesceError('builds-same', { detail: words[0] });
  const places: PerBuild<ServerPlace> = perBuild((build) => {
    const name = words[BUILDS.indexOf(build)] ?? '';
    const folder = path.resolve(name);
    return { folder, top: folder, ownTop: process.cwd(), name, slug: path.basename(folder) };
  });
  return {
    slugs: perBuild((build) => places[build].slug),
    sources: await sourcesOfBuilds(places, source),
    places: serverAddresses(servers),
    make: (hooks) => serverBuilds(servers, places, async () => undefined, hooks),
  };
}

/** What a browser elsewhere would have to reach; the ports are not known before the servers start. */
export function serverAddresses({ url }: Pick<ResolvedServers, 'url'>): NamedBuilds['places'] {
  return [{ name: '--serve-url', url: withPort(url, 80) }];
}
