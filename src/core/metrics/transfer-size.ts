import type { Request } from '../../model/network/timeline.ts';
import type { Metric, Visit } from '../../model/network/visit.ts';

/** Bytes that the page needed. */
export const transferSize: Metric = {
  name: 'transferSize',
  title: 'Transfer size',
  unit: 'bytes',
  better: 'lower',
  description: 'Transferred bytes, headers included, of the foreground requests up to page-complete.',
  headline: true,
  read: (visit) => neededRequests(visit)?.reduce((sum, request) => sum + (request.transferSize ?? 0), 0),
};

/** Requests that the page needed. */
export const requestCount: Metric = {
  name: 'requestCount',
  title: 'Requests',
  unit: 'count',
  better: 'lower',
  description: 'Foreground requests up to page-complete; every redirect hop counts.',
  headline: true,
  read: (visit) => neededRequests(visit)?.length,
};

/** What background traffic adds depends on how long one watches, so it is left out. Undefined where the page was never complete. */
export function neededRequests({ timeline, verdicts, complete }: Visit): readonly Request[] | undefined {
  if (complete.state !== 'complete') return undefined;
  return timeline.requests.filter(
    ({ id, startedAt, outcome }) => startedAt <= complete.at && outcome !== 'blocked' && !verdicts.has(id),
  );
}
