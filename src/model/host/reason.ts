import type { Ms } from '../units.ts';

/** Why a host was not fit in a load, or why that is not known. Shares are 0 to 1. */
export type HostReason =
  /** Other programs; from when to when most of it was, where it was not about all the time. */
  | {
      readonly code: 'busy-by-others';
      readonly share: number;
      readonly mostly?: { readonly from: Ms; readonly to: Ms };
      /** What was taken from the page's main thread by it until page complete; absent where that is not known. */
      readonly stolen?: Ms;
    }
  /** The hypervisor took processors. */
  | { readonly code: 'steal'; readonly share: number; readonly stolen?: Ms }
  /** Programs had to wait for memory, or for a disk. */
  | { readonly code: 'memory-pressure'; readonly share: number }
  | { readonly code: 'disk-pressure'; readonly share: number }
  /** The system does not tell how busy its processors are. */
  | { readonly code: 'no-clocks' }
  /** The browser does not tell how much of the processors it used itself. */
  | { readonly code: 'browser-share-unknown' }
  /** The browser runs on another machine, which cannot be seen. */
  | { readonly code: 'elsewhere' }
  /** The machine that drives it was busy itself. */
  | { readonly code: 'driver-busy'; readonly share: number };
