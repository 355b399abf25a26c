import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readStorageState } from '../../src/settings/storage-state.ts';
import { folderForEach } from '../support/folders.ts';
import { refusalOf } from '../support/settings.ts';
import { ACCOUNT_STATE } from '../support/storage-state.ts';

const folder = folderForEach('state');

async function reading(text: string) {
  const file = path.join(folder(), 'auth.json');
  await writeFile(file, text);
  return readStorageState(file);
}

it('a file of Playwright is read', async () => {
  expect(await reading(JSON.stringify(ACCOUNT_STATE))).toEqual(ACCOUNT_STATE);
  const minimal = { cookies: [], origins: [{ origin: 'https://x.test/', localStorage: [] }] };
  expect((await reading(JSON.stringify(minimal))).origins[0]?.origin).toBe('https://x.test');
});

it('anything else is refused without its values', async () => {
  const refusal = (text: string) => refusalOf(reading(text));
  const SECRET = 'hunter2-hunter2';
  expect(await refusal(`{ "cookies": ${SECRET} }`)).toMatch(
    /auth\.json cannot be used as --storage-state \(it is not a JSON object\)/,
  );
  expect(await refusal(JSON.stringify({ cookies: [{ name: 'a', value: 1, domain: SECRET }] }))).toMatch(
    /\(cookies\.0\.value: /,
  );
  expect(await refusal(JSON.stringify({ origins: [{ origin: SECRET }] }))).toMatch(/\(origins\.0\.origin: must be an/);
  expect(await refusal(JSON.stringify({ password: SECRET }))).toMatch(/\(it has no cookies and no origins\)/);
  expect(await refusal(' '.repeat(4 * 1024 * 1024 + 1))).toMatch(/\(it is larger than 4 MB\)/);
  expect(await refusalOf((async () => readStorageState(path.join(folder(), 'none.json')))())).toMatch(
    /none\.json cannot be used/,
  );
  for (const text of [`{ "cookies": ${SECRET} }`, JSON.stringify({ origins: [{ origin: SECRET }] })]) {
    expect(await refusal(text)).not.toContain(SECRET);
  }
});
