import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LoadOutcome, LoadRequest } from '../../../src/model/recording/lab.ts';
import { folderForEach } from '../../support/folders.ts';
import { compare, comparePages } from '../../support/jobs.ts';
import { answeringLab, ORIGIN, POLICY, page, recordingOf } from '../../support/scripted.ts';
import { COMPARING } from '../../support/settings.ts';
import { SCOPE, traceOf } from '../../support/traced.ts';

const BASE = `${ORIGIN}/base`;
const CANDIDATE = `${ORIGIN}/candidate`;
const SCRIPT = `${ORIGIN}/app.js`;

const out = folderForEach('test');

/** What the browser sends of a page whose functions, all of one length, run for so long together. */
function profileOf(ms: number, functions: readonly string[]) {
  const nodes = [
    {
      id: 1,
      callFrame: { functionName: '(root)', url: '', lineNumber: -1, columnNumber: -1 },
      children: functions.map((_, i) => i + 2),
    },
    ...functions.map((functionName, i) => ({
      id: i + 2,
      callFrame: { functionName, url: SCRIPT, lineNumber: 11 + i, columnNumber: 8 },
    })),
  ];
  const samples = [1, ...Array.from({ length: ms }, (_, i) => 2 + Math.floor((i * functions.length) / ms)), 1];
  return { nodes, startTime: 0, endTime: samples.length * 1000, samples, timeDeltas: samples.map(() => 1000) };
}

/** A load in which the main thread was busy for so long; what the browser traces and profiles of it says so. */
function loaded({ trace, profile }: LoadRequest, ms: number, functions: readonly string[]): LoadOutcome {
  const recording = recordingOf({ requests: page({ path: '/api/prices', from: 100, to: 100 + 8 * ms }), until: 5_000 });
  const tasks = [{ at: 0, ms, inside: [{ name: 'EvaluateScript', at: 0, ms, url: SCRIPT }] }];
  return {
    ok: true,
    recording: {
      ...recording,
      mainThread: [
        { at: 0, taskTime: 0 },
        { at: ms, taskTime: ms },
        { at: 5_000, taskTime: ms },
      ],
      ...(trace && { trace: { events: traceOf({ tasks }), ...SCOPE } }),
      ...(profile && { profile: { profile: profileOf(ms, functions), zero: 0 } }),
    },
  };
}

/** Compares two builds that are busy for 100 ms, and for so long; from load to load a little more or less. */
async function compared(candidate: number, functions = ['draw']) {
  const profiled: string[] = [];
  let loads = 0;
  const openLab = answeringLab((request) => {
    loads += 1;
    const noise = (loads * 7) % 5;
    if (request.profile) profiled.push(request.url);
    return loaded(request, (request.url === BASE ? 100 : candidate) + noise, functions);
  });
  const { result } = await compare(
    { ...COMPARING, evidence: true, trace: true, targets: [BASE, CANDIDATE], out: out(), format: ['json'] },
    { openLab, microBenchmark: () => 10 },
  );
  return { result, profiled };
}

describe('a comparison', () => {
  it('profiles both builds where their main threads differ, and names the function as soon as it has most of it', async () => {
    const { result, profiled } = await compared(160);
    expect([BASE, CANDIDATE].map((url) => profiled.filter((each) => each === url).length)).toEqual([4, 4]);
    // In turns, so that what drifts is not taken for a build.
    expect(profiled.slice(0, 8).toSorted()).toEqual([
      BASE,
      BASE,
      BASE,
      BASE,
      CANDIDATE,
      CANDIDATE,
      CANDIDATE,
      CANDIDATE,
    ]);
    expect(result.mainThread).toMatchObject({
      profiledLoads: 4,
      byScript: [
        { name: '/app.js', functions: [{ name: 'draw', line: 12, column: 9, difference: expect.closeTo(60, 0) }] },
      ],
    });
    expect(result.mainThread?.sentence).toMatch(
      /app\.js \+\S+ ms \(running scripts\), including \+\S+ ms in draw \(app\.js:12\)\.$/,
    );
    // They are no runs of the result.
    expect(result.candidate.runs.map(({ role }) => role)).not.toContain('profiled');
  });

  it('goes on where no function has most of it', async () => {
    const { result, profiled } = await compared(160, ['draw', 'sort']);
    expect(profiled).toHaveLength(16);
    const [script] = result.mainThread?.byScript ?? [];
    expect(script?.functions?.map(({ name }) => name).toSorted()).toEqual(['draw', 'sort']);
  });

  it('names the function of the step that takes longer', async () => {
    const script = path.join(out(), 'journey.mjs');
    await writeFile(script, 'export default { async measure() {} };');
    let loads = 0;
    const openLab = answeringLab((request) => {
      loads += 1;
      const noise = (loads * 7) % 5;
      const isSlow = request.url === CANDIDATE;
      const steps = [
        { name: 'open', ms: 100 },
        { name: 'add to basket', ms: isSlow ? 160 : 100 },
      ].map(({ name, ms }) => ({ name, policy: POLICY, outcome: loaded(request, ms + noise, ['draw']) }));
      const outcome = loaded(request, 100 + noise, ['start']);
      return outcome.ok && request.script?.steps ? { ...outcome, steps } : outcome;
    });
    const { result } = await comparePages(
      {
        ...{ ...COMPARING, evidence: true, trace: true, targets: [BASE, CANDIDATE], script },
        ...{ out: path.join(out(), 'results'), format: ['md'] },
      },
      { openLab, microBenchmark: () => 10 },
    );
    const named = result.targets.map(({ name, mainThread }) => [
      name,
      mainThread?.byScript.flatMap(({ functions = [] }) => functions.map((each) => each.name)),
    ]);
    expect(named).toEqual([
      ['page load', []],
      ['open', []],
      ['add to basket', ['draw']],
    ]);
    expect(result.targets[2]?.mainThread?.sentence).toMatch(/including \+\S+ ms in draw \(app\.js:12\)\.$/);
    const summary = await readFile(path.join(out(), 'results', 'summary.md'), 'utf8');
    expect(summary).toMatch(/<summary>add to basket: slower\. Why: draw \(app\.js:12\) \+\S+ ms<\/summary>/);
  });

  it('loads no more where they do not differ, and names nobody', async () => {
    const { result, profiled } = await compared(100);
    expect(profiled).toEqual([]);
    expect(result.mainThread?.profiledLoads).toBeUndefined();
    expect(result.mainThread?.sentence).toMatch(/no change beyond noise/);
  });
});
