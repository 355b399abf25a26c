import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openChromeLab } from '../../src/browser/lab.ts';
import { POLICY } from '../support/scripted.ts';

/** A program that starts as Chrome does, and ends with these words when it is asked for a profile. */
const dying = (words: string): string => `#!${process.execPath}
const { createReadStream, writeSync } = require('node:fs');
const send = (message) => writeSync(4, JSON.stringify(message) + '\\0');
let sessions = 0;
let said = '';
createReadStream('', { fd: 3, encoding: 'utf8' }).on('data', (text) => {
  const messages = (said + text).split('\\0');
  said = messages.pop();
  for (const { id, method, sessionId } of messages.map((each) => JSON.parse(each))) {
    if (method === 'Target.createBrowserContext') {
      writeSync(2, ${JSON.stringify(words)} + '\\n');
      process.exit(1);
    }
    const answer = { id, ...(sessionId && { sessionId }) };
    if (method === 'Browser.getVersion') {
      send({ ...answer, result: { product: 'Chrome/1.0', userAgent: 'Mozilla/5.0' } });
    } else if (method === 'Target.attachToBrowserTarget') {
      sessions += 1;
      const targetInfo = { targetId: 'browser', type: 'browser', title: '', url: '', attached: true };
      send({ method: 'Target.attachedToTarget', params: { sessionId: 's' + sessions, targetInfo } });
      send({ ...answer, result: { sessionId: 's' + sessions } });
    } else send({ ...answer, result: {} });
  }
});
`;

it.skipIf(process.platform === 'win32').each([
  [
    '[7:9:1122/1.1:FATAL:base/files/scoped_file.cc:9] Check failed: . : Too many open files (24)',
    'Allow more open files',
  ],
  ['[7:9:1122/1.1:FATAL:base/process/memory_linux.cc:36] Out of memory.', 'whether memory ran out'],
])('a browser that dies with %j', async (words, advice) => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-lab-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const program = path.join(folder, 'browser.cjs');
  await writeFile(program, dying(words));
  await chmod(program, 0o755);
  const lab = await openChromeLab({ sandbox: false, browserArg: [] }, program);
  onTestFinished(() => lab.close());
  const asked = { url: 'https://shop.test/', policy: POLICY, content: false };
  const outcome = await lab.record(asked, new AbortController().signal);
  expect(outcome).toMatchObject({
    ok: false,
    failure: { code: 'browser-died', message: expect.stringContaining(advice) },
  });
});
