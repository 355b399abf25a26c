import type { Party, RunResult, SiteTotals, TargetTotals, TypeTotals } from '../model/result/result.ts';
import { representativeRun } from './representative.ts';

/** What the page needed up to page complete, as the run that stands for it has it; undefined where it was never complete. */
export function totalsOf(runs: readonly RunResult[]): TargetTotals | undefined {
  const { byType, bySite } = representativeRun(runs) ?? {};
  return byType && { byType, ...(bySite && { byParty: byPartyOf(bySite), bySite }) };
}

function byPartyOf(sites: readonly SiteTotals[]): Partial<Record<Party, TypeTotals>> {
  const sum = (group: readonly SiteTotals[], key: keyof TypeTotals): number =>
    group.reduce((total, site) => total + site[key], 0);
  return Object.fromEntries(
    [...Map.groupBy(sites, ({ party }) => party)].map(([party, group]) => [
      party,
      { requests: sum(group, 'requests'), transferSize: sum(group, 'transferSize') },
    ]),
  );
}
