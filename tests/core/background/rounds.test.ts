import { describe, expect, it } from 'vitest';
import { classify } from '../../../src/core/background/index.ts';
import { begunRounds, rounds, rulesOfRounds } from '../../../src/core/background/rounds.ts';
import type { Request } from '../../../src/model/timeline.ts';
import { request } from '../../support/factories.ts';
import { POLICY } from '../../support/scripted.ts';

const NAMES = ['dawn', 'harbour', 'ladder', 'meadow', 'night', 'orchard'];

/** Pictures that one place in a script asks for, at these times, each answered after 100 ms. */
const asked = (times: readonly number[], parts: Partial<Request> = {}): readonly Request[] =>
  times.map((startedAt, i) =>
    request({
      id: NAMES[i % NAMES.length] ?? '',
      url: `https://example.com/cards/${NAMES[i % NAMES.length]}.jpg`,
      type: 'image',
      startedAt,
      endedAt: startedAt + 100,
      initiator: {
        type: 'script',
        stack: [{ functionName: 'next', url: 'https://example.com/app.js', line: 4, column: 9 }],
      },
      ...parts,
    }),
  );
const flagged = (requests: readonly Request[], observedUntil: number): readonly string[] =>
  rounds.detect({ requests, marks: [], observedUntil }, POLICY.observation).map(({ requestId }) => requestId);

describe('another address each time', () => {
  it('is background from the second on, when it comes in the rhythm of a timer', () => {
    expect(flagged(asked([500, 2_500, 4_520, 6_490]), 7_000)).toEqual(['harbour', 'ladder', 'meadow']);
    const [verdict] = rounds.detect(
      { requests: asked([500, 2_500, 4_500]), marks: [], observedUntil: 5_000 },
      POLICY.observation,
    );
    expect(verdict).toMatchObject({
      kind: 'poll',
      reason: { code: 'another-each-time', times: 3, period: 2_000, from: { file: 'app.js', line: 4 } },
      decidedAt: 500 + POLICY.observation.suspectMs,
    });
  });

  it('may be several at a time', () => {
    const pairs = asked([500, 510, 2_500, 2_510, 4_500, 4_510]);
    expect(flagged(pairs, 5_000)).toEqual(['ladder', 'meadow', 'night', 'orchard']);
  });

  it('is no rule for the segments of a player', () => {
    const requests = asked([500, 2_500, 4_500, 6_500]);
    const timeline = { requests, marks: [], observedUntil: 7_000 };
    const media = new Map(
      requests.map(({ id }) => [
        id,
        { requestId: id, kind: 'media', reason: { code: 'supposed' }, confidence: 'likely' } as const,
      ]),
    );
    expect(rulesOfRounds({ timeline, verdicts: new Map() }, [])).not.toEqual([]);
    expect(rulesOfRounds({ timeline, verdicts: media }, [])).toEqual([]);
  });

  it('is content, when it is a list that was loaded, a chain, or asked for at once', () => {
    expect(flagged(asked([500, 2_500, 4_500, 6_500]), 12_000)).toEqual([]);
    expect(flagged(asked([500, 601, 702, 803, 904]), 950)).toEqual([]);
    expect(flagged(asked([500, 501, 502, 503]), 550)).toEqual([]);
    // A client that shakes hands, subscribes and connects, on a busy machine.
    expect(flagged(asked([500, 690, 870, 1_065]), 1_100)).toEqual([]);
    // A slow list, at once what belongs to it, and something that a timer brings: the two intervals grow like a back-off.
    const [list, ...rest] = asked([500, 770, 1_780]);
    expect(list && flagged([{ ...list, endedAt: 770 }, ...rest], 2_000)).toEqual([]);
  });

  it('is no chain of slow answers that only happen to come about as often', () => {
    expect(flagged(asked([1_430, 4_007, 7_595, 10_012, 11_557]), 12_000)).toEqual([]);
    expect(flagged(asked([500, 5_000, 13_200]), 14_000)).toEqual([]);
    // One of many may be late.
    expect(flagged(asked([500, 2_500, 4_500, 7_300, 9_300, 11_300]), 12_000)).toHaveLength(5);
  });

  it('is told by all that led to a place: one function asks for everything in most applications', () => {
    const from = (line: number) => ({
      initiator: {
        type: 'script',
        stack: [
          { functionName: 'request', url: 'https://example.com/api.js', line: 9, column: 1 },
          { functionName: 'page', url: 'https://example.com/app.js', line, column: 1 },
        ],
      } as const,
    });
    const times = [500, 2_500, 4_500];
    const apart = times.flatMap((at, i) =>
      asked([at], { ...from(i), type: 'fetch', id: `${i}`, url: `https://example.com/${NAMES[i]}` }),
    );
    expect(flagged(apart, 5_000)).toEqual([]);
    const together = apart.map((each) => ({ ...each, ...from(7) }));
    expect(flagged(together, 5_000)).toEqual(['1', '2']);
  });

  it('is told by the place in the script, where the browser says it', () => {
    expect(flagged(asked([500, 2_500, 4_500], { initiator: { type: 'parser' } }), 5_000)).toEqual([]);
    expect(flagged(asked([500, 2_500, 4_500], { initiator: { type: 'other' } }), 5_000)).toEqual(['harbour', 'ladder']);
    const [first, ...others] = asked([500, 2_500, 4_500]);
    const at = (line: number) =>
      ({ type: 'script', stack: [{ functionName: 'f', url: 'x.js', line, column: 1 }] }) as const;
    const apart = others.map((each, i) => ({ ...each, initiator: at(i) }));
    expect(first && flagged([first, ...apart], 5_000)).toEqual([]);
  });

  it('may be asked for before the one before it is answered: then no answer leads to the next', () => {
    const slow = [500, 2_500, 4_500, 6_500].flatMap((startedAt, i) =>
      asked([startedAt], { id: `${i}`, url: `https://example.com/cards/${NAMES[i]}.jpg`, endedAt: startedAt + 2_800 }),
    );
    expect(flagged(slow, 7_000)).toEqual(['1', '2', '3']);
    // Two at a time, each after one that was answered.
    const queue = [500, 1_500, 2_500, 3_500].flatMap((startedAt, i) =>
      asked([startedAt], { id: `${i}`, url: `https://example.com/cards/${NAMES[i]}.jpg`, endedAt: startedAt + 1_990 }),
    );
    expect(flagged(queue, 4_000)).toEqual([]);
  });

  it('is told by the folder, where those of several have no rhythm together', () => {
    const initiator = { type: 'other' } as const;
    const at = (times: readonly number[], folder: string) =>
      times.flatMap((startedAt, i) =>
        asked([startedAt], {
          id: folder + i,
          url: `https://example.com/${folder}/${NAMES[i]}.jpg`,
          endedAt: startedAt + 100,
          initiator,
        }),
      );
    const both = [...at([500, 3_000, 5_500, 8_000], 'hero'), ...at([510, 4_500, 8_500], 'people')];
    const inOrder = both.toSorted((a, b) => a.startedAt - b.startedAt);
    expect(flagged(inOrder, 9_000).toSorted()).toEqual(['hero1', 'hero2', 'hero3', 'people1', 'people2']);
  });

  it('begins with what was asked for one period before, from wherever', () => {
    const markup = asked([500], { initiator: { type: 'parser' } });
    const rest = asked([500, 2_500, 4_500, 6_500]).slice(1);
    expect(flagged([...markup, ...rest], 7_000)).toEqual(['harbour', 'ladder', 'meadow']);
  });

  it('is another matter, when the same is asked again', () => {
    const same = asked([500, 2_500, 4_500], { url: 'https://example.com/webcam.jpg' });
    expect(flagged(same, 5_000)).toEqual([]);
  });
});

