/**
 * `npm run demo`: serves the bundled example shop and audits it with the command line, as a user would.
 * What is typed after `--` is handed on to `quiesce audit`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startFixtureServer } from '../fixtures/server.ts';

const server = await startFixtureServer();
const url = server.url('shop');
const more = process.argv.slice(2);
const args = ['bin/quiesce.js', 'audit', url, '--out', 'reports/demo', '--runs', '3', ...more];
console.error(`The example shop is at ${url} for as long as this takes.`);
console.error(`quiesce ${args.slice(1).join(' ')}\n`);
const child = spawn(process.execPath, args, { stdio: 'inherit' });
// Ctrl-C reaches the audit too, which then keeps what is done; this process only waits for it.
process.on('SIGINT', () => undefined);
const [code] = (await once(child, 'exit')) as [number | null];
await server.close();
process.exitCode = code ?? 1;
