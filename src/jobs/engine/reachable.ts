import { isRemoteAddress } from '../../browser/connect/remote-browser.ts';
import { shownAddress } from '../../core/access/browser-address.ts';
import type { Lab } from '../../model/recording/lab.ts';
import type { PagesNote } from '../../model/result/note.ts';
import { QuiesceError } from '../../wording/messages/messages.ts';
import type { Target } from './target.ts';

/** Something that is to be loaded: a URL, or a folder that is served on this machine. */
export type Reachable = Pick<Target, 'name' | 'folder' | 'url'>;

/** Whether the browser can load what is named on this machine: it may run elsewhere, or have loopback addresses of its own. */
export interface ReachabilityCheck {
  /**
   * Checks what will be loaded against the browser's address, before anything is started.
   *
   * @throws QuiesceError `folder-out-of-reach` when that cannot be done where the browser's address leads
   */
  checkAddress(targets: readonly Reachable[]): Promise<void>;
  /**
   * Checks it again once the browser is there: behind an address of this machine there may be a tunnel.
   *
   * @throws QuiesceError as `checkAddress` does
   */
  checkBrowser(lab: Pick<Lab, 'elsewhere'>): void;
}

/** Addresses that each machine has for itself, and each container. */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/** `note` is called once with what may be out of reach. */
export function createReachabilityCheck(
  browserWs: string | undefined,
  note: (note: PagesNote) => void,
): ReachabilityCheck {
  let all: readonly Reachable[] = [];
  let isNoted = false;
  const refuseFolders = (address: string, detail: string): void => {
    const folder = all.find((target) => target.folder !== undefined);
    if (!folder) return;
    throw new QuiesceError('folder-out-of-reach', {
      path: folder.name,
      url: shownAddress(address),
      detail,
    });
  };
  return {
    async checkAddress(targets) {
      all = targets;
      // As long as nothing but the address is known: a container may have it, too.
      if (browserWs !== undefined && (await isRemoteAddress(browserWs)))
        refuseFolders(browserWs, 'that address does not belong to this machine');
    },
    checkBrowser({ elsewhere = false }) {
      if (browserWs === undefined || !elsewhere) return;
      refuseFolders(browserWs, 'it runs on another machine');
      const own = all.flatMap(({ url }) => (url !== undefined && LOOPBACK.test(new URL(url).hostname) ? url : []));
      if (own.length === 0 || isNoted) return;
      isNoted = true;
      note({ code: 'loopback-elsewhere', urls: own });
    },
  };
}
