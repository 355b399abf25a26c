import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { openFilesLimit } from '../../../src/shell/host/open-files.ts';

it.skipIf(process.platform !== 'linux')('says how many files may be open', () => {
  const module = new URL('../../../src/shell/host/open-files.ts', import.meta.url).href;
  const print = `const { openFilesLimit } = await import(${JSON.stringify(module)}); console.log(openFilesLimit());`;
  const args = ['-c', 'ulimit -n 123 && exec "$0" "$@"', process.execPath, '--input-type=module', '-e', print];
  expect(execFileSync('sh', args, { encoding: 'utf8' })).toBe('123\n');
});

it('does not know where the kernel does not say it', () => {
  expect(openFilesLimit('/nowhere')).toBeUndefined();
});
