import { describe, expect, it } from 'vitest';
import { type CompareWithItself, type DoctorHooks } from '../../../src/jobs/doctor/doctor.ts';
import type { SelfComparison } from '../../../src/model/host/doctor.ts';
import { QuiesceError } from '../../../src/wording/messages/messages.ts';
import { factsOf } from '../../support/facts.ts';
import { doctor } from '../../support/jobs.ts';
import { scriptedLab } from '../../support/scripted.ts';

const SETTINGS = { sandbox: true, browserArg: [] };

const never: CompareWithItself = async () => {
  throw new Error('nobody asked for a comparison');
};
const same: SelfComparison = { url: 'https://example.com/', decision: 'same', sentence: 'No change.', pairs: 10 };

const hooks = (over: DoctorHooks = {}): DoctorHooks => ({
  openLab: async () => scriptedLab([]),
  readFacts: async () => factsOf(),
  ...over,
});

describe('doctor', () => {
  it('finds a good machine fit', async () => {
    const { result, findings, facts, exit } = await doctor(SETTINGS, hooks(), never);
    expect(exit).toBe(0);
    expect(result).toMatchObject({ kind: 'doctor', version: 1, verdict: 'fit', browser: { product: 'Scripted/1' } });
    expect(result.findings).toBe(findings);
    expect(result.facts).toBe(facts);
    expect(findings[0]).toMatchObject({ code: 'browser', level: 'ok' });
    expect(result).not.toHaveProperty('selfComparison');
  });

  it('ends with 4 on a machine with a problem, and with 0 on one with warnings', async () => {
    const of = (busy: number) =>
      doctor(SETTINGS, hooks({ readFacts: async () => factsOf({ idle: { watchedFor: 1_000, busy } }) }), never);
    expect(await of(0.9)).toMatchObject({ exit: 4, result: { verdict: 'unfit' } });
    expect(await of(0.2)).toMatchObject({ exit: 0, result: { verdict: 'fit' } });
  });

  it('tells what it knows of the machine when there is no browser, and compares nothing', async () => {
    const openLab = async () => {
      throw new QuiesceError('browser-not-found');
    };
    const { exit, findings, result } = await doctor({ ...SETTINGS, aa: same.url }, hooks({ openLab }), never);
    expect(exit).toBe(3);
    expect(findings[0]).toMatchObject({ code: 'browser', level: 'problem' });
    expect(findings.length).toBeGreaterThan(5);
    expect(result).toMatchObject({ verdict: 'unfit', browser: { product: 'none' } });
  });

  it('closes the browser before it goes on', async () => {
    const lab = scriptedLab([]);
    let aliveWhenCompared: boolean | undefined;
    await doctor({ ...SETTINGS, aa: same.url }, hooks({ openLab: async () => lab }), async () => {
      aliveWhenCompared = lab.alive();
      return same;
    });
    expect(aliveWhenCompared).toBe(false);
  });

  it('compares a page with itself when asked, with what it was told', async () => {
    const settings = { ...SETTINGS, aa: same.url, maxPairs: 12 };
    const asked: unknown[] = [];
    const compareWithItself: CompareWithItself = async ({ builds, design, browser }) => {
      asked.push([builds, design.maxPairs, browser.browserArg]);
      return same;
    };
    const { result, exit } = await doctor(settings, hooks(), compareWithItself);
    expect(asked).toEqual([[{ targets: [same.url, same.url] }, 12, []]]);
    expect(exit).toBe(0);
    expect(result.selfComparison).toBe(same);
    const slower = await doctor(settings, hooks(), async () => ({ ...same, decision: 'slower' }));
    expect(slower).toMatchObject({ exit: 4, result: { verdict: 'unfit' } });
  });

  it('keeps what it found when the page cannot be loaded', async () => {
    const { exit, findings } = await doctor({ ...SETTINGS, aa: same.url }, hooks(), async () => {
      throw new QuiesceError('host-not-found', { url: same.url });
    });
    expect(exit).toBe(3);
    expect(findings.at(-1)).toMatchObject({ code: 'self-comparison', level: 'problem' });
    expect(findings.at(-1)?.what).toContain('No such host');
  });

  it('ends when the user says so, and hides no bug', async () => {
    const controller = new AbortController();
    const readFacts = async () => {
      controller.abort();
      return factsOf();
    };
    await expect(doctor(SETTINGS, hooks({ readFacts, signal: controller.signal }), never)).rejects.toMatchObject({
      code: 'interrupted',
    });
    await expect(doctor({ ...SETTINGS, aa: same.url }, hooks(), never)).rejects.toThrow('nobody asked');
  });
});
