import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { folderForEach } from '../../support/folders.ts';
import { audit, loadOptionsOf } from '../../support/jobs.ts';
import { recordIn, sharedLab } from '../../support/lab.ts';
import { IMPATIENT } from '../../support/patience.ts';
import { COMMON } from '../../support/settings.ts';
import { ACCOUNT_STATE, accountServer } from '../../support/storage-state.ts';

const folder = folderForEach('state');
let server: Awaited<ReturnType<typeof accountServer>>;
beforeAll(async () => {
  server = await accountServer();
});
afterAll(() => server.close());
let storageState: string;
beforeEach(async () => {
  storageState = path.join(folder(), 'auth.json');
  await writeFile(storageState, JSON.stringify(ACCOUNT_STATE));
});

const ALL = {
  cookie: 'sid=cookie-secret-1',
  local: 'local-secret-3',
  session: 'session-secret-4',
  users: ['database-secret-5', 'database-secret-62020'],
};
const NONE = { cookie: undefined, local: null, session: null, users: [] };

it('each load finds all of it, and nothing else is asked of the server', async () => {
  const lab = await sharedLab();
  const { access, conditions } = loadOptionsOf({ storageState });
  const before = server.asked.length;
  const recording = await recordIn(lab, server.url, undefined, { access });
  expect(server.seen.at(-1)).toEqual(ALL);
  expect(server.asked.slice(before)).toEqual(['/', '/seen']);
  expect(recording.events.flatMap((event) => (event.kind === 'request' ? event.url.split('?')[0] : []))).toEqual([
    server.url,
    `${server.url}seen`,
  ]);
  // Of another load nothing is left.
  await recordIn(lab, server.url);
  expect(server.seen.at(-1)).toEqual(NONE);
  const seen = server.seen.length;
  await recordIn(lab, server.url, undefined, { access, conditions: { ...conditions, view: 'warm' } });
  expect(server.seen.slice(seen)).toEqual([ALL, ALL]);
});

it('what is written of it holds none of its values', async () => {
  const out = path.join(folder(), 'out');
  const { result } = await audit(
    {
      ...COMMON,
      quietWindow: 500,
      observation: IMPATIENT,
      targets: [server.url],
      sandbox: process.getuid?.() !== 0,
      format: ['json', 'html', 'har', 'csv', 'junit', 'md'],
      harContent: true,
      runs: 1,
      storageState,
      out,
    },
    { openLab: sharedLab },
  );
  expect(result.targets[0]?.runs[0]?.ok).toBe(true);
  expect(server.seen.at(-1)).toEqual(ALL);
  const names = await readdir(out);
  expect(names).toContain('run-1.har');
  for (const name of names) {
    const bytes = await readFile(path.join(out, name)).catch(() => Buffer.from(''));
    const text = name.endsWith('.gz') ? String(gunzipSync(bytes)) : String(bytes);
    expect(text, name).not.toMatch(/(?:cookie|local|session|database)-secret-\d/);
  }
});
