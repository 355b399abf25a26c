import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { launchBrowser } from '../../../src/browser/connect/launch.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-launch-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A program that starts as Chrome does and answers, until it is asked for another session. */
const DYING = `#!${process.execPath}
const { createReadStream, writeFileSync, writeSync } = require('node:fs');
writeFileSync(__dirname + '/started', process.pid + ' ' + process.argv.find((each) => each.startsWith('--user-data-dir=')));
let said = '';
createReadStream('', { fd: 3, encoding: 'utf8' }).on('data', (text) => {
  const messages = (said + text).split('\\0');
  said = messages.pop();
  for (const { id, method } of messages.map((each) => JSON.parse(each))) {
    if (method !== 'Browser.getVersion') process.exit(1);
    writeSync(4, JSON.stringify({ id, result: { product: 'Chrome/1.0', userAgent: 'Mozilla/5.0' } }) + '\\0');
  }
});
`;

it.skipIf(process.platform === 'win32')('of a browser that dies just after its start nothing is left', async () => {
  const program = path.join(folder, 'browser.cjs');
  await writeFile(program, DYING);
  await chmod(program, 0o755);
  await expect(launchBrowser({ sandbox: false, browserArg: [] }, program)).rejects.toMatchObject({
    code: 'browser-start-failed',
    message: expect.stringContaining('it ended with exit code 1'),
  });
  const [, profile = ''] = (await readFile(path.join(folder, 'started'), 'utf8')).split(/ --user-data-dir=/);
  expect(path.basename(profile)).toMatch(/^quiesce-profile-/);
  expect(await readdir(path.dirname(profile))).not.toContain(path.basename(profile));
});

describe.skipIf(process.platform === 'win32')('a folder for temporary files', () => {
  const start = async () => {
    const program = path.join(folder, 'browser.cjs');
    await writeFile(program, DYING);
    await chmod(program, 0o755);
    await expect(launchBrowser({ sandbox: false, browserArg: [] }, program)).rejects.toMatchObject({
      code: 'browser-start-failed',
    });
    const [, profile = ''] = (await readFile(path.join(folder, 'started'), 'utf8')).split(/ --user-data-dir=/);
    return profile;
  };
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('with a path too long for sockets is replaced by a shorter one', async () => {
    const long = path.join(folder, 'x'.repeat(60));
    await mkdir(long);
    vi.stubEnv('TMPDIR', long);
    const profile = await start();
    expect(Buffer.byteLength(`${profile}/org.chromium.Chromium.weIhQo/SingletonSocket`)).toBeLessThan(104);
    expect(await readdir(long)).toEqual([]);
    expect(await readdir(path.dirname(profile))).not.toContain(path.basename(profile));
  });

  it('with a short path is used', async () => {
    vi.stubEnv('TMPDIR', '/var/tmp');
    expect(path.dirname(await start())).toBe('/var/tmp');
  });

  it('that is missing is the reason', async () => {
    vi.stubEnv('TMPDIR', '/nowhere');
    await expect(launchBrowser({ sandbox: false, browserArg: [] }, 'chrome')).rejects.toMatchObject({
      code: 'browser-start-failed',
      message: expect.stringMatching(
        /\(ENOENT: .*'\/nowhere\/quiesce-profile-.*\)\. Set TMPDIR to a folder that can be/,
      ),
    });
  });
});

it.skipIf(process.platform === 'win32')('a limit of open files is the reason where it is reached', () => {
  const program = `import { openSync } from 'node:fs';
    import { launchBrowser } from ${JSON.stringify(path.resolve('src/browser/connect/launch.ts'))};
    try { for (;;) openSync('/dev/null'); } catch {}
    await launchBrowser({ sandbox: false, browserArg: [] }, '/bin/true').catch(({ message }) => process.stdout.write(message));`;
  const { stdout } = spawnSync(
    'sh',
    ['-c', 'ulimit -n 128 && exec "$0" "$@"', process.execPath, '--input-type=module', '-e', program],
    { env: { ...process.env, TMPDIR: folder }, encoding: 'utf8' },
  );
  expect(stdout).toContain('did not start (spawn /bin/true EMFILE). Allow more open files');
});
