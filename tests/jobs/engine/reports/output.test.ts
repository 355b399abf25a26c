import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openOutput } from '../../../../src/jobs/engine/reports/output.ts';

let base: string;
beforeEach(async () => {
  base = await mkdtemp(path.join(os.tmpdir(), 'quiesce-output-'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

const pieces = function* (): Iterable<string> {
  yield 'one ';
  yield 'two';
};

describe('where files are written', () => {
  test('lists each file once, and says how large it is in the end', async () => {
    const folder = path.join(base, 'out');
    const output = await openOutput(folder, true);
    await output.write('run-1.har', 'longer than');
    await output.write('index.html', pieces());
    await output.write('run-1.har', 'this: ä');
    await output.store.write('partial/x.json', '{}');
    expect(output.files()).toEqual(['run-1.har', 'index.html'].map((name) => path.join(folder, name)));
    expect(output.sizes()).toEqual({ 'run-1.har': (await stat(path.join(folder, 'run-1.har'))).size });
  });

  test('keeps what memory should not hold in the same folder, and removes it', async () => {
    const output = await openOutput(base, true);
    const temp = output.openTempFiles();
    const kept = await temp.put({ a: 1 });
    expect(await readdir(base)).toHaveLength(1);
    expect(await kept.read()).toEqual({ a: 1 });
    await temp.close();
    expect(await readdir(base)).toEqual([]);
  });
});

describe('where nothing is to be written', () => {
  test('there is no folder, and no file is listed', async () => {
    const folder = path.join(base, 'out');
    const output = await openOutput(folder, false);
    await output.write('run-1.har', 'text');
    await output.store.write('partial/x.json', '{}');
    const temp = output.openTempFiles();
    const kept = await temp.put('still kept');
    expect(await kept.read()).toBe('still kept');
    await temp.close();
    expect(await output.store.read('run-1.har')).toBeUndefined();
    expect([output.files(), output.sizes()]).toEqual([[], {}]);
    expect(await readdir(base)).toEqual([]);
  });
});
