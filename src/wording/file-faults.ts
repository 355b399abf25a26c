import type { FileFault, SitemapFault } from '../model/file-fault.ts';
import type { Bytes } from '../model/units.ts';
import { formatCount } from './format.ts';

/** Why a file or a folder cannot be read, by the code of Node's error. */
const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is a file',
  ELOOP: 'its links form a loop',
  ENAMETOOLONG: 'the name is too long',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GB',
};

const UNWRITABLE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'a file of that name is in the way',
  ELOOP: 'a folder in its path is a symbolic link',
  EISDIR: 'a folder of that name is in the way',
};

const UNFETCHED: Readonly<Record<string, string>> = {
  ...UNREADABLE,
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection broke',
  ENOTFOUND: 'no such host',
  UND_ERR_SOCKET: 'the connection broke',
};

/** A file as it was named, where `-` is the standard input. */
export const fileInWords = (name: string): string => (name === '-' ? 'the standard input' : name);

/** Why a file or a folder cannot be read, a clause. */
export const whyUnreadable = (error: unknown): string => clause(UNREADABLE, error);

/** Why a file cannot be written, a clause. */
export const whyUnwritable = (error: unknown): string => clause(UNWRITABLE, error);

function clause(clauses: Readonly<Record<string, string>>, error: unknown): string {
  const { code = '', message } = error as { readonly code?: string; readonly message: string };
  return clauses[code] ?? (code || message);
}

/** What is wrong with a file, a clause. */
export function fileFaultInWords(fault: FileFault): string {
  switch (fault.code) {
    case 'neither-file-nor-folder':
      return 'it is neither a file nor a folder';
    case 'link':
      return 'it is a symbolic link';
    case 'too-large':
      return `it is larger than ${megabytes(fault.most)}`;
    case 'too-many':
      return `it contains more than ${formatCount(fault.most, fault.of)}`;
    case 'too-many-together':
      return `together with the files before it, it contains more than ${formatCount(fault.most, 'request')}; analyse it by itself`;
    case 'late':
      return `nothing arrived within ${fault.limit / 1000} s`;
    case 'too-deep':
      return 'it is nested too deeply';
    case 'packed-cut':
      return 'it ends too early';
    case 'packed-broken':
      return `it is damaged: ${fault.detail}`;
    case 'no-list-of-urls':
      return 'it is not a list of URLs';
    case 'no-page':
      return 'it names no page';
  }
}

/** Longest name of an element that is shown. */
const LONGEST_NAME = 40;

/** What is wrong with a sitemap, a clause. */
export function sitemapFaultInWords(fault: SitemapFault): string {
  switch (fault.code) {
    case 'web-page':
      return 'it is a web page';
    case 'document-type':
      return 'it declares a document type';
    case 'too-deep':
      return 'its elements are nested too deeply';
    case 'not-xml':
      return 'it is not XML';
    case 'other-root':
      return `its root is <${fault.root.slice(0, LONGEST_NAME)}>, not <urlset> or <sitemapindex>`;
    case 'too-large':
      return `${fault.isPacked ? 'unpacked ' : ''}it has more than ${megabytes(fault.most)}`;
    case 'late':
      return `it did not arrive within ${fault.limit / 1000} s`;
    case 'unreadable':
      // The reason of a failed fetch is its cause.
      return clause(UNFETCHED, (fault.error as { readonly cause?: unknown }).cause ?? fault.error);
    case 'no-page': {
      const { own, other } = fault;
      return `it names no page${other ? ` of ${own.join(' or ')} but ${formatCount(other.pages, 'page')} of ${other.origin}` : ''}`;
    }
  }
}

const megabytes = (bytes: Bytes): string => `${Math.floor(bytes / 2 ** 20)} MB`;
