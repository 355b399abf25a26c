import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../../fixtures/server.ts';
import type { RunResult, TargetResult } from '../../../src/model/result/result.ts';
import { auditInChrome } from '../../support/chrome.ts';

let server: FixtureServer;
beforeAll(async () => {
  server = await startFixtureServer();
});
afterAll(() => server?.close());

async function auditOf(scenario: string): Promise<TargetResult> {
  // Fades that go on when a shorter window is over are another question.
  const options = { targets: [server.url(scenario)], evidence: true, quietWindow: 3_000, format: ['json' as const] };
  const { result } = await auditInChrome(options);
  const [target] = result.targets;
  if (!target) throw new Error('nothing was audited');
  return target;
}

const answers = ({ runs }: TargetResult): readonly RunResult['pageComplete'][] =>
  runs.filter(({ role }) => role === 'evidence' || role === 'timed').map(({ pageComplete }) => pageComplete);

// Chrome reports no paint of it: the compositor alone shows it.
it('is complete when it has become visible, in the filmed load and in timed ones', async () => {
  for (const answer of answers(await auditOf('appears-css-animation'))) {
    expect(answer).toMatchObject({ state: 'complete', reason: { code: 'drawn' } });
    expect(answer?.at).toBeGreaterThan(answer?.networkAt ?? 0);
    // It was not waited for a paint of which nothing is reported.
    expect(answer?.watchedReason?.code).not.toBe('first-paint');
  }
});
