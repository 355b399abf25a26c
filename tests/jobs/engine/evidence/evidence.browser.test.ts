import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matches } from '../../../../fixtures/load.ts';
import { loadScenario } from '../../../../fixtures/scenario.ts';
import { type FixtureServer, startFixtureServer } from '../../../../fixtures/server.ts';
import { FINISHED, judge } from '../../../../src/core/completion/complete.ts';
import { readHar } from '../../../../src/core/sources/har.ts';
import { foldTimeline } from '../../../../src/core/timeline/fold.ts';
import type { RunResult, TargetResult } from '../../../../src/model/result/result.ts';
import { decodePicture } from '../../../../src/shell/disk/pictures.ts';
import { auditInChrome } from '../../../support/chrome.ts';
import { IMPATIENT } from '../../../support/patience.ts';
import { messagesOf } from '../../../support/problems.ts';
import { POLICY } from '../../../support/scripted.ts';

/** At the usual patience untimed runs watch for half a minute, mostly in silence. */
const PATIENTLY = { timeout: 240_000 };

let server: FixtureServer;
beforeAll(async () => {
  server = await startFixtureServer();
});
afterAll(() => server?.close());

/** What an audit with both untimed runs says of a scenario, with its HARs' texts. */
async function prove(name: string, more: Partial<Parameters<typeof auditInChrome>[0]> = {}) {
  const hars = new Map<number, string>();
  const pictures = new Map<string, { width: number; height: number }>();
  const loadsOf = () => server.loads.filter(({ scenario }) => scenario.name === name);
  const before = loadsOf().length;
  const { result, problems } = await auditInChrome(
    { targets: [server.url(name)], quietWindow: 3_000, timeout: 60_000, evidence: true, ablation: true, ...more },
    {},
    async (folder) => {
      const { targets } = JSON.parse(await readFile(path.join(folder, 'result.json'), 'utf8'));
      const [target] = targets as TargetResult[];
      for (const { har, index } of target?.runs ?? []) {
        if (har) hars.set(index, await readFile(path.join(folder, har), 'utf8'));
      }
      const { ablation, pictures: film = [] } = target?.evidence ?? {};
      const files = [...film.map(({ file }) => file), ...Object.values(ablation?.pictures ?? {})];
      for (const file of files) {
        expect((await stat(path.join(folder, file))).isFile()).toBe(true);
        pictures.set(file, decodePicture(await readFile(path.join(folder, file))));
      }
    },
  );
  const [target] = result.targets;
  if (!target) throw new Error(messagesOf(problems).join('\n'));
  const timed = target.runs.find(({ role }) => role === 'timed');
  const { expected } = await loadScenario(name);
  if (!timed?.pageComplete || !expected) throw new Error(messagesOf(problems).join('\n'));
  return { target, timed, expected, hars, pictures, loads: loadsOf().slice(before) };
}

/** The impact and kind of what was flagged at a path. */
function endpointAt({ background = [] }: Pick<RunResult, 'background'>, name: string) {
  return background.find(({ urls }) => urls.some((url) => matches(new URL(url).pathname, name)));
}

