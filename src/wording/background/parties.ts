import { entityOf } from '../../core/requests/party.ts';

/** A host with who runs it, where that is known: "www.googletagmanager.com (Google Tag Manager)". */
export function hostWithEntity(host: string): string {
  const entity = entityOf(`https://${host}/`);
  return entity === undefined ? host : `${host} (${entity})`;
}
