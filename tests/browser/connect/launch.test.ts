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

/** A program that starts as Chrome does and answers, until it is asked which version it is. */
const DYING = `#!${process.execPath}
const { WebSocketServer } = require(${JSON.stringify(path.resolve('node_modules/ws'))});
const { writeFileSync } = require('node:fs');
writeFileSync(__dirname + '/started', process.pid + ' ' + process.argv.find((each) => each.startsWith('--user-data-dir=')));
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' }, () => {
  console.error('DevTools listening on ws://127.0.0.1:' + server.address().port + '/devtools/browser/x');
});
server.on('connection', (socket) => socket.on('message', (data) => {
  const { id, method, sessionId } = JSON.parse(data);
  if (method === 'Browser.getVersion') process.exit(1);
  const result = method === 'Target.attachToBrowserTarget' ? { sessionId: 'S' } : {};
  if (result.sessionId) socket.send(JSON.stringify({ method: 'Target.attachedToTarget', params: { sessionId: 'S',
    targetInfo: { targetId: 'B', type: 'browser', title: '', url: '', attached: true, canAccessOpener: false }, waitingForDebugger: false } }));
  socket.send(JSON.stringify({ id, sessionId, result }));
}));
`;

it.skipIf(process.platform === 'win32')('of a browser that dies just after its start nothing is left', async () => {
  const program = path.join(folder, 'browser.cjs');
  await writeFile(program, DYING);
  await chmod(program, 0o755);
  await expect(launchBrowser({ sandbox: false, browserArg: [] }, program)).rejects.toMatchObject({
    code: 'browser-start-failed',
  });
  const [, profile = ''] = (await readFile(path.join(folder, 'started'), 'utf8')).split(/ --user-data-dir=/);
  expect(path.basename(profile)).toMatch(/^quiesce-profile-/);
  expect(await readdir(path.dirname(profile))).not.toContain(path.basename(profile));
});
