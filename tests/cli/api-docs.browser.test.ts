/** The programs of docs/api.md, as they stand there. */

import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT, textOf } from '../examples/places.ts';

const PAGE = '<!doctype html><title>Example</title><link rel="icon" href="data:,"><h1>Hello</h1>';
const PROGRAMS = [...textOf('docs/api.md').matchAll(/^```js\n(.*?)^```$/gms)].map(([, program = '']) => program);

let folder: string;
let server: Server;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quiesce-api-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/quiesce'), 'junction');
  for (const site of ['dist', 'dist-main']) {
    mkdirSync(join(folder, site));
    writeFileSync(join(folder, site, 'index.html'), PAGE);
  }
  copyFileSync(`${ROOT}fixtures/hars/quiesce.har`, join(folder, 'page.har'));
  server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(PAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

const run = (program: string, args: readonly string[]) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(program, args, { cwd: folder, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    );
  });

/** A program with a page of this test and as few loads as will do. */
const shortened = (program: string): string =>
  program
    .replace('https://example.com/', url)
    .replace("network: 'slow-4g'", "quietWindow: '500ms'")
    .replace('runs: 5', 'runs: 1')
    .replace("minEffect: '3%'", "minEffect: '3%', maxPairs: 2, looks: [2], quietWindow: '500ms'");

const runProgram = async (holding: string) => {
  const program = PROGRAMS.find((each) => each.includes(holding)) ?? '';
  writeFileSync(join(folder, 'program.mjs'), shortened(program));
  return run(process.execPath, ['program.mjs']);
};

describe('docs/api.md', () => {
  test('has programs that compile', async () => {
    expect(PROGRAMS.length).toBeGreaterThanOrEqual(4);
    const files = PROGRAMS.map((program, i) => {
      writeFileSync(join(folder, `program-${i}.mts`), program);
      return `program-${i}.mts`;
    });
    const compilerOptions = {
      ...{ strict: true, noEmit: true, module: 'NodeNext', moduleResolution: 'NodeNext', target: 'ES2023' },
      ...{ types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')], skipLibCheck: true },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const { stdout } = await run(join(ROOT, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.json']);
    expect(stdout).toBe('');
  });

  test('judges a HAR', async () => {
    const { code, stdout, stderr } = await runProgram('judgeHar(');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^https?:\/\/\S+ (complete|unconfirmed|never)/);
  });

  test('audits a page', async () => {
    const { code, stdout, stderr } = await runProgram('process.exitCode = exit');
    // The machine is busy with other tests, which the exit code says.
    expect([0, 4], stderr).toContain(code);
    expect(stdout).toMatch(new RegExp(`^${url} \\d+(\\.\\d+)? `));
  });

  test('compares two builds', async () => {
    const { code, stdout, stderr } = await runProgram('compare(');
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^(same|slower|faster|unsure|invalid) \[/);
    expect(stderr).toContain('2 pairs');
  });

  test('catches an error', async () => {
    const { code, stderr } = await runProgram('instanceof QuiesceError');
    expect(code).toBe(0);
    expect(stderr).toMatch(/^target-not-url "\.\/no-such-folder" is neither/);
  });
});
