import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/settings/config-file.ts';
import { folderForEach } from '../support/folders.ts';

const folder = folderForEach('config-file');

test.each([
  ['a.json', '{ "runs": 3, }', /^a\.json: is not JSON, line 1, column 14: /],
  ['a.yaml', 'runs: 3\nbad: : x: y\n', /^a\.yaml: is not YAML, line 2, column \d+: /],
  ['a.mjs', '\nthrow new Error("boom");\n', /^a\.mjs: cannot be run, line 2: boom\.$/],
  ['b.mjs', 'export default { runs: 3\n', /^b\.mjs: cannot be run: \S/],
  ['c.mjs', 'export const runs = 3;\n', /^c\.mjs: has no default export\.$/],
  ['d.mjs', 'export default { get runs() { throw new Error("boom") } };\n', /^d\.mjs: boom\.$/],
  ['e.mjs', 'export default { runs: 3n };\n', /^e\.mjs: \S/],
  ['gone.json', undefined, /^gone\.json: there is no such file or folder\.$/],
])('%s that cannot be read says where and why in one line', async (name, content, said) => {
  const file = join(folder(), name);
  if (content !== undefined) writeFileSync(file, content);
  const refused = readConfig(file, folder(), 'audit');
  await expect(refused).rejects.toMatchObject({ name: 'QuiesceError', code: 'config-invalid' });
  await expect(refused).rejects.toThrow(said);
});

test('what has no end is not read, whatever its name says', async () => {
  for (const end of ['json', 'mjs']) {
    const file = join(folder(), `zero.${end}`);
    symlinkSync('/dev/zero', file);
    await expect(readConfig(file, folder(), 'audit')).rejects.toThrow(/^zero\.\w+: it is larger than 4 MB\.$/);
  }
});

test('a file is found above the working folder, and the nearest one counts', async () => {
  const below = join(folder(), 'project', 'pages');
  mkdirSync(below, { recursive: true });
  const found = async () => (await readConfig(undefined, below, 'audit'))?.file;
  const [above, near] = [join(folder(), 'quiesce.config.json'), join(folder(), 'project', 'quiesce.config.yml')];
  writeFileSync(above, '{ "runs": 3 }');
  expect(await found()).toBe(above);
  writeFileSync(near, '');
  expect(await found()).toBe(near);
});

test('nothing but our own message is said of YAML that its parser warns of', async () => {
  const file = join(folder(), 'quiesce.config.yaml');
  writeFileSync(file, 'targets:\n  - &url: https://shop.example/\n');
  const warnings: Error[] = [];
  const hear = (warning: Error) => void warnings.push(warning);
  process.on('warning', hear);
  await readConfig(file, folder(), 'audit').catch(() => undefined);
  await new Promise(setImmediate);
  process.off('warning', hear);
  expect(warnings).toEqual([]);
});

// Only root can give a file away.
test.runIf(process.getuid?.() === 0)('a file that another user put above the working folder is not read', async () => {
  const below = join(folder(), 'project');
  mkdirSync(below);
  const file = join(folder(), 'quiesce.config.mjs');
  writeFileSync(file, 'throw new Error("it ran");\n');
  chownSync(file, 65_534, 65_534);
  chmodSync(folder(), 0o1777);
  await expect(readConfig(undefined, below, 'audit')).rejects.toThrow(
    /belongs to another user\. To use it anyway, pass it with --config/,
  );
  await expect(readConfig(file, below, 'audit')).rejects.toThrow('it ran');
  chmodSync(folder(), 0o755);
  await expect(readConfig(undefined, below, 'audit')).rejects.toThrow('it ran');
});
