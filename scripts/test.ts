/**
 * `npm test`: everything that CI runs. Tests that drive a browser mostly wait. What needs none (the linter, the types, the
 * unit tests) has the processors meanwhile, at a low priority. What it found wrong comes last, where people and CI look first.
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

interface Beside {
  readonly code: number;
  /** What it said, where it failed. */
  readonly output: string;
}

/** Runs a program at a low priority, and says at its end whether it passed. */
async function runBeside(title: string, program: string, args: readonly string[]): Promise<Beside> {
  const env = { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) };
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], shell, env });
  if (child.pid !== undefined) os.setPriority(child.pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      said += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  process.stdout.write(code === 0 ? ` ✓ ${title}\n` : ` ✗ ${title}: see the end\n`);
  return { code: code ?? 1, output: code === 0 ? '' : `\n${said.trim()}\n ✗ ${title}\n` };
}

async function allBeside(): Promise<readonly Beside[]> {
  const done: Beside[] = [];
  for (const [title, program, ...args] of BESIDE) done.push(await runBeside(title, program, args));
  return done;
}

async function everything(): Promise<number> {
  const [code, beside] = await Promise.all([run('vitest', BROWSER), allBeside()]);
  for (const { output } of beside) process.stdout.write(output);
  return Math.max(code, ...beside.map((one) => one.code));
}

// Ctrl-C reaches the programs, too: this one waits for them.
process.on('SIGINT', () => undefined);
const given = process.argv.slice(2);
process.exitCode = given.length > 0 ? await run('vitest', ['run', ...given]) : await everything();
