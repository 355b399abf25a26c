import type { HarProducer } from '../../model/result/finding.ts';

/** Who wrote the file, and with which browser. */
export interface Maker {
  /** 'WebInspector' is DevTools. */
  readonly creator: string;
  readonly version: string;
  readonly product: string;
}

/** Tools that leave out what was not answered whole when the file was written. Measured on fixtures/hars. */
const LEAVES_OUT_OPEN: Readonly<Record<string, string>> = {
  WebInspector: 'DevTools',
  'chrome-har': 'chrome-har',
  Browsertime: 'browsertime',
};

/** The name of the tool, if it leaves out requests that were open when it wrote the file. */
export function leavesOutOpen(creator: string): string | undefined {
  return Object.hasOwn(LEAVES_OUT_OPEN, creator) ? LEAVES_OUT_OPEN[creator] : undefined;
}

/** Tools that list requests that were open, too. Of all others it has to be supposed that they do not. */
const LISTS_OPEN: ReadonlySet<string> = new Set(['Playwright', 'mitmproxy']);

/** May requests be missing because they were open when the tool wrote the file? */
export function mayLeaveOutOpen(creator: string): boolean {
  return !LISTS_OPEN.has(creator);
}

/** Tools that note a page for each document that is opened in the tab. */
const NOTES_PAGES: ReadonlySet<string> = new Set(['WebInspector', 'WebPagetest', 'chrome-har', 'Browsertime']);

/** Does the tool begin a new page when the tab goes on to another document? */
export function notesPages(creator: string): boolean {
  return NOTES_PAGES.has(creator);
}

const PROXIES = /^(?:mitmproxy|charles|fiddler|proxyman|burp|http ?toolkit)/i;

/** What wrote the file, as far as it matters for how to record better. */
export function producerOf({ creator, version }: Pick<Maker, 'creator' | 'version'>): HarProducer {
  if (PROXIES.test(creator)) return 'proxy';
  if (creator === 'Playwright') return 'playwright';
  // Later ones write the load event.
  if (creator === 'chrome-har' && version.startsWith('0.')) return 'puppeteer-har';
  return 'other';
}
