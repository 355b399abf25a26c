import type { Ms } from './units.ts';

/** Why a file that was named as a browser cannot be started. */
export type ExecutableFault = 'no-file' | 'not-a-file' | 'not-executable';

/** Why a running browser cannot be measured in. */
export type ConnectionFault =
  | { readonly code: 'no-browser' | 'ended' | 'no-session' | 'no-page-session' }
  /** It answered so instead of with a WebSocket. */
  | { readonly code: 'status'; readonly status: number }
  | { readonly code: 'silent'; readonly limit: Ms }
  /** `said`: the error that it answered with, if any. */
  | { readonly code: 'other-protocol'; readonly said?: string }
  /** `why`: in the words of the browser. */
  | { readonly code: 'no-root-session' | 'no-context'; readonly why: string };

/** Few open files were allowed when a browser died; `isReached`: its last words say that these were too few. */
export interface FileShortage {
  readonly isReached: boolean;
  readonly limit?: number;
}

/** Why a browser cannot be installed, by the URL of what came or did not come. */
export type InstallFault =
  | { readonly code: 'no-build'; readonly platform: string; readonly architecture: string }
  | { readonly code: 'no-stable-build' | 'no-browser-inside' | 'empty'; readonly url: string }
  | { readonly code: 'status'; readonly url: string; readonly status: number }
  | { readonly code: 'cut'; readonly url: string; readonly received: number; readonly total: number };

/** A part of a script, as it fails. */
export type ScriptPart = 'before' | 'measure' | { readonly step: string };

/** What is wrong with a script, apart from what it throws itself. */
export type ScriptFault =
  | { readonly code: 'late'; readonly limit: Ms }
  | { readonly code: 'over' | 'step-unnamed' | 'not-opened-again' }
  /** The process that it runs in has ended; with this exit code, where no signal ended it. */
  | { readonly code: 'exited'; readonly exit?: number }
  /** `step`: its name. */
  | { readonly code: 'step-without-action' | 'step-twice' | 'step-inside-another'; readonly step: string };

/** Why Lighthouse gave nothing. `why`: in its own words or those of the browser. */
export type LighthouseFault =
  | { readonly code: 'not-chrome' | 'browser-died' | 'no-result' }
  | { readonly code: 'thrown'; readonly why: string }
  | { readonly code: 'late'; readonly limit: Ms };
