import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type ServeRequest, serveCommand } from '../../../src/shell/servers/serve-command.ts';
import { folderForEach } from '../../support/folders.ts';

const folder = folderForEach('serve');
let url: string;
let port: number;
beforeEach(async () => {
  // A port that is free: it was, a moment ago.
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  port = (probe.address() as AddressInfo).port;
  await new Promise((resolve) => probe.close(resolve));
  url = `http://127.0.0.1:${port}/`;
});

const NODE = JSON.stringify(process.execPath);

/** A script as a command line. Its children's ids, and its own, go to `pids`. */
async function script(source: string): Promise<string> {
  const file = path.join(folder(), 'server.mjs');
  await writeFile(
    file,
    `import { createServer } from 'node:http';
     import { spawn } from 'node:child_process';
     import { appendFileSync } from 'node:fs';
     const note = (pid) => appendFileSync(${JSON.stringify(path.join(folder(), 'pids'))}, pid + '\\n');
     note(process.pid);
     ${source}`,
  );
  return `${NODE} ${JSON.stringify(file)}`;
}

const pids = async (): Promise<readonly number[]> =>
  (await readFile(path.join(folder(), 'pids'), 'utf8')).trim().split('\n').map(Number);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // A dead process that nobody has buried answers, too.
    return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};

/** Runs it; what it told when it failed comes along. */
async function start(command: string, more: Partial<ServeRequest> = {}) {
  const told: string[] = [];
  const request: ServeRequest = {
    command,
    url,
    timeout: 20_000,
    signal: new AbortController().signal,
    onFailure: (lines) => void told.push(...lines),
    ...more,
  };
  return serveCommand(request).then(
    (server) => ({ server, told, error: undefined }),
    (error: Error & { code?: string; exit?: number }) => ({ server: undefined, told, error }),
  );
}

const ANSWERING = 'createServer((_, response) => response.end("hello")).listen(PORT, "127.0.0.1");';
const answering = () => ANSWERING.replace('PORT', String(port));

describe('a server that is started', () => {
  it('sets nothing for the steps after it in a job on GitHub', async () => {
    vi.stubEnv('GITHUB_ENV', 'a file');
    vi.stubEnv('GITHUB_SHA', 'a commit');
    const { server } = await start(
      await script(
        `createServer((_, response) => response.end([process.env.GITHUB_ENV, process.env.GITHUB_SHA].join())).listen(${port}, '127.0.0.1');`,
      ),
    );
    try {
      expect(await (await fetch(url)).text()).toBe(',a commit');
    } finally {
      await server?.close();
      vi.unstubAllEnvs();
    }
  });

  it('answers, and is ended with its children and theirs', async () => {
    const command = await script(
      `const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
       note(child.pid);
       ${answering()}`,
    );
    // A shell in between, as "npm start" is.
    const { server, error } = await start(`${command} ; true`);
    expect(error).toBeUndefined();
    expect(await (await fetch(url)).text()).toBe('hello');
    expect(server?.endReason()).toBeUndefined();
    const all = await pids();
    expect(all).toHaveLength(2);
    expect(all.map(isAlive)).toEqual([true, true]);
    await server?.close();
    expect(all.map(isAlive)).toEqual([false, false]);
  });

  it('is killed when it does not want to end', async () => {
    const command = await script(`process.on('SIGTERM', () => {}); ${answering()}`);
    const { server } = await start(command);
    const [pid = 0] = await pids();
    await server?.close();
    expect(isAlive(pid)).toBe(false);
  }, 15_000);

  it('may answer with anything but an error of its own', async () => {
    const command = await script(
      `let asked = 0;
       createServer((_, response) => response.writeHead(asked++ < 2 ? 503 : 404).end(String(asked))).listen(${port}, '127.0.0.1');`,
    );
    const { server, error } = await start(command);
    expect(error).toBeUndefined();
    expect(await (await fetch(url)).text()).toBe('4');
    await server?.close();
  });

  it('may end by itself: how, and what it said last', async () => {
    const command = await script(
      `const server = createServer((request, response) => {
         response.end('ok');
         if (request.url !== '/') { console.error('out of beans'); process.exitCode = 3; server.close(); server.closeAllConnections(); }
       }).listen(${port}, '127.0.0.1');`,
    );
    const { server } = await start(command);
    await fetch(`${url}end`).catch(() => undefined);
    await expect.poll(() => server?.endReason()).toBe('exit code 3');
    await expect.poll(() => server?.output()).toEqual(['out of beans']);
    await server?.close();
  });
});

describe('a server that does not come up', () => {
  it('is told at once, with its last output', async () => {
    const command = await script(`console.log('starting'); console.error('Error: no database'); process.exitCode = 1;`);
    const { error, told } = await start(command, { timeout: 3_600_000 });
    expect(error).toMatchObject({ code: 'serve-ended', exit: 3 });
    expect(error?.message).toBe(`The server ended before ${url} answered (exit code 1). See its output above.`);
    expect(told.toSorted()).toEqual(['Error: no database', 'starting']);
  });

  it('of which there is no such command is told', async () => {
    const { error, told } = await start('no-such-command-of-mine');
    expect(error?.message).toMatch(/\(exit code 127\)|exit code 1\b/);
    expect(told.join()).toMatch(/not found|not recognized/);
  });

  it('in time is ended', async () => {
    const command = await script(
      `console.log('x'.repeat(200_000)); console.log('still building'); setInterval(() => {}, 1000);`,
    );
    const { error, told } = await start(command, { timeout: 1_000 });
    expect(error).toMatchObject({ code: 'serve-no-answer', exit: 3 });
    expect(error?.message).toContain('did not answer within 1 s (nothing listens there)');
    expect(told.at(-1)).toBe('still building');
    expect(told.join('').length).toBeLessThanOrEqual(64 * 1024);
    expect((await pids()).map(isAlive)).toEqual([false]);
  });

  it('as somebody else listens there is not started', async () => {
    const other = createServer((_, response) => response.writeHead(500).end()).listen(port, '127.0.0.1');
    await once(other, 'listening');
    const { error } = await start(`DB_PASSWORD=hunter2 ${await script(answering())} --token abc`);
    expect(error).toMatchObject({ code: 'serve-url-taken', exit: 2 });
    expect(error?.message).toContain('DB_PASSWORD=[redacted]');
    expect(error?.message).not.toMatch(/hunter2|abc/);
    await expect(pids()).rejects.toThrow('ENOENT');
    await new Promise((resolve) => other.close(resolve));
  });

  it('before the user loses patience is ended', async () => {
    const abort = new AbortController();
    const command = await script(`createServer(() => process.stdout.write('asked')).listen(${port}, '127.0.0.1');`);
    const starting = start(command, { signal: abort.signal });
    await expect
      .poll(() =>
        pids().then(
          (all) => all.length,
          () => 0,
        ),
      )
      .toBe(1);
    abort.abort();
    expect((await starting).error).toMatchObject({ code: 'interrupted', exit: 130 });
    expect((await pids()).map(isAlive)).toEqual([false]);
  });
});
