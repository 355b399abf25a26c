import { expect, it } from 'vitest';
import type { FileFault, SitemapFault } from '../../src/model/file-fault.ts';
import { fileFaultInWords, sitemapFaultInWords, whyUnreadable, whyUnwritable } from '../../src/wording/file-faults.ts';

const FILES: readonly (readonly [FileFault, string])[] = [
  [{ code: 'neither-file-nor-folder' }, 'it is neither a file nor a folder'],
  [{ code: 'too-large', most: 0x1fffffe8 }, 'it is larger than 511 MB'],
  [{ code: 'too-many', of: 'request', most: 60_000 }, 'it holds more than 60,000 requests'],
  [
    { code: 'too-many-together', most: 60_000 },
    'together with the files before it, it holds more than 60,000 requests; analyse it by itself',
  ],
  [{ code: 'late', limit: 30_000 }, 'nothing came within 30 s'],
  [{ code: 'too-deep' }, 'it is nested too deeply'],
  [{ code: 'packed-cut' }, 'it ends too early'],
  [{ code: 'packed-broken', detail: 'incorrect header check' }, 'it is damaged: incorrect header check'],
  [{ code: 'no-list-of-urls' }, 'it is not a list of URLs'],
  [{ code: 'no-page' }, 'it names no page'],
];

it.each(FILES)('a file: %j', (fault, text) => {
  expect(fileFaultInWords(fault)).toBe(text);
});

const SITEMAPS: readonly (readonly [SitemapFault, string])[] = [
  [{ code: 'web-page' }, 'it is a web page'],
  [{ code: 'document-type' }, 'it declares a document type'],
  [{ code: 'too-deep' }, 'its elements are nested too deeply'],
  [{ code: 'not-xml' }, 'it is not XML'],
  [{ code: 'other-root', root: 'r'.repeat(50) }, `its root is <${'r'.repeat(40)}>, not <urlset> or <sitemapindex>`],
  [{ code: 'too-large', most: 50 * 2 ** 20 }, 'it has more than 50 MB'],
  [{ code: 'too-large', most: 50 * 2 ** 20, isPacked: true }, 'unpacked it has more than 50 MB'],
  [{ code: 'late', limit: 60_000 }, 'it did not come within 60 s'],
  [
    { code: 'unreadable', error: Object.assign(new Error('fetch failed'), { cause: { code: 'ENOTFOUND' } }) },
    'no such host',
  ],
  [{ code: 'unreadable', error: new Error('fetch failed') }, 'fetch failed'],
  [{ code: 'no-page', own: [] }, 'it names no page'],
  [
    { code: 'no-page', own: ['https://a.test', 'https://b.test'], other: { origin: 'https://c.test', pages: 2 } },
    'it names no page of https://a.test or https://b.test but 2 pages of https://c.test',
  ],
];

it.each(SITEMAPS)('a sitemap: %j', (fault, text) => {
  expect(sitemapFaultInWords(fault)).toBe(text);
});

it.each([
  ['ENOENT', 'there is no such file or folder', 'ENOENT'],
  ['EACCES', 'permission denied', 'permission denied'],
  ['EISDIR', 'it is a folder', 'a folder of that name is in the way'],
  ['ENOSPC', 'ENOSPC', 'the disk is full'],
  [undefined, 'why', 'why'],
])('what the file system says: %s', (code, read, written) => {
  const error = Object.assign(new Error('why'), { code });
  expect([whyUnreadable(error), whyUnwritable(error)]).toEqual([read, written]);
});
