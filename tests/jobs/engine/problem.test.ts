import { expect, it } from 'vitest';
import { problem, shownProblems } from '../../../src/jobs/engine/problem.ts';
import { messagesOf } from '../../support/problems.ts';

it('says each line once, and of a full disk no more than the first file', () => {
  const full = (path: string) => problem('write-failed', { path, detail: 'the disk is full' });
  const never = problem('har-folder-empty', { path: 'a' });
  const shown = shownProblems([never, full('trace.json.gz'), full('index.html'), never], { text: (line) => line });
  expect(messagesOf(shown)).toEqual([
    expect.stringContaining('a contains no HAR files'),
    expect.stringContaining('trace.json.gz failed (the disk is full)'),
  ]);
});
