import { expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { fakeWorld, outcome } from './fake-world.ts';

/** What a job with so many problems says of them. */
async function told(count: number, ...more: readonly string[]): Promise<readonly string[]> {
  const problems = Array.from({ length: count }, (_, i) => ({
    code: 'never-complete' as const,
    message: `Page ${i + 1} was not complete.`,
  }));
  const world = fakeWorld({ jobs: { audit: async () => outcome({ problems }) } });
  await main(['audit', 'http://x/', ...more], world);
  return world.written.stderr.split('\n').filter((line) => line.startsWith('quiesce: '));
}

test('of hundreds of problems the first are told, and how many more there are', async () => {
  const lines = await told(300);
  expect(lines).toHaveLength(41);
  expect(lines.at(-1)).toBe('quiesce: and 260 more: --verbose shows them all.');
  expect(await told(300, '--verbose')).toHaveLength(300);
  // One line for one line saves nothing.
  expect(await told(41)).toHaveLength(41);
  expect((await told(41)).at(-1)).toContain('Page 41');
});
