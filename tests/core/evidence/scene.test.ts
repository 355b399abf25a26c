import { describe, expect, it } from 'vitest';
import type { FilmedSuspect, Held } from '../../../src/core/background/content/evidence-rules.ts';
import { holdsToTheEnd, onlyUpdating, type Scene } from '../../../src/core/evidence/scene.ts';
import type { Effect } from '../../../src/core/visual/impact.ts';
import { POLICY } from '../../support/scripted.ts';

const held = (key: string): Held => ({ suspect: { key }, patterns: [key] }) as unknown as Held;

/** A scene in which these are held back, with when the film shows that they changed something. */
function scene(changes: Readonly<Record<string, readonly number[]>>, trials: readonly string[] = []): Scene {
  const filmed = Object.entries(changes).map(([key, changedAt]): readonly [string, FilmedSuspect] => [
    key,
    {
      endpoint: key,
      impact: changedAt.length === 0 ? 'none' : 'first-content',
      reason: { code: 'nothing-came' },
      effects: changedAt.map((at) => ({ arrival: at, kind: 'fills', changedAt: at })),
      shapes: new Map(),
    },
  ]);
  const keys = Object.keys(changes).filter((key) => !trials.includes(key));
  const parts = { held: keys.map(held), trials: trials.map(held), impacts: new Map(filmed) };
  return parts as unknown as Scene;
}

describe('what was tried while the page was still watched', () => {
  it('holds where the same is in question at the end, and has shown no more', () => {
    expect(holdsToTheEnd(scene({ poll: [], list: [900] }, ['list']), scene({ poll: [], list: [900] }, ['list']))).toBe(
      true,
    );
  });

  it('says nothing of a job whose result came later', () => {
    expect(holdsToTheEnd(scene({ poll: [] }), scene({ poll: [6_200] }))).toBe(false);
    expect(holdsToTheEnd(scene({ poll: [900] }), scene({ poll: [900, 6_200] }))).toBe(false);
  });

  it('is not what is in question when more looks like background at the end', () => {
    expect(holdsToTheEnd(scene({ poll: [] }), scene({ poll: [], stream: [] }))).toBe(false);
    expect(holdsToTheEnd(scene({ poll: [] }), scene({ poll: [] }, ['poll']))).toBe(false);
  });
});

describe('endpoints of which the film shows what they do', () => {
  const effects =
    (kind: Effect['kind']) =>
    (...at: readonly number[]) =>
      at.map((arrival): Effect => ({ arrival, kind }));
  const [repaints, nothing, unclear] = [effects('repaints'), effects('nothing'), effects('unclear')];

  /** What is known of a stream that is watched until 10,000, on a page that was complete at 500 and fills a place at 900. */
  function known(
    shown: readonly Effect[],
    more: { kind?: string; method?: string; status?: number; fills?: number } = {},
  ) {
    const { kind = 'websocket', method = 'GET', status = 200, fills = 900 } = more;
    const requests = [{ method, response: { status, headers: [] } }];
    const impact = { effects: shown } as unknown as FilmedSuspect;
    const parts = {
      visit: {
        recording: { saysBusy: false },
        timeline: { observedUntil: 10_000 },
        complete: { state: 'complete', at: 500 },
      },
      film: { changes: [{ at: fills, share: 0.1, covered: 0, cells: new Set([1]) }] },
      suspects: [{ key: 'prices', endpoint: { key: 'prices' }, kind, requests }],
      impacts: new Map([['prices', impact]]),
    };
    return onlyUpdating(parts as unknown as Scene, POLICY);
  }

  it('are those that went on for a whole quiet window without filling a place', () => {
    expect(known(repaints(2_000, 4_000, 6_000))).toEqual(['prices']);
    expect(known(nothing(2_000, 4_000, 6_000))).toEqual(['prices']);
    expect(known(repaints(2_000, 4_000, 6_000), { fills: 7_500 })).toEqual([]);
    expect(known(repaints(2_000, 4_000, 6_000), { fills: 5_000 })).toEqual([]);
  });

  it('are not those that came too seldom, together with others, or drew only once', () => {
    expect(known(repaints(600, 2_000, 4_000))).toEqual([]);
    expect(known([...repaints(2_000, 4_000), ...unclear(5_000, 6_000)])).toEqual([]);
    expect(known([...repaints(2_000), ...nothing(3_000, 4_000, 5_000)])).toEqual([]);
    expect(known([])).toEqual([]);
  });

  it('are not a job, an answer, or pieces of a file', () => {
    const often = repaints(2_000, 4_000, 6_000);
    expect(known(often, { kind: 'poll' })).toEqual(['prices']);
    expect(known(often, { kind: 'poll', status: 202 })).toEqual([]);
    expect(known(often, { kind: 'poll', status: 206 })).toEqual([]);
    expect(known(often, { kind: 'http-stream', method: 'POST' })).toEqual([]);
  });
});
