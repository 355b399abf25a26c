/**
 * `npm run dev -- audit https://example.com/`: runs a command line of the sources, and runs it again whenever one of them
 * has changed. The bundler of the HTML report and the compiler watch src/, Node.js watches what the compiler writes.
 * Ctrl-C ends them all.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const COMPILER = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'];
const BUNDLER = ['scripts/generate.ts', '--watch'];
const COMMAND = ['--watch', '--watch-preserve-output', 'bin/quiesce.js', ...process.argv.slice(2)];

const compiler = spawn(process.execPath, COMPILER, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
const bundler = spawn(process.execPath, BUNDLER, { cwd: ROOT, stdio: 'inherit' });
let command: ChildProcess | undefined;
compiler.stdout.setEncoding('utf8').on('data', (text: string) => {
  // To stderr: results of the command may be piped.
  process.stderr.write(text);
  // Not before all is written: each file would start the command again.
  if (command !== undefined || !text.includes('Watching for file changes')) return;
  command = spawn(process.execPath, COMMAND, { cwd: ROOT, stdio: 'inherit' });
  command.once('exit', end);
});
compiler.once('exit', end);
process.once('SIGINT', end);
process.once('SIGTERM', end);

function end(): void {
  compiler.kill();
  bundler.kill();
  command?.kill();
}
