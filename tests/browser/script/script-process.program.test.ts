import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFailed, onTestFinished } from 'vitest';

const SCRIPT_PROCESS = new URL('../../../src/browser/script/script-process.ts', import.meta.url).href;

it('ends with the program that was killed, also in an endless loop', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-script-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const script = path.join(folder, 'loop.mjs');
  await writeFile(script, "import fs from 'node:fs'; fs.writeSync(1, String(process.pid)); for (;;);");
  const open = `const { openScriptProcess } = await import(${JSON.stringify(SCRIPT_PROCESS)});
    await openScriptProcess(${JSON.stringify(script)}, ${2 ** 31 - 1});`;
  const program = spawn(process.execPath, ['--input-type=module', '--eval', open], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await once(program.stdout, 'data');
  const pid = Number(String(said));
  expect(pid).toBeGreaterThan(0);
  onTestFailed(() => void process.kill(pid, 'SIGKILL'));
  program.kill('SIGKILL');
  // The script's process writes there too: it ends with the last of the two.
  await once(program.stdout, 'end');
});
