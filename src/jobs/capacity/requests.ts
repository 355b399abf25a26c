import { headersFor } from '../../core/access/headers-for.ts';
import { isPrivateAddress } from '../../core/capacity/host-address.ts';
import { withoutHash } from '../../core/requests/address-parts.ts';
import type { LoadRequests, LoadTarget } from '../../model/network/load.ts';
import type { ResolvedCapacity } from '../../settings/resolved.ts';
import { readUrlsFile } from '../../shell/disk/urls-file.ts';
import { addressesOf } from '../../shell/load/preflight.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { parseTarget } from '../engine/target.ts';

/** The URL of a server as the user named it. Rejects with a `QuiesceError` for anything else than a URL. */
export async function serverUrl(name: string): Promise<string> {
  const { url } = await parseTarget(name);
  if (url === undefined) throw new QuiesceError('capacity-not-url', { detail: name });
  return withoutHash(url);
}

/** Rejects with `capacity-host` for a host that may not be the user's own, unless the user says that it may be loaded. */
export async function checkHost(url: string, permitted: readonly string[]): Promise<readonly string[]> {
  const { hostname } = new URL(url);
  const addresses = await addressesOf(url);
  const isPermitted = permitted.some((host) => host.toLowerCase() === hostname.toLowerCase());
  if (!isPermitted && !addresses.every(isPrivateAddress)) throw new QuiesceError('capacity-host', { detail: hostname });
  return addresses;
}

/** What is sent to a server. Rejects with a `QuiesceError` for a mix that leaves its host. */
export async function requestsTo(url: string, settings: ResolvedCapacity): Promise<LoadRequests> {
  const { method, body, timeout, access, urlsFile } = settings;
  const mix = urlsFile === undefined ? [{ url, weight: 1 }] : await mixOf(urlsFile, url);
  const now = new Date();
  const targets = mix.map((each) => ({ ...each, headers: headersFor(each.url, access, now) }));
  return { targets, method, timeout, body };
}

async function mixOf(file: string, server: string): Promise<readonly Omit<LoadTarget, 'headers'>[]> {
  const lines = await readUrlsFile(file, process.stdin);
  return lines.map(({ url: given, name = '1', line }) => {
    const refuse = (detail: string): never => {
      throw new QuiesceError('capacity-urls', { path: file, line, detail });
    };
    const url = URL.canParse(given, server) ? new URL(given, server) : undefined;
    if (url === undefined) return refuse(`"${given}" is neither a URL nor a path`);
    if (url.origin !== new URL(server).origin) return refuse(`${url.origin} is not the server under test`);
    const weight = Number(name);
    if (!(weight > 0 && weight <= 1000))
      return refuse(`"${name}" is not a weight: use a number above 0 and up to 1000`);
    return { url: url.href, weight };
  });
}
