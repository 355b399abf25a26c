import { mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { buildKey, findBuild, storeBuild } from '../../../src/shell/git/build-cache.ts';
import { folderForEach } from '../../support/folders.ts';

const around = folderForEach('cache');
let cache: string;
let site: string;
beforeEach(async () => {
  cache = path.join(around(), 'builds');
  site = path.join(around(), 'site');
  await mkdir(path.join(site, 'sub'), { recursive: true });
  await writeFile(path.join(site, 'index.html'), 'built');
  await writeFile(path.join(site, 'sub', 'a.css'), 'a{}');
});

const DAYS = 24 * 60 * 60;
/** As if it had been used so many days ago. */
const age = (folder: string, days: number) =>
  utimes(folder, Date.now() / 1000 - days * DAYS, Date.now() / 1000 - days * DAYS);

it('finds a build under its own key, whole', async () => {
  const [one, other] = [buildKey({ commit: 'a', build: 'b' }), buildKey({ commit: 'a', build: 'c' })];
  expect(await findBuild(cache, one)).toBeUndefined();
  const folder = await storeBuild(cache, one, site);
  expect(await findBuild(cache, one)).toBe(folder);
  expect(await findBuild(cache, other)).toBeUndefined();
  expect(await readFile(path.join(folder, 'sub', 'a.css'), 'utf8')).toBe('a{}');
  await rm(path.join(folder, 'index.html'));
  expect(await findBuild(cache, one)).toBeUndefined();
});

it('keeps what links lead to in hidden folders, as a server gives it out, and does not run in circles', async () => {
  const lit = path.join(site, 'node_modules', '.pnpm', 'lit@3', 'lit');
  await mkdir(lit, { recursive: true });
  await writeFile(path.join(lit, 'lit.js'), 'export {}');
  await symlink(lit, path.join(site, 'node_modules', 'lit'));
  await symlink('.', path.join(lit, 'self'));
  const packages = path.join(await storeBuild(cache, 'key', site), 'node_modules');
  expect(await readFile(path.join(packages, 'lit', 'lit.js'), 'utf8')).toBe('export {}');
  expect([await readdir(packages), await readdir(path.join(packages, 'lit'))]).toEqual([['lit'], ['lit.js']]);
});

it('keeps nothing of what could not be copied', async () => {
  await expect(storeBuild(cache, 'key', path.join(around(), 'nowhere'))).rejects.toThrow('ENOENT');
  expect(await readdir(cache)).toEqual([]);
});

it('lets go of what was used longest ago, but of nothing that may be in use', async () => {
  const folders: string[] = [];
  for (let n = 0; n < 13; n += 1) folders.push(await storeBuild(cache, `key${n}`, site));
  expect(await readdir(cache)).toHaveLength(13);
  for (const [n, folder] of folders.entries()) await age(folder, 20 - n);
  // Looked for, so it counts as just used.
  expect(await findBuild(cache, 'key0')).toBe(folders[0]);
  const draft = path.join(cache, '.part-old');
  await mkdir(draft);
  await age(draft, 2);
  await mkdir(path.join(cache, '.part-new'));
  const last = await storeBuild(cache, 'last', site);
  const left = (await readdir(cache)).map((name) => path.join(cache, name));
  expect(left.toSorted()).toEqual([last, folders[0], ...folders.slice(5), path.join(cache, '.part-new')].toSorted());
});
