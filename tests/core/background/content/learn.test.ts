import { describe, expect, it } from 'vitest';
import { alikeIn, learnContent } from '../../../../src/core/background/content/learn.ts';
import { COMMENT, shapeOfText } from '../../../../src/core/background/content/message-shape.ts';
import { recognise } from '../../../../src/core/background/content/recognise.ts';
import { answersOf, arrivalsOfStream, timesOf } from '../../../../src/core/background/content/source.ts';
import { fillsPlace } from '../../../../src/core/visual/changes.ts';
import type { Effect, Impact } from '../../../../src/core/visual/impact.ts';
import type { ContentKind } from '../../../../src/model/background/verdict.ts';
import type { Message, Request } from '../../../../src/model/network/timeline.ts';
import type { VisualChange } from '../../../../src/model/recording/picture.ts';
import { request, response, timeline } from '../../../support/factories.ts';

const QUIET = 3_000;
const ROW = '{"type":"row","id":1}';
const PING = '{"type":"ping"}';
const shape = (text: string): string => shapeOfText(text).shape;
const said = (text: string, ...times: readonly number[]): readonly Message[] =>
  times.map((at) => ({ at, bytes: text.length, direction: 'received', text }));
const stream = (...messages: readonly Message[]): Request =>
  request({
    type: 'websocket',
    startedAt: 100,
    endedAt: undefined,
    messages: messages.toSorted((a, b) => a.at - b.at),
  });
const alikeInStream = (of: Request) => alikeIn({ kind: 'websocket', arrivals: arrivalsOfStream(of) });
/** When the last content of a stream came; or that it is awaited, or missing. */
const endOf = (of: Request, content: readonly ContentKind[], observedUntil = 20_000): unknown => {
  const watching = { from: of.startedAt, isOpen: true, observedUntil, quietWindow: QUIET };
  const found = recognise(arrivalsOfStream(of), content, watching);
  return found?.state === 'came' ? found.last.at : found?.state;
};
const beats = said(PING, ...Array.from({ length: 40 }, (_, i) => 1_000 + i * 500));

