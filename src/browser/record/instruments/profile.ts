import { type CpuProfile, startProfile } from '../../trace/profile.ts';
import { type Instrument, type MeasuredLoad, traceZero } from './instrument.ts';

/** A CPU profile of the page's scripts. */
export function createProfile({ request, clock }: MeasuredLoad): Instrument | undefined {
  if (!request.profile) return undefined;
  let started: CpuProfile | undefined;
  return {
    async start({ page }) {
      started = await startProfile(page);
    },
    async read({ answers, ended }) {
      const profile = answers && ended ? await started?.end() : undefined;
      return profile === undefined ? {} : { profile: { profile, zero: traceZero(clock) } };
    },
  };
}
