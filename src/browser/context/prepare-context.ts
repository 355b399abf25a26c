import { originOf } from '../../core/requests/origin.ts';
import type { LoadRequest } from '../../model/recording/lab.ts';
import type { Profile } from '../connect/profile.ts';
import { setCookies } from './access.ts';

/** Prepares a fresh profile for a load: cookies and permissions are set, downloads are forbidden. */
export async function prepareContext(
  { browserContextId, root }: Profile,
  request: Pick<LoadRequest, 'url' | 'access' | 'conditions'>,
): Promise<void> {
  const { url, access, conditions } = request;
  await Promise.all([
    // Older browsers have it under another name. Downloads are recognised without it, too.
    root.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }).catch(() => undefined),
    ...(access ? [setCookies(access, url, browserContextId, root)] : []),
    ...(conditions?.geolocation
      ? [
          root.send('Browser.grantPermissions', {
            origin: originOf(url),
            permissions: ['geolocation'],
            browserContextId,
          }),
        ]
      : []),
  ]);
}
