import type { Ms } from './units.ts';

/** What is wrong with a script. */
export type ScriptFault =
  | { readonly code: 'no-file' | 'unknown-extension' | 'exports-function' | 'exports-nothing' }
  /** Its default export, as JSON; undefined of what has none. */
  | { readonly code: 'no-object'; readonly value: string | undefined }
  | { readonly code: 'no-function'; readonly name: string }
  /** Its module was not done after so long. */
  | { readonly code: 'late'; readonly limit: Ms }
  /** What Node says of it, and in which line. */
  | { readonly code: 'not-imported'; readonly message: string; readonly line?: number };

/** What is wrong with a line of a mix of requests. */
export type MixFault =
  | { readonly code: 'no-url'; readonly given: string }
  | { readonly code: 'other-server'; readonly origin: string }
  | { readonly code: 'no-weight'; readonly given: string };

/** Why a built folder has no site that could be measured. `built`: a command has been run to build it. */
export type SiteFault =
  | { readonly code: 'no-folder'; readonly built: boolean }
  | { readonly code: 'outside' | 'no-page' };

/** Why a browser cannot load a folder that is served on this machine: as far as is known of it, or of its address. */
export type FolderOutOfReach = 'browser-elsewhere' | 'address-elsewhere';
