import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { analyze, audit, compare, report } from '../../src/api.ts';
import { inLibraryWords } from '../../src/settings/library-words.ts';
import { QuiesceError } from '../../src/wording/messages/messages.ts';

const messageOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no error',
    (error: Error) => {
      expect(error).toBeInstanceOf(QuiesceError);
      return error.message;
    },
  );

it('a caller of the library is told of options by their names there', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-words-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(path.join(folder, 'mine.txt'), '');
  const har = 'fixtures/hars/quiesce.har';
  expect(await messageOf(analyze(har, { out: folder, format: ['json'] }))).toBe(
    `${folder} contains files that do not belong to a result of Quiesce (mine.txt). Choose another folder with "out", or write into this one with "force".`,
  );
  expect(await messageOf(audit({}))).toBe(
    'Missing argument: what to audit. Give a URL (https://example.com/) or a folder with a built site (./dist).',
  );
  expect(await messageOf(audit('http://x/', { shard: '1/2', format: [] }))).not.toContain('--');
  expect(await messageOf(compare('a', undefined as never))).toMatch(/or use "baseRef"\.$/);
  expect(await messageOf(report('no/such/result.json'))).toContain('no/such/result.json');
});

it('commands that are to be typed, and what is no option, stay', () => {
  const said = (error: QuiesceError) => (inLibraryWords(error) as Error).message;
  expect(said(new QuiesceError('browser-not-found'))).toBe(
    'No Chrome, Chromium or Edge found. Run "quiesce browser install", or set its path with "browser".',
  );
  expect(said(new QuiesceError('out-not-writable', { path: '/tmp/a--out/--unknown', detail: 'full' }))).toBe(
    'Cannot write to /tmp/a--out/--unknown (full). Choose another folder with "out".',
  );
  const own = new TypeError('--out');
  expect(inLibraryWords(own)).toBe(own);
  expect(own.message).toBe('--out');
});
