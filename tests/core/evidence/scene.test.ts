import { describe, expect, it } from 'vitest';
import type { FilmedSuspect, Held } from '../../../src/core/background/content/evidence-rules.ts';
import { holdsToTheEnd, type Scene } from '../../../src/core/evidence/scene.ts';

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
