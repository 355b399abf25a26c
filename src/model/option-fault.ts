import type { Ms } from './units.ts';

/** Why the text of an option says nothing that can be used. */
export type OptionFault =
  | { readonly code: 'header-form' | 'header-cookie' | 'cookie-form' | 'login-form' | 'place-form' | 'share-form' }
  /** The browser sets this header itself. */
  | { readonly code: 'header-reserved'; readonly name: string }
  /** Without the value, which may be a secret. */
  | { readonly code: 'header-value' | 'cookie-value'; readonly name: string }
  /** `presets`: what can be named instead. */
  | { readonly code: 'network-form'; readonly presets: readonly string[] }
  | { readonly code: 'network-latency'; readonly most: Ms }
  /** In kbit/s. */
  | { readonly code: 'network-rate'; readonly least: number; readonly most: number }
  | { readonly code: 'not-a-selector'; readonly selector: string }
  /** Of a built site, as it was typed. */
  | { readonly code: 'folder-outside'; readonly folder: string }
  | { readonly code: 'process-unknown'; readonly pid: number }
  /** `near`: devices of a similar name, the best first. */
  | { readonly code: 'device-unknown'; readonly near: readonly string[] }
  | { readonly code: 'shares-out-of-range'; readonly of: number; readonly most: number }
  /** `of`: as typed. */
  | { readonly code: 'share-out-of-range'; readonly of: string }
  /** As many shares were typed, and as many does CI_NODE_TOTAL say. */
  | { readonly code: 'shares-contradict'; readonly typed: number; readonly counted: number }
  /** `variable`: of the environment, as in all that follow. */
  | { readonly code: 'share-beyond'; readonly of: number; readonly variable: string; readonly index: number }
  | { readonly code: 'share-no-number'; readonly of: number; readonly variable: string }
  | { readonly code: 'shares-unknown'; readonly variable: string }
  | { readonly code: 'share-unknown' };
