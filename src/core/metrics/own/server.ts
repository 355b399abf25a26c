import type { Visit } from '../../../model/network/visit.ts';
import { serverTimings } from '../../requests/server-timing.ts';
import { firstOfEach, type MetricSource } from './source.ts';

/** How long something took on the server, as the document's `Server-Timing` header says. */
export const server: MetricSource = {
  kind: 'server',
  noun: 'Server-Timing entry',
  unit: 'ms',
  figures: (visit) => firstOfEach(serverTimings(documentHeaders(visit)), ({ duration }) => duration),
};

function documentHeaders({ timeline }: Visit) {
  const document = timeline.requests.findLast(
    ({ mainDocument, outcome, response }) => mainDocument && outcome !== 'redirected' && response !== undefined,
  );
  return document?.response?.headers ?? [];
}
