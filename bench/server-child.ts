import { startFixtureServer } from '../fixtures/server.ts';

const server = await startFixtureServer();
process.send?.(server.origin);
process.once('disconnect', () => void server.close());
