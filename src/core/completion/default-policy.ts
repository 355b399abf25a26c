import type { Policy } from '../../model/background/verdict.ts';

/** The rule of the field, and the defaults of the command line. Source: docs/page-complete.md. */
export const DEFAULT_POLICY: Policy = {
  quietWindow: 3_000,
  maxInflight: 0,
  timeout: 60_000,
  observation: {
    suspectMs: 10_000,
    // Beyond the 30 s after which most servers and gateways give up.
    silentMs: 35_000,
    thoroughMs: 20_000,
    // Servers' and proxies' usual limit for a long poll is 30 s.
    thoroughSilentMs: 35_000,
    thoroughWatchMs: 8_000,
    longestPeriodMs: 20_000,
  },
  background: [],
  foreground: [],
};