describe('two untimed runs', () => {
  it.concurrent.each([
    ['a stream that brings the content in its first messages', 'sse-content', IMPATIENT],
    ['a splash screen that leaves when all has come', 'splash-leaves', IMPATIENT],
  ] as const)('see through %s', PATIENTLY, async (_what, name, observation) => {
    const { target, timed, expected, hars, pictures, loads } = await prove(name, { observation });
    expect(target.runs.map(({ role, ok }) => [role, ok])).toEqual([
      ['evidence', true],
      ['timed', true],
      // Whatever came last may be tried, where nothing is background.
      ...(expected.background.length > 0 || target.evidence?.ablation ? [['ablation', true]] : []),
    ]);
    expect(timed.pageComplete?.state).toBe('complete');
    for (const { path: flagged, kind } of expected.background) {
      const endpoint = endpointAt(timed, flagged);
      expect(endpoint?.kind, flagged).toBe(kind);
      const impact = expected.impact?.[flagged];
      if (impact !== undefined) expect(endpoint?.visualImpact, flagged).toBe(impact);
    }
    // With these a page says when it had drawn what it needs.
    const isMark = ({ urls }: { readonly urls: readonly string[] }): boolean =>
      urls.some((url) => url.includes('/mark/'));
    const others = timed.background?.filter((each) => each.kind !== 'browser-internal' && !isMark(each));
    expect(others).toHaveLength(expected.background.length);
    const findings = timed.findings?.map(({ code }) => code) ?? [];
    for (const code of expected.findings ?? []) expect(findings).toContain(code);
    // Content is not thrown away: nothing that the page needs came after network-complete, as the server knows.
    // The timed run is the last: one or more loads without suspects come before it.
    const load = loads.at(-1);
    const truth = load && server.truth(load);
    expect(truth?.missing).toEqual([]);
    const har = JSON.parse(hars.get(timed.index) ?? '{}');
    const needed = (truth?.epoch ?? Number.POSITIVE_INFINITY) - Date.parse(har.log.pages[0].startedDateTime);
    // The server notes a write a little before or after it is done; a millisecond is what a HAR's date can tell. What is
    // drawn the page tells of when it was: the figures are those of recordings.
    const { networkAt, reason } = timed.pageComplete ?? {};
    if (expected.drawn) expect(reason?.code).toBe('drawn');
    else expect(networkAt).toBeGreaterThan(needed - 50);
    // What was learnt is in the file: whoever judges it again gets the same answer.
    const { recordings } = readHar(har);
    const [read] = recordings;
    if (!read?.policy) throw new Error('the HAR carries the policy');
    const again = judge(foldTimeline(read.events, read.marks, read.observedUntil), read.policy, FINISHED);
    expect(again).toMatchObject({ state: 'complete', at: timed.pageComplete?.at });
    expect(pictures.size).toBeGreaterThan(0);
    if (expected.background.length > 0) {
      expect(target.evidence?.ablation?.held).toHaveLength(expected.background.length);
      expect(target.evidence?.ablation?.sentence).toMatch(
        /^Blocking .* changes the page|blocked, the page looks the same/,
      );
      expect(pictures.get(target.evidence?.ablation?.pictures.with ?? '')).toMatchObject({
        width: 1350,
        height: 940,
      });
    }
  });

  // Alone: beside other loads, a slow machine may draw a picture of the other load too late to be the same.
  it(
    'watch a stream no longer than a timed run, if another load proves meanwhile what it does',
    PATIENTLY,
    async () => {
      const name = 'sse';
      // Long enough for a busy machine to load the page once more meanwhile.
      const observation = { ...POLICY.observation, thoroughMs: 50_000 };
      const { target, timed, hars } = await prove(name, { observation });
      expect(target.evidence?.ablation).toMatchObject({ same: true });
      const [page] = JSON.parse(hars.get(0) ?? '{}').log.pages;
      const proved = page._marks.filter(({ name }: { name: string }) => name === 'same-without');
      expect(proved).toMatchObject([{ detail: expect.stringContaining(`/${name}/`) }]);
      expect(target.evidence?.watchedUntil).toBeLessThan(observation.thoroughMs);
      expect(timed.pageComplete?.state).toBe('complete');
      const { recordings } = readHar(JSON.parse(hars.get(0) ?? '{}'));
      const [read] = recordings;
      if (!read?.policy) throw new Error('the HAR carries the policy');
      expect(judge(foldTimeline(read.events, read.marks, read.observedUntil), read.policy, FINISHED).state).toBe(
        'complete',
      );
    },
  );

  // Alone: another load may not use the time in which this one is drawn.
  it(
    'watch a stream no longer than a timed run, if the film shows that it only updates the page',
    PATIENTLY,
    async () => {
      const observation = { ...POLICY.observation, thoroughMs: 50_000 };
      const { target, timed, hars } = await prove('ticker-events', { observation });
      expect(target.evidence?.ablation).toMatchObject({ same: false });
      const [page] = JSON.parse(hars.get(0) ?? '{}').log.pages;
      const known = page._marks.filter(({ name }: { name: string }) => name === 'only-updating');
      expect(known[0]).toMatchObject({ detail: expect.stringContaining('/ticker-events/') });
      expect(target.evidence?.watchedUntil).toBeLessThan(observation.thoroughMs);
      expect(timed.pageComplete?.state).toBe('complete');
    },
  );

  it.concurrent('say who overruled what they saw, and are left out when told to', PATIENTLY, async () => {
    const { target, timed } = await prove('websocket', {
      targets: [server.url('websocket')],
      foreground: ['/api/socket'],
      ablation: false,
      timeout: 5_000,
    });
    expect(target.runs.map(({ role }) => role)).toEqual(['evidence', 'timed']);
    expect(target.evidence?.ablation).toBeUndefined();
    expect(timed.pageComplete?.state).toBe('never');
    expect(timed.background).toMatchObject([
      {
        kind: 'websocket',
        excluded: false,
        overruledBy: '--foreground /api/socket',
        overruling: { code: 'foreground' },
      },
    ]);
  });
});
