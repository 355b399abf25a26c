import { shownAddress } from '../core/access/browser-address.ts';
import { UsageError } from '../core/messages.ts';
import { listed } from '../core/sentences.ts';
import type { Lab } from '../model/lab.ts';
import type { BrowserSettings } from '../model/settings.ts';
import { leadsElsewhere } from '../shell/chrome/whereabouts.ts';
import type { Target } from './target.ts';

/** Something that is to be loaded: a URL, or a folder that is served on this machine. */
export type Reachable = Pick<Target, 'name' | 'folder' | 'url'>;

/** What a browser that may not share this machine's loopback addresses can load, and what not. */
export interface Reach {
  /**
   * Looks at what will be loaded, before anything is begun.
   *
   * @throws UsageError `folder-out-of-reach` when that cannot be done where the browser's address leads
   */
  expect(targets: readonly Reachable[]): Promise<void>;
  /**
   * Looks again once the browser is there: behind an address of this machine there may be a tunnel, or a container.
   *
   * @throws UsageError as `expect` does
   */
  found(lab: Pick<Lab, 'elsewhere' | 'apart'>): void;
}

/** Addresses that each machine has for itself, and each container. */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])$/;

/** What is said of a folder and of loopback addresses, by where the browser is. */
interface Words {
  /** Why a folder cannot be loaded. */
  readonly because: string;
  /** What else can be done about it than to leave the browser where it is. */
  readonly instead: string;
  note(urls: string): string;
}

const ELSEWHERE: Words = {
  because: 'it runs on another machine',
  instead: 'Name a URL that this browser can open',
  note: (urls) =>
    `The browser runs on another machine, where ${urls} will be looked for on that machine itself, unless a tunnel leads back to this one.`,
};
const APART: Words = {
  because: 'it has a localhost of its own, as in a container',
  instead: 'Let it share this network (docker run --network host), name a URL that it can open',
  note: (urls) =>
    `The browser has a localhost of its own, as in a container: ${urls} will be looked for there, not on this machine. Let it share this network (docker run --network host), or name an address of this machine that it can open.`,
};
/** As long as nothing but the address is known: a container may have it, too. */
const ANOTHER_ADDRESS = { because: 'that is no address of this machine', instead: ELSEWHERE.instead };

/** `note` is told once what may be out of reach. */
export function createReach({ browserWs }: BrowserSettings, note: (sentence: string) => void): Reach {
  let all: readonly Reachable[] = [];
  let isTold = false;
  const refuseFolders = ({ because, instead }: Pick<Words, 'because' | 'instead'>): void => {
    const folder = all.find((target) => target.folder !== undefined);
    if (!folder) return;
    throw new UsageError('folder-out-of-reach', {
      path: folder.name,
      url: shownAddress(browserWs ?? ''),
      detail: because,
      suggestion: instead,
    });
  };
  return {
    async expect(targets) {
      all = targets;
      if (browserWs !== undefined && (await leadsElsewhere(browserWs))) refuseFolders(ANOTHER_ADDRESS);
    },
    found({ elsewhere = false, apart = false }) {
      if (browserWs === undefined || !(elsewhere || apart)) return;
      const words = elsewhere ? ELSEWHERE : APART;
      refuseFolders(words);
      const own = all.flatMap(({ url }) => (url !== undefined && LOOPBACK.test(new URL(url).hostname) ? url : []));
      if (own.length === 0 || isTold) return;
      isTold = true;
      note(words.note(listed(own)));
    },
  };
}
