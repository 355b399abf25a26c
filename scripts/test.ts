/**
 * `npm test`: everything that CI runs. Tests that drive a browser mostly wait. What needs none (the linter, the types, the
 * unit tests) has the processors meanwhile, at the lowest priority, and prints what it found when it is done.
 *
 * With arguments, Vitest alone: `npm test -- tests/core/complete.test.ts`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';

/** In this order: the quickest says first what is wrong. */
const BESIDE = [
  ['lint', 'biome', 'check', '.'],
  ['types', 'tsc', '-p', 'tsconfig.json'],
  ['unit tests', 'vitest', 'run', '--project', 'unit'],
] as const;
const BROWSER = ['run', '--project', 'browser*', '--project', 'packaging'];

/** On Windows the programs of packages are scripts of its shell. */
const shell = process.platform === 'win32';

/** Runs a program whose output is that of this one. Gives its exit code. */
async function run(program: string, args: readonly string[]): Promise<number> {
  const [code] = (await once(spawn(program, args, { stdio: 'inherit', shell }), 'exit')) as [number | null];
  return code ?? 1;
}

/** Runs a program at the lowest priority, and prints at its end that it passed, or all that it said. */
async function runBeside(title: string, program: string, args: readonly string[]): Promise<number> {
  const env = { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) };
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], shell, env });
  if (child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_LOW);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      said += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  process.stdout.write(code === 0 ? ` ✓ ${title}\n` : `\n${said.trim()}\n ✗ ${title}\n\n`);
  return code ?? 1;
}

async function allBeside(): Promise<number> {
  let worst = 0;
  for (const [title, program, ...args] of BESIDE) worst = Math.max(worst, await runBeside(title, program, args));
  return worst;
}

// Ctrl-C reaches the programs, too: this one waits for them.
process.on('SIGINT', () => undefined);
const given = process.argv.slice(2);
const codes =
  given.length > 0
    ? [await run('vitest', ['run', ...given])]
    : await Promise.all([run('vitest', BROWSER), allBeside()]);
process.exitCode = Math.max(...codes);
