import type { Ms } from '../units.ts';

/** Where in a HAR a fault is. */
interface Field {
  /** Which entry, from 0, and its address; absent outside of entries. */
  readonly entry?: number;
  readonly url?: string;
  /** Inside the entry, else from the top: 'response.status', 'log.creator'. Empty for the whole. */
  readonly path: string;
}

/** Something wrong in a HAR. The first three cost an entry, which cannot be placed in time and is left out. */
export type HarFault =
  | { readonly code: 'url-missing'; readonly entry: number }
  | { readonly code: 'no-date'; readonly entry: number; readonly url: string }
  /** It began more than a day away from its page. */
  | { readonly code: 'far-away'; readonly entry: number; readonly url: string }
  /** It took more than a day, which is taken for not known. */
  | { readonly code: 'too-long'; readonly entry: number; readonly url: string; readonly time: Ms }
  /** More bytes than a load can bring, which is taken for not known. */
  | ({ readonly code: 'too-large'; readonly value: number } & Field)
  | { readonly code: 'empty-page'; readonly page: string }
  /** The page is about:blank. */
  | { readonly code: 'blank-page' }
  /** All addresses are such as need no network. `schemes`: 'data:', 'about:'. */
  | { readonly code: 'only-local'; readonly schemes: readonly string[] }
  | { readonly code: 'no-entries' }
  | { readonly code: 'no-log' }
  /** Other than as many requests as the browser announced: only of what is built here, as what follows. */
  | { readonly code: 'other-count'; readonly entries: number; readonly announced: number }
  /** What cannot be written as JSON. */
  | { readonly code: 'no-json'; readonly detail: string }
  | ({ readonly code: 'field-missing' } & Field)
  | ({ readonly code: 'no-address' } & Field)
  | ({ readonly code: 'no-date-time' } & Field)
  | ({ readonly code: 'too-small'; readonly value: number; readonly least: number } & Field)
  /** `page`: as JSON. */
  | ({ readonly code: 'unknown-page'; readonly page: string } & Field)
  /** `detail`: in the words of the schema's validator. */
  | ({ readonly code: 'wrong'; readonly detail: string } & Field);
