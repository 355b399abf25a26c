import { describe, expect, it } from 'vitest';
import { gatherEvidence } from '../../../../src/jobs/engine/evidence/evidence.ts';
import type { FinishedRun } from '../../../../src/jobs/engine/run.ts';
import type { HostResult } from '../../../../src/model/result/result.ts';
import { POLICY } from '../../../support/scripted.ts';

const busy = (share: number): HostResult => ({
  verdict: share > 0.4 ? 'unfit' : 'fit',
  busyByOthers: share,
  reasons: [],
  reasonFacts: share > 0.4 ? [{ code: 'busy-by-others', share }] : [],
});

/** Films a page while other programs have these shares of the processors, load by load; tells what was loaded, and kept. */
async function filmedWhile(...shares: readonly number[]) {
  const loaded: number[] = [];
  const again: (number | undefined)[] = [];
  const proof = await gatherEvidence({
    policy: POLICY,
    trace: false,
    ablation: false,
    oneAtATime: false,
    includesLate: false,
    ablationIndex: 2,
    async load({ index, role, policy }) {
      const host = busy(shares[loaded.length] ?? 0);
      loaded.push(host.busyByOthers ?? 0);
      const failure = { code: 'no-answer', message: '' } as const;
      const outcome = { ok: false, failure } as const;
      return {
        loaded: { index, role, policy, outcome, attempts: 1 },
        policy,
        run: { index, role, ok: true, host },
      } as FinishedRun;
    },
    write: async () => undefined,
    writeTrace: async () => undefined,
    onFilmedAgain: ({ busyByOthers }) => void again.push(busyByOthers),
  });
  return { loaded, again, kept: proof?.runs[0]?.run.host?.busyByOthers };
}

describe('a page is filmed', () => {
  it('once on a machine that has time for it', async () => {
    expect(await filmedWhile(0.1)).toEqual({ loaded: [0.1], again: [], kept: 0.1 });
  });

  it('once more when other programs had the processors, and the better film counts', async () => {
    expect(await filmedWhile(0.7, 0.1)).toEqual({ loaded: [0.7, 0.1], again: [0.7], kept: 0.1 });
    expect(await filmedWhile(0.6, 0.8)).toEqual({ loaded: [0.6, 0.8], again: [0.6], kept: 0.6 });
  });
});
