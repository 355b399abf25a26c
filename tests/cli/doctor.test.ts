import { describe, expect, it } from 'vitest';
import { main } from '../../src/cli/main.ts';
import type { DoctorOutcome } from '../../src/jobs/doctor/doctor.ts';
import type { DoctorResult } from '../../src/model/host/doctor.ts';
import type { ResolvedDoctor } from '../../src/settings/resolved.ts';
import { QuiesceError } from '../../src/wording/messages/messages.ts';
import { factsOf } from '../support/facts.ts';
import { fakeWorld } from './fake-world.ts';

const RESULT: DoctorResult = {
  version: 1,
  kind: 'doctor',
  tool: { name: 'quiesce', version: '0.0.0' },
  browser: { product: 'Fake/1' },
  startedAt: '2026-01-01T00:00:00.000Z',
  settings: {},
  verdict: 'unfit',
  facts: factsOf(),
  findings: [],
};
const OUTCOME: DoctorOutcome = { result: RESULT, facts: RESULT.facts, findings: [], exit: 4 };

/** What the job was told, and what came out. */
async function run(...argv: readonly string[]) {
  const told: ResolvedDoctor[] = [];
  const world = fakeWorld({
    jobs: {
      doctor: async (settings) => {
        told.push(settings);
        return OUTCOME;
      },
      renderDoctor: async (_result, { color, width }) => `LINES color=${color} width=${width}\n`,
    },
  });
  const exit = await main(['doctor', ...argv], world);
  return { exit, told: told[0], ...world.written };
}

describe('quiesce doctor', () => {
  it('shows the lines on stdout and gives the exit code of the job', async () => {
    const { exit, stdout } = await run();
    expect(exit).toBe(4);
    expect(stdout).toBe('LINES color=false width=100\n');
  });

  it('prints the result alone to stdout with --json', async () => {
    const { stdout, stderr } = await run('--json');
    expect(JSON.parse(stdout)).toEqual(RESULT);
    expect(stderr).toContain('LINES');
    expect((await run('--json', '--quiet')).stderr).toBe('');
  });

  it('hands its options on', async () => {
    const { told } = await run('--aa', 'https://example.com/', '--max-pairs', '12', '--browser', '/opt/chrome');
    expect(told?.stored).toMatchObject({
      aa: 'https://example.com/',
      maxPairs: 12,
      browser: '/opt/chrome',
      browserArg: [],
    });
    expect(told).toMatchObject({
      browser: { browser: '/opt/chrome', browserArg: [] },
      self: {
        builds: { targets: ['https://example.com/', 'https://example.com/'] },
        design: { maxPairs: 12 },
        browser: { browser: '/opt/chrome' },
      },
    });
  });

  it('takes no words', async () => {
    const { exit, stderr, told } = await run('https://example.com/');
    expect(exit).toBe(2);
    expect(stderr).toContain('https://example.com/');
    expect(told).toBeUndefined();
  });

  it('says in one line that it was interrupted', async () => {
    const world = fakeWorld({
      jobs: {
        doctor: async (_settings, { signal }) => {
          world.signals.emit('SIGINT');
          expect(signal?.aborted).toBe(true);
          throw new QuiesceError('interrupted');
        },
      },
    });
    expect(await main(['doctor'], world)).toBe(130);
    expect(world.written.stdout).toBe('');
  });
});