describe('what a film teaches of a stream', () => {
  const impact = (of: Impact['impact'], changedAt: readonly number[] = []): Impact => ({
    endpoint: '',
    impact: of,
    reason: { code: 'nothing-came' },
    effects: changedAt.map((at) => ({ arrival: at, kind: 'fills', changedAt: at })),
  });
  const watched = { startedAt: 100, completeAt: 500, until: 20_500, quietWindow: QUIET, changes: [] };
  const taught = (messages: readonly Message[], seen: Readonly<Record<string, Impact['impact']>>) => {
    const impacts = new Map(Object.entries(seen).map(([text, of]) => [shape(text), impact(of)] as const));
    return learnContent(alikeInStream(stream(...messages)), impacts, watched);
  };

  it('is no shape of which the browser tells that it only repaints, from its first message on', () => {
    const counted = (...kinds: readonly Effect['kind'][]) => {
      const effects = kinds.map(
        (kind, i): Effect => ({ arrival: 600 + i * 600, kind, changedAt: 620 + i * 600, traced: true }),
      );
      const rows = said(ROW, ...effects.map(({ arrival }) => arrival));
      const impacts = new Map([[shape(ROW), { ...impact('continuous'), effects }]]);
      return learnContent(alikeInStream(stream(...rows)), impacts, watched).length;
    };
    expect(counted('nothing', 'repaints', 'unclear', 'repaints')).toBe(0);
    expect(counted('unclear', 'repaints', 'repaints', 'repaints')).toBe(1);
    expect(counted('fills', 'repaints', 'repaints', 'repaints')).toBe(1);
  });

  it('is the shape that painted, without the heartbeats', () => {
    const words = said(ROW, 600, 700, 800, 2_400);
    expect(taught([...words, ...beats], { [ROW]: 'first-content', [PING]: 'none' })).toEqual([
      { shape: shape(ROW), counts: 'all', by: 500 },
    ]);
  });

  it('is no comment that only came when the page was painted, unless nothing else came', () => {
    const comment: Message = { at: 300, bytes: 1, direction: 'received', shape: COMMENT };
    const row = said(ROW, 1_900, 2_900, 3_900);
    const impacts = new Map([COMMENT, shape(ROW)].map((each) => [each, impact('first-content', [320])] as const));
    const content = (...messages: readonly Message[]) =>
      learnContent(alikeInStream(stream(...messages)), impacts, watched).map((each) => each.shape);
    expect(content(comment, ...row)).toEqual([shape(ROW)]);
    expect(content(comment)).toEqual([COMMENT]);
  });

  it('tells words from names in tuples: where others hold a text, there is no name', () => {
    const words = ['Good ', 'morning', ', what ', 'in', '?'].flatMap((word, i) =>
      said(`42["word","${word}"]`, 700 + i * 90),
    );
    const presence = said('42["presence",3]', 2_000, 3_300, 4_600);
    const alike = alikeInStream(stream(...words, ...presence));
    expect(alike.map(({ arrivals }) => arrivals.length)).toEqual([5, 3]);
    const content = [{ shape: alike[0]?.shape ?? '', counts: 'all' }] as const;
    const other = said('42["word","Hello"]', 500);
    expect(endOf(stream(...other, ...presence), content)).toBe(500);
  });

  describe('with a name for each thing in its tuples', () => {
    const names = Array.from({ length: 20 }, (_, i) => `PIT-${'ABCDEFGHIJKLMNOPQRST'[i]}`);
    const whole = names.flatMap((name, i) => said(`["book","${name}",[[1,2]]]`, 700 + i * 50));
    const parts = Array.from({ length: 60 }, (_, i) => said(`["diff","${names[i % 20]}",[[1]]]`, 720 + i * 310)).flat();
    const hum = said('["hb",5]', ...Array.from({ length: 30 }, (_, i) => 1_000 + i * 600));
    const alike = alikeInStream(stream(...whole, ...parts, ...hum));

    it('is told apart by what tells few shapes apart, where all names would be too many', () => {
      expect(alike.map(({ arrivals }) => arrivals.length)).toEqual([20, 60, 30]);
      // As long as there are few, each has its own shape: what one shows may be what another never does.
      expect(alikeInStream(stream(...whole.slice(0, 4), ...hum))).toHaveLength(5);
    });

    it('is what fills the place of each, in any load', () => {
      const [book, diff] = alike;
      const impacts = new Map([
        [book?.shape ?? '', impact('first-content', [730])],
        [diff?.shape ?? '', impact('continuous', [900])],
      ]);
      const content = learnContent(alike, impacts, watched);
      expect(content).toEqual([{ shape: book?.shape, counts: 'all', by: 600 }]);
      const other = said('["book","PIT-Z",[[3,4]]]', 900, 2_300);
      expect(endOf(stream(...other, ...parts), content)).toBe(2_300);
    });

    it('is about what the names say', () => {
      const last = endOf(stream(...whole, ...said('["book","PIT-B",[[5,6]]]', 2_000)), [
        { shape: alike[0]?.shape ?? '', counts: 'places' },
      ]);
      expect(last).toBe(whole.at(-1)?.at);
    });
  });

  it('leaves out what goes on repainting what another shape had painted', () => {
    const snapshot = said('{"type":"snapshot"}', 700);
    const updates = said(ROW, ...Array.from({ length: 30 }, (_, i) => 1_200 + i * 640));
    const content = taught([...snapshot, ...updates], { '{"type":"snapshot"}': 'first-content', [ROW]: 'continuous' });
    expect(content.map((each) => each.shape)).toEqual([shape('{"type":"snapshot"}')]);
    // Alone, its first for each place is content.
    expect(taught(updates, { [ROW]: 'continuous' })).toMatchObject([{ counts: 1 }]);
  });

  it('leaves out what only repaints what the page had painted, the first about each thing as those after it', () => {
    const cards = [1, 2, 3, 1, 2, 3, 1, 2, 3].flatMap((id, i) => said(`{"type":"row","id":${id}}`, 1_000 + i * 900));
    const changesOf = (first: Partial<VisualChange>): readonly VisualChange[] => [
      { at: 300, share: 0.4, covered: 0 },
      ...cards.map(({ at }, i) => ({ at: at + 30, share: 0.001, covered: 0.5, ...(i < 3 && first) })),
    ];
    const isContent = (first: Partial<VisualChange>): boolean => {
      const impacts = new Map([[shape(ROW), impact('continuous', [1_030])]]);
      const film = { ...watched, changes: changesOf(first) };
      return learnContent(alikeInStream(stream(...cards)), impacts, film).length > 0;
    };
    expect(isContent({})).toBe(false);
    // A number takes the place of nothing, of a dash, or of more than a number.
    expect(isContent({ covered: 0 })).toBe(true);
    expect(isContent({ covered: 0.2 })).toBe(true);
    expect(isContent({ share: 0.01 })).toBe(true);
  });

  it('keeps what came when an empty place was filled, though others came at that moment', () => {
    const [GREETING, TABLE] = ['{"type":"hello"}', '{"type":"table"}'];
    const beating = said(PING, ...Array.from({ length: 20 }, (_, i) => 990 + i * 900));
    const unknown = (text: string) =>
      [shape(text), { ...impact('unknown', []), reason: { code: 'with-others', times: 1 } }] as const;
    const impacts = new Map([[shape(GREETING), impact('first-content', [330])], unknown(TABLE), unknown(PING)]);
    const painted = (cell: number) => [
      { at: 330, share: 0.1, covered: 0, cells: new Set([1]) },
      { at: 1_030, share: 0.2, covered: 0, cells: new Set([cell]) },
    ];
    const content = (cell: number) =>
      learnContent(alikeInStream(stream(...said(GREETING, 300), ...said(TABLE, 1_000), ...beating)), impacts, {
        ...watched,
        changes: painted(cell),
      }).map((each) => each.shape);
    expect(content(2)).toEqual([shape(GREETING), shape(TABLE)]);
    expect(content(1)).toEqual([shape(GREETING)]);
  });

  it('is what is about something new by the field whose new values fill empty places, where no key says what it is about', () => {
    const racks = [4, 0, 4, 7, 1, 0, 2, 4, 7, 5];
    const later = Array.from({ length: 36 }, (_, i) => racks[i % racks.length] ?? 0);
    const reports = [...racks, ...later].flatMap((rack, i) =>
      said(`{"rack":${rack},"zone":1,"load":${(i * 37) % 85}}`, i < racks.length ? 600 + i * 150 : i * 500 - 3_000),
    );
    const text = reports[0]?.text ?? '';
    const contentOf = (fills: (i: number) => boolean) => {
      const film: readonly VisualChange[] = reports.map(({ at }, i) => ({
        at: at + 40,
        share: 0.03,
        cells: new Set([racks[i] ?? later[i - racks.length] ?? 0]),
        covered: fills(i) ? 0.02 : 0.6,
      }));
      const impacts = new Map([[shape(text), impact('continuous', [640])]]);
      return learnContent(alikeInStream(stream(...reports)), impacts, { ...watched, changes: film });
    };
    const content = contentOf((i) => i < racks.length && racks.indexOf(racks[i] ?? 0) === i);
    const last = endOf(stream(...reports), content);
    expect(last).toBe(600 + racks.indexOf(5) * 150);
    // In another load they come in another order.
    const others = [7, 7, 4, 5, 0, 4, 2, 1, 0, 7].flatMap((rack, i) =>
      said(text.replace('4', `${rack}`), 500 + i * 100),
    );
    const again = endOf(stream(...others), content);
    expect(again).toBe(1_200);
    // What fills places whatever the values are tells nothing.
    expect(contentOf(() => false).map((each) => each.counts)).not.toContain('places');
    expect(contentOf((i) => i % 3 === 0).map((each) => each.counts)).toEqual([1]);
  });

  it('is what is about something new by its header, in bytes that come so fast that nobody can tell whose change is whose', () => {
    const rectangle = (column: number, row: number, colour: number, at: number): Message => ({
      at,
      bytes: 6,
      direction: 'received',
      opcode: 2,
      text: Buffer.from([0, column, row, colour, 61, 61]).toString('base64'),
    });
    const screen = (pause: number): readonly Message[] =>
      Array.from({ length: 20 }, (_, i) => [
        rectangle((i * 7) % 5, Math.floor(((i * 7) % 20) / 5), 40, 600 + i * pause),
        // The clock is painted again with every other of them, and then for ever.
        ...(i % 2 === 1 ? [rectangle(0, 0, 100 + i, 600 + i * pause)] : []),
      ]).flat();
    const clock = Array.from({ length: 30 }, (_, i) => rectangle(0, 0, 130 + i, 3_000 + i * 550));
    const messages = [...screen(60), ...clock];
    // The film is some frames late: what a message fills is seen after the next one.
    const changes: readonly VisualChange[] = messages.map(({ at }, i) => ({
      at: at + 90,
      share: 0.02,
      cells: new Set([i % 20]),
      covered: at < 3_000 ? 0.05 : 0.7,
    }));
    const [{ shape: alike } = { shape: '' }] = alikeInStream(stream(...messages));
    const impacts = new Map([[alike, impact('continuous', [690])]]);
    const content = learnContent(alikeInStream(stream(...messages)), impacts, { ...watched, changes });
    expect(content).toMatchObject([{ counts: 'places', about: expect.any(String) }]);
    // In another load they come at another pace.
    const again = endOf(stream(...screen(100), ...clock), content);
    expect(again).toBe(600 + 19 * 100);
  });

  it('leaves out news: what comes after a whole quiet window', () => {
    expect(taught(said(ROW, 9_000), { [ROW]: 'first-content' })).toEqual([]);
  });
});

