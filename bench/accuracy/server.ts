/** The fixture server of one repetition, in a process of its own: what is computed elsewhere must not hold it up. */
import type { Load, Truth } from '../../fixtures/load.ts';
import { startFixtureServer } from '../../fixtures/server.ts';

/** A load as the server logged it. Times are milliseconds since the Unix epoch. */
export interface ServedLoad extends Truth {
  readonly startedAt: number;
}

const server = await startFixtureServer({ seed: process.argv[2] ?? '' });
const served = (load: Load): ServedLoad => ({ startedAt: load.startedAt, ...server.truth(load) });
process.on('message', (scenario: string) => {
  process.send?.({ scenario, loads: server.loads.filter((load) => load.scenario.name === scenario).map(served) });
});
process.once('disconnect', () => void server.close().then(() => process.exit()));
process.send?.(server.origin);
