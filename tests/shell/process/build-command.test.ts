import { expect, it } from 'vitest';
import { runBuild } from '../../../src/shell/process/build-command.ts';

it('tells lines as they come, and a line without an end in pieces', async () => {
  const told: string[] = [];
  // As builds do that print what they know as JSON: all of it was gone through again for every piece that came.
  const script = `process.stdout.write('one\\n\\n  two\\r'); process.stdout.write('x'.repeat(3_000_000))`;
  const { succeeded } = await runBuild({
    command: `"${process.execPath}" -e "${script}"`,
    folder: process.cwd(),
    top: process.cwd(),
    ownTop: process.cwd(),
    signal: new AbortController().signal,
    onLines: (lines) => told.push(...lines),
  });
  expect(succeeded).toBe(true);
  expect(told.slice(0, 2)).toEqual(['one', '  two']);
  expect(told.slice(2).join('')).toHaveLength(3_000_000);
  expect(Math.max(...told.map((line) => line.length))).toBeLessThan(512 * 1024);
});
