import { DEFAULT_POLICY } from '../../src/core/completion/default-policy.ts';
import type { Observation, Policy } from '../../src/model/background/verdict.ts';
import { POLICY } from './scripted.ts';

const { suspectMs, silentMs, thoroughMs, thoroughSilentMs, thoroughWatchMs, longestPeriodMs } =
  DEFAULT_POLICY.observation;

/**
 * Watches suspects for a quarter of the usual time, for pages whose traffic shows what it is as soon: nothing that they
 * need takes longer to come, or to end. Everything else about them is judged as always.
 */
export const IMPATIENT: Observation = {
  suspectMs: suspectMs / 4,
  silentMs: silentMs / 4,
  thoroughMs: thoroughMs / 4,
  thoroughSilentMs: thoroughSilentMs / 4,
  thoroughWatchMs: thoroughWatchMs / 4,
  longestPeriodMs: longestPeriodMs / 4,
};

/** The usual policy, so watched. */
export const QUICK: Policy = { ...POLICY, observation: IMPATIENT };
