import { startFixtureServer } from '../../fixtures/server.ts';
import { defined } from '../../src/core/text/defined.ts';

const server = await startFixtureServer(defined({ seed: process.argv[2] }));
process.send?.(server.origin);
process.once('disconnect', () => void server.close());