describe('what a film teaches of a series', () => {
  const cells = (...places: readonly number[]) => new Set(places);
  const arrivals = [700, 1_900, 2_900, 3_900, 4_900, 5_900];
  const changes: readonly VisualChange[] = [
    { at: 720, share: 0.02, covered: 0, cells: cells(1, 2) },
    { at: 1_920, share: 0.06, covered: 0.1, cells: cells(2, 3, 4, 5) },
    { at: 3_920, share: 0.001, covered: 0.5, cells: cells(2) },
    { at: 5_920, share: 0.001, covered: 0.5, cells: cells(2) },
  ];
  const answers = (times: readonly number[], sizes: readonly number[] = []) => {
    const requests = times.map((at, i) =>
      request({ startedAt: at - 40, endedAt: at, contentSize: sizes[i] ?? 40, response: response() }),
    );
    return alikeIn({ kind: 'poll', arrivals: answersOf(requests, timeline(requests)) });
  };
  const learnt = (
    own: ReturnType<typeof answers>,
    film: readonly VisualChange[],
    impact: Impact['impact'] = 'continuous',
    { changedAt = film.map(({ at }) => at), quietWindow = QUIET } = {},
  ) => {
    const [first = 0] = timesOf(own[0]?.arrivals ?? []);
    const effects = changedAt.map((at) => ({
      arrival: at - 20,
      kind: fillsPlace(at, first, film) ? ('fills' as const) : ('repaints' as const),
      changedAt: at,
    }));
    const seen: Impact = { endpoint: '', impact, reason: { code: 'nothing-came' }, effects };
    const watched = { startedAt: 660, completeAt: 800, until: 20_000, quietWindow, changes: film };
    return learnContent(own, new Map([[undefined, seen]]), watched);
  };
  const counts = (...given: Parameters<typeof learnt>) => learnt(...given).map((each) => each.counts);

  it('is the answers up to the last that filled an empty place', () => {
    expect(counts(answers(arrivals), changes)).toEqual([2]);
    expect(counts(answers(arrivals), [])).toEqual([1]);
  });

  it('is one answer where others repaint, come after a quiet window, or go on filling places', () => {
    const repainted = changes.map((change, i) => (i === 0 ? change : { ...change, covered: 0.5 }));
    expect(counts(answers(arrivals), repainted)).toEqual([1]);
    expect(counts(answers(arrivals), changes, 'continuous', { quietWindow: 1_000 })).toEqual([1]);
    const grows = arrivals.map((at, i) => ({ at: at + 20, share: 0.01, covered: 0, cells: cells(i) }));
    expect(counts(answers(arrivals), grows)).toEqual([1]);
    // One that changed nothing does not tell that the list has stopped growing.
    expect(counts(answers([...arrivals, 6_400]), grows)).toEqual([1]);
  });

  it('is none where all of them repaint what the page had painted', () => {
    const own = { at: 300, share: 0.4, covered: 0, cells: cells(1, 2, 3) };
    const repainted = arrivals.map((at) => ({ at: at + 20, share: 0.01, covered: 0.6, cells: cells(2) }));
    const changedAt = repainted.map(({ at }) => at);
    expect(counts(answers(arrivals), [own, ...repainted], 'continuous', { changedAt })).toEqual([]);
  });

  it('has fewer answers of content than the film can tell, where something moves in step with them', () => {
    const each = arrivals.map((at, i) => ({ at: at + 20, share: 0.002, covered: i === 0 ? 0 : 0.6, cells: cells(2) }));
    expect(counts(answers(arrivals), each, 'unknown')).toEqual([1]);
    const filling = each.map((change, i) => (i === 1 ? { ...change, covered: 0, cells: cells(3) } : change));
    expect(counts(answers(arrivals), filling, 'unknown')).toEqual([2]);
  });

  it('has stopped where few answers are held for long, and changed nothing any more', () => {
    const held = [1_000, 3_200, 9_800];
    const filled = [1_000, 3_200].map((at, i) => ({ at: at + 20, share: 0.005, covered: 0, cells: cells(i) }));
    expect(counts(answers(held), filled)).toEqual([2]);
    expect(counts(answers(held.slice(0, 2)), filled)).toEqual([1]);
  });

  it('is the result of a job, told by what it is like, where all before it are unlike it', () => {
    const done = (...sizes: readonly number[]) =>
      learnt(answers([540, 1_240, 1_940, 2_640], sizes), [{ at: 2_660, share: 0.1, covered: 0 }], 'first-content');
    expect(done(40, 41, 42, 400)).toEqual([{ shape: 'status 200', bytes: 400, counts: 1, by: 2_140 }]);
    expect(done(40, 41, 42, 44)).toMatchObject([{ counts: 4 }]);
  });
});
