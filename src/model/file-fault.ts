import type { Bytes, Ms } from './units.ts';

/** Why a file is of no use, apart from what the file system says of it. */
export type FileFault =
  | { readonly code: 'neither-file-nor-folder' | 'link' | 'too-deep' | 'packed-cut' | 'no-list-of-urls' | 'no-page' }
  | { readonly code: 'too-large'; readonly most: Bytes }
  /** `of`: what it holds too many of. */
  | { readonly code: 'too-many'; readonly of: 'object' | 'request'; readonly most: number }
  /** Only with the files before it. */
  | { readonly code: 'too-many-together'; readonly most: number }
  /** Nothing came for so long. */
  | { readonly code: 'late'; readonly limit: Ms }
  /** `detail`: in the words of zlib. */
  | { readonly code: 'packed-broken'; readonly detail: string };

/** Why a sitemap is of no use. */
export type SitemapFault =
  | { readonly code: 'web-page' | 'document-type' | 'too-deep' | 'not-xml' }
  | { readonly code: 'other-root'; readonly root: string }
  | { readonly code: 'too-large'; readonly most: Bytes; readonly isPacked?: true }
  | { readonly code: 'late'; readonly limit: Ms }
  /** `error`: as Node throws it. */
  | { readonly code: 'unreadable'; readonly error: unknown }
  /** Its pages are of other origins than its `own`; the most of them, so many, of `origin`; absent when it has none. */
  | {
      readonly code: 'no-page';
      readonly own: readonly string[];
      readonly other?: { readonly origin: string; readonly pages: number };
    };
