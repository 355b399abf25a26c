import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openOutput } from '../../../../src/jobs/engine/reports/output.ts';
import { traceWriter } from '../../../../src/jobs/engine/reports/trace-file.ts';
import { resolvedAudit } from '../../../support/jobs.ts';
import { page, recordingOf } from '../../../support/scripted.ts';
import { COMMON } from '../../../support/settings.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-test-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** As Chrome writes it: response headers as they were sent. */
const answered = {
  pid: 1,
  tid: 1,
  ts: 10,
  ph: 'I',
  name: 'ResourceReceiveResponse',
  args: {
    data: {
      frame: '5F3A9C0D5F3A9C0D5F3A9C0D5F3A9C0D',
      statusCode: 200,
      headers: [
        { name: 'x-api-key', value: 'k-12345' },
        { name: 'Set-Cookie', value: 'sid=c-12345; Path=/' },
        { name: 'x-given', value: '7f' },
        { name: 'authorization', value: 'Basic dXNlcjpwdw==' },
        { name: 'location', value: 'https://shop.example/?token=t-12345' },
        { name: 'content-type', value: 'text/html' },
      ],
    },
  },
};

it.each([false, true])('a trace holds headers without their secrets, harSecrets %s', async (harSecrets) => {
  const settings = resolvedAudit({
    ...COMMON,
    targets: ['https://user:pw@shop.example/'],
    header: ['X-Given: 7f'],
    harSecrets,
  });
  const write = traceWriter(settings, await openOutput(folder, true));
  const trace = { events: [answered], frameId: 'F', zero: 0 };
  await write({ ...recordingOf({ requests: page(), until: 100 }), trace }, 'trace.json.gz');
  const { traceEvents } = JSON.parse(gunzipSync(await readFile(path.join(folder, 'trace.json.gz'))).toString());
  expect(traceEvents[0].args.data).toEqual({
    ...answered.args.data,
    headers: [
      { name: 'x-api-key', value: '[redacted]' },
      { name: 'Set-Cookie', value: 'sid=[redacted]; Path=/' },
      { name: 'x-given', value: '[redacted]' },
      { name: 'authorization', value: '[redacted]' },
      { name: 'location', value: 'https://shop.example/?token=%5Bredacted%5D' },
      { name: 'content-type', value: 'text/html' },
    ],
  });
});
