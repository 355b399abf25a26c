import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { ensurePackage, installedPackage, OPTIONAL_PACKAGES } from '../../../src/shell/process/optional-package.ts';

test('what is fetched is what is tested, and what package.json allows', () => {
  expect(manifest.devDependencies).toMatchObject(OPTIONAL_PACKAGES);
  expect(Object.keys(manifest.peerDependencies)).toEqual(Object.keys(OPTIONAL_PACKAGES));
  expect(Object.values(manifest.peerDependenciesMeta)).toEqual([{ optional: true }, { optional: true }]);
});

test('what is installed is not fetched', async () => {
  const env = { HOME: '/nowhere', CI: 'true' };
  expect(installedPackage('autocannon', env)).toMatch(/autocannon\.js$/);
  const onFetch = () => expect.unreachable();
  await ensurePackage('autocannon', { env, install: true, signal: new AbortController().signal, onFetch });
});