/** What a load teaches that saw these. */
function taught(requests: readonly Request[], observedUntil: number) {
  const timeline = { requests, marks: [], observedUntil };
  const verdicts = new Map(rounds.detect(timeline, POLICY.observation).map((each) => [each.requestId, each]));
  return rulesOfRounds({ timeline, verdicts }, []);
}

describe('a load that sees too few of them', () => {
  const learnt = taught(asked([500, 2_500, 4_500]), 5_000);
  const background = (requests: readonly Request[], observedUntil = 8_000): readonly string[] => [
    ...classify({ requests, marks: [], observedUntil }, { ...POLICY, learnt }).verdicts.keys(),
  ];

  it('knows from another one which come in turn: the first that it asks for is content', () => {
    expect(learnt.map(({ endpoint, inTurn }) => [endpoint, inTurn])).toEqual(
      ['dawn', 'harbour', 'ladder'].map((name) => [`GET https://example.com/cards/${name}.jpg?`, '/cards/dawn.jpg']),
    );
    expect(background(asked([500, 4_500]))).toEqual(['harbour']);
    // It may begin with any of them.
    expect(background(asked([500, 4_500, 8_500]).slice(1), 9_000)).toEqual(['ladder']);
    expect(background(asked([500, 510, 4_500]))).toEqual(['ladder']);
  });

  it('knows it also where markup asks for the first', () => {
    const [first, ...others] = asked([500, 2_500, 4_500, 6_500]);
    if (!first) throw new Error('there is one');
    const rules = taught([{ ...first, initiator: { type: 'parser' } }, ...others], 7_000);
    expect(rules.map(({ inTurn }) => inTurn)).toEqual(Array(4).fill('/cards/dawn.jpg'));
  });

  it('learns nothing of an address that is asked for from elsewhere, too', () => {
    const elsewhere = request({
      id: 'again',
      url: 'https://example.com/cards/ladder.jpg',
      type: 'image',
      startedAt: 600,
    });
    const rules = taught([...asked([500, 2_500, 4_500]), { ...elsewhere, initiator: { type: 'parser' } }], 5_000);
    expect(rules.map(({ endpoint }) => endpoint).join()).not.toContain('ladder');
  });
});

describe('a place in a script that may go on', () => {
  const begun = (requests: readonly Request[]) =>
    begunRounds({ requests, marks: [], observedUntil: 8_000 }, new Map()).map(({ interval, until }) => [
      interval,
      until,
    ]);

  it('is watched until the next one is overdue', () => {
    expect(begun(asked([500, 4_500]))).toEqual([[4_000, 10_500]]);
    const [first, second] = asked([500, 4_500]);
    if (!first || !second) throw new Error('there are two');
    expect(begun([{ ...first, initiator: { type: 'parser' } }, second])).toEqual([[4_000, 10_500]]);
  });

  it('is not where it has a rhythm, where no timer asks, or asks for the same', () => {
    expect(begun(asked([500, 2_500, 4_500]))).toEqual([]);
    expect(begun(asked([500]))).toEqual([]);
    expect(begun(asked([500, 4_500], { type: 'fetch' }))).toEqual([]);
    expect(begun(asked([500, 4_500], { url: 'https://example.com/cards/dawn.jpg' }))).toEqual([]);
  });
});
