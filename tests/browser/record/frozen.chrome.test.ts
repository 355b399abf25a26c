import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type FixtureServer, startFixtureServer } from '../../../fixtures/server.ts';
import type { ChromeLab } from '../../../src/browser/lab.ts';
import { inThisProcess } from '../../../src/browser/script/run-script.ts';
import type { judge } from '../../../src/core/completion/complete.ts';
import { sharedLab } from '../../support/lab.ts';
import { QUICK } from '../../support/patience.ts';

interface Complete {
  readonly judge: typeof judge;
}

/** How long the program is held up right after it found an answer, ms. */
const STALL_MS = 30;

const { judgedUntil } = vi.hoisted(() => ({ judgedUntil: [] as number[] }));
// A busy machine takes the processor away when it likes; here it does so where that did harm.
vi.mock('../../../src/core/completion/complete.ts', async (original) => {
  const complete = await original<Complete>();
  return {
    ...complete,
    judge(...asked: Parameters<Complete['judge']>) {
      const answer = complete.judge(...asked);
      if (answer.state === 'complete') {
        judgedUntil.push(asked[0].observedUntil);
        for (const until = performance.now() + STALL_MS; performance.now() < until; );
      }
      return answer;
    },
  };
});

let server: FixtureServer;
let lab: ChromeLab;
beforeAll(async () => {
  [server, lab] = await Promise.all([startFixtureServer(), sharedLab()]);
});
afterAll(async () => {
  await lab?.close();
  await server?.close();
});

// A poll that is told of late looks as if it had stopped, and then it had been content: the answer would be another one.
it('recordings end where they were judged, however late the program gets to write them down', async () => {
  const url = server.url('plain');
  let loadJudgedUntil: number | undefined;
  const outcome = await lab.record(
    {
      url,
      policy: { ...QUICK, quietWindow: 500 },
      content: false,
      script: {
        path: 'frozen.test.ts',
        file: fileURLToPath(import.meta.url),
        script: inThisProcess({
          measure(_page, step) {
            loadJudgedUntil = judgedUntil.at(-1);
            return step('nothing', () => undefined);
          },
        }),
        timeout: 15_000,
        steps: true,
        context: { url, run: 1, role: 'timed', env: {} },
      },
    },
    new AbortController().signal,
  );
  if (!outcome.ok) throw new Error(outcome.failure.message);
  const [step] = outcome.steps ?? [];
  if (!step?.outcome.ok) throw new Error('the step is recorded');
  expect(outcome.recording.observedUntil).toBe(loadJudgedUntil);
  expect(step.outcome.recording.observedUntil).toBe(judgedUntil.at(-1));
});
