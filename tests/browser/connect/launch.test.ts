import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
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
