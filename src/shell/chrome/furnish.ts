import { originOf } from '../../core/origin.ts';
import type { LoadRequest } from '../../model/lab.ts';
import { putCookies } from './access.ts';
import type { Profile } from './profile.ts';

/** Puts into a fresh profile what a load is to find there: cookies, permissions, and that nothing is downloaded. */
export async function furnish(
  { browserContextId, root }: Profile,
  request: Pick<LoadRequest, 'url' | 'access' | 'conditions'>,
): Promise<void> {
  const { url, access, conditions } = request;
  await Promise.all([
    // Older browsers know it under another name; a download is recognised all the same.
    root.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }).catch(() => undefined),
    ...(access ? [putCookies(access, url, browserContextId, root)] : []),
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
