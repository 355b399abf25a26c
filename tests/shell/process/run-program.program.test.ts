import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { runProgram } from '../../../src/shell/process/run-program.ts';

/** Runs a script in a Node.js of its own, and aborts the stops one after the other whenever it says "ready". */
async function run(script: string, env: NodeJS.ProcessEnv = {}) {
  const stops = [new AbortController(), new AbortController()];
  let text = '';
  const code = await runProgram({
    program: [process.execPath, '-e', script],
    folder: tmpdir(),
    env,
    stops: stops.map(({ signal }) => signal),
    onText(more) {
      text += more;
      if (more.includes('ready')) stops.find(({ signal }) => !signal.aborted)?.abort();
    },
  });
  return { code, text };
}

test('gives the exit code, and both streams as text', async () => {
  const script = `process.stdout.write('a ' + process.env.GIVEN + ' '); process.stderr.write('é'); process.exitCode = 7`;
  const { code, text } = await run(script, { GIVEN: 'x' });
  expect(code).toBe(7);
  expect(text).toContain('a x ');
  expect(text).toContain('é');
});

test('gives what the program sends, where somebody listens', async () => {
  const script = `process.send({ problem: 'a' }); console.log(process.env.NODE_CHANNEL_FD)`;
  const request = { program: [process.execPath, '-e', script], folder: tmpdir(), env: {}, stops: [] };
  const messages: unknown[] = [];
  const texts: string[] = [];
  const onText = (text: string) => void texts.push(text);
  expect(await runProgram({ ...request, onText, onMessage: (message) => void messages.push(message) })).toBe(0);
  expect([messages, texts.join('')]).toEqual([[{ problem: 'a' }], 'undefined\n']);
  expect(await runProgram({ ...request, onText })).toBe(1);
});

test('a program that a signal ends has its code as shells have it', async () => {
  expect((await run(`process.kill(process.pid, 'SIGKILL')`)).code).toBe(137);
  expect((await run(`setTimeout(() => {}, 20_000); console.log('ready')`)).code).toBe(143);
});

test('each stop is handed on: the program may go on after the first', async () => {
  const script = `
    const late = setTimeout(() => {}, 20_000);
    let asked = 0;
    process.on('SIGTERM', () => {
      asked += 1;
      if (asked === 1) return console.log('ready once more');
      clearTimeout(late);
      process.exit(40 + asked);
    });
    console.log('ready');`;
  expect((await run(script)).code).toBe(42);
});

test('a stop that came before it was started is not forgotten', async () => {
  const request = { program: [process.execPath, '-e', 'setTimeout(() => {}, 20_000)'], folder: tmpdir(), env: {} };
  const code = await runProgram({ ...request, stops: [AbortSignal.abort()], onText: () => undefined });
  expect(code).toBe(143);
});

test('one that is not there is an error', async () => {
  const request = { program: ['/nowhere/to/be/found'], folder: tmpdir(), env: {} };
  await expect(runProgram({ ...request, stops: [], onText: () => undefined })).rejects.toThrow('ENOENT');
});
