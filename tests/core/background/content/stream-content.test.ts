import { describe, expect, it } from 'vitest';
import { COMMENT, shapeOfText } from '../../../../src/core/background/content/message-shape.ts';
import { alikeIn, contentOfStream, shapesOfContent } from '../../../../src/core/background/content/stream-content.ts';
import type { Impact } from '../../../../src/core/visual/impact.ts';
import type { VisualChange } from '../../../../src/model/picture.ts';
import type { Message, Request } from '../../../../src/model/timeline.ts';
import { request } from '../../../support/factories.ts';

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
const beats = said(PING, ...Array.from({ length: 40 }, (_, i) => 1_000 + i * 500));

describe('what of a stream is content', () => {
  const until = { observedUntil: 20_000, quietWindow: QUIET };

  it('is all of a shape that ended, however many there are', () => {
    const content = [{ shape: shape(ROW), counts: 'all', by: 200 }] as const;
    for (const times of [[300], [300, 900], [300, 500, 700, 2_900]]) {
      const { counts } = contentOfStream(stream(...said(ROW, ...times), ...beats), content, until);
      expect(counts).toEqual({ from: 100, to: times.at(-1) });
    }
  });

  it('is what is about something new, and the first where nothing says what it is about', () => {
    const rows = [1, 2, 1, 3, 2, 1].flatMap((id, i) => said(`{"type":"row","id":${id}}`, 300 + i * 100));
    const about = (counts: 'places' | 'first') =>
      contentOfStream(stream(...rows), [{ shape: shape(ROW), counts }], until).counts?.to;
    expect(about('places')).toBe(600);
    expect(about('first')).toBe(300);
  });

  it('goes on over another connection that says where it was', () => {
    const rows = (from: number, ids: readonly number[]) =>
      ids.flatMap((id, i) => said(`{"type":"row","id":${id}}`, from + i * 100));
    const lost = { ...stream(...rows(300, [1, 2])), endedAt: 600 };
    const content = [{ shape: shape(ROW), counts: 'places', by: 200 }] as const;
    const after = (ids: readonly number[]) => {
      const again = { ...stream(...rows(1_000, ids)), startedAt: 900 };
      return contentOfStream(again, content, until, [lost]).counts;
    };
    expect(after([3, 4, 1])).toEqual({ from: 900, to: 1_100 });
    expect(after([1, 2])).toBeUndefined();
  });

  it('is awaited as long as another run had to wait, and not for ever', () => {
    const content = [{ shape: shape(ROW), counts: 'all', by: 2_000 }] as const;
    const at = (observedUntil: number) =>
      contentOfStream(stream(...beats), content, { observedUntil, quietWindow: QUIET });
    expect(at(4_000)).toEqual({ counts: { from: 100 } });
    expect(at(9_200)).toEqual({ missing: true });
  });
});

describe('what a film teaches of a stream', () => {
  const impact = (of: Impact['impact'], changedAt: readonly number[] = []): Impact => ({
    endpoint: '',
    impact: of,
    contentParts: 0,
    reason: { code: 'nothing-came' },
    changedAt,
  });
  const watched = { startedAt: 100, completeAt: 500, until: 20_500, quietWindow: QUIET, changes: [] };
  const taught = (messages: readonly Message[], seen: Readonly<Record<string, Impact['impact']>>) => {
    const impacts = new Map(Object.entries(seen).map(([text, of]) => [shape(text), impact(of)] as const));
    return shapesOfContent(alikeIn([stream(...messages)]), impacts, watched);
  };

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
      shapesOfContent(alikeIn([stream(...messages)]), impacts, watched).map((each) => each.shape);
    expect(content(comment, ...row)).toEqual([shape(ROW)]);
    expect(content(comment)).toEqual([COMMENT]);
  });

  it('tells words from names in tuples: where others hold a text, there is no name', () => {
    const words = ['Good ', 'morning', ', what ', 'in', '?'].flatMap((word, i) =>
      said(`42["word","${word}"]`, 700 + i * 90),
    );
    const presence = said('42["presence",3]', 2_000, 3_300, 4_600);
    const alike = alikeIn([stream(...words, ...presence)]);
    expect(alike.map(({ messages }) => messages.length)).toEqual([5, 3]);
    const content = [{ shape: alike[0]?.shape ?? '', counts: 'all' }] as const;
    const until = { observedUntil: 20_000, quietWindow: QUIET };
    const other = said('42["word","Hello"]', 500);
    expect(contentOfStream(stream(...other, ...presence), content, until).counts?.to).toBe(500);
  });

  describe('with a name for each thing in its tuples', () => {
    const names = Array.from({ length: 20 }, (_, i) => `PIT-${'ABCDEFGHIJKLMNOPQRST'[i]}`);
    const whole = names.flatMap((name, i) => said(`["book","${name}",[[1,2]]]`, 700 + i * 50));
    const parts = Array.from({ length: 60 }, (_, i) => said(`["diff","${names[i % 20]}",[[1]]]`, 720 + i * 310)).flat();
    const hum = said('["hb",5]', ...Array.from({ length: 30 }, (_, i) => 1_000 + i * 600));
    const alike = alikeIn([stream(...whole, ...parts, ...hum)]);

    it('is told apart by what tells few shapes apart, where all names would be too many', () => {
      expect(alike.map(({ messages }) => messages.length)).toEqual([20, 60, 30]);
      // As long as there are few, each has its own shape: what one shows may be what another never does.
      expect(alikeIn([stream(...whole.slice(0, 4), ...hum)])).toHaveLength(5);
    });

    it('is what fills the place of each, in any load', () => {
      const [book, diff] = alike;
      const impacts = new Map([
        [book?.shape ?? '', impact('first-content', [730])],
        [diff?.shape ?? '', impact('continuous', [900])],
      ]);
      const content = shapesOfContent(alike, impacts, watched);
      expect(content).toEqual([{ shape: book?.shape, counts: 'all', by: 600 }]);
      const other = said('["book","PIT-Z",[[3,4]]]', 900, 2_300);
      const until = { observedUntil: 20_000, quietWindow: QUIET };
      expect(contentOfStream(stream(...other, ...parts), content, until).counts?.to).toBe(2_300);
    });

    it('is about what the names say', () => {
      const { counts } = contentOfStream(
        stream(...whole, ...said('["book","PIT-B",[[5,6]]]', 2_000)),
        [{ shape: alike[0]?.shape ?? '', counts: 'places' }],
        { observedUntil: 20_000, quietWindow: QUIET },
      );
      expect(counts?.to).toBe(whole.at(-1)?.at);
    });
  });

  it('leaves out what goes on repainting what another shape had painted', () => {
    const snapshot = said('{"type":"snapshot"}', 700);
    const updates = said(ROW, ...Array.from({ length: 30 }, (_, i) => 1_200 + i * 640));
    const content = taught([...snapshot, ...updates], { '{"type":"snapshot"}': 'first-content', [ROW]: 'continuous' });
    expect(content.map((each) => each.shape)).toEqual([shape('{"type":"snapshot"}')]);
    // Alone, its first for each place is content.
    expect(taught(updates, { [ROW]: 'continuous' })).toMatchObject([{ counts: 'first' }]);
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
      return shapesOfContent(alikeIn([stream(...cards)]), impacts, film).length > 0;
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
      shapesOfContent(alikeIn([stream(...said(GREETING, 300), ...said(TABLE, 1_000), ...beating)]), impacts, {
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
      return shapesOfContent(alikeIn([stream(...reports)]), impacts, { ...watched, changes: film });
    };
    const content = contentOf((i) => i < racks.length && racks.indexOf(racks[i] ?? 0) === i);
    const { counts } = contentOfStream(stream(...reports), content, { observedUntil: 20_000, quietWindow: QUIET });
    expect(counts?.to).toBe(600 + racks.indexOf(5) * 150);
    // In another load they come in another order.
    const others = [7, 7, 4, 5, 0, 4, 2, 1, 0, 7].flatMap((rack, i) =>
      said(text.replace('4', `${rack}`), 500 + i * 100),
    );
    const again = contentOfStream(stream(...others), content, { observedUntil: 20_000, quietWindow: QUIET });
    expect(again.counts?.to).toBe(1_200);
    // What fills places whatever the values are tells nothing.
    expect(contentOf(() => false).map((each) => each.counts)).not.toContain('places');
    expect(contentOf((i) => i % 3 === 0).map((each) => each.counts)).toEqual(['first']);
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
    const [{ shape: alike } = { shape: '' }] = alikeIn([stream(...messages)]);
    const impacts = new Map([[alike, impact('continuous', [690])]]);
    const content = shapesOfContent(alikeIn([stream(...messages)]), impacts, { ...watched, changes });
    expect(content).toMatchObject([{ counts: 'places', about: expect.any(String) }]);
    // In another load they come at another pace.
    const again = contentOfStream(stream(...screen(100), ...clock), content, {
      observedUntil: 20_000,
      quietWindow: QUIET,
    });
    expect(again.counts?.to).toBe(600 + 19 * 100);
  });

  it('leaves out news: what comes after a whole quiet window', () => {
    expect(taught(said(ROW, 9_000), { [ROW]: 'first-content' })).toEqual([]);
  });

  it('is no news what shows the parts that came on the way to it', () => {
    const COMMIT = '{"type":"commit"}';
    const rows = said(ROW, 1_000, 1_900, 3_100);
    const commits = said(COMMIT, 4_400, 7_000, 10_000, 13_000, 16_000, 19_000);
    const seen = { [ROW]: 'none', [COMMIT]: 'first-content' } as const;
    expect(taught([...rows, ...commits], seen)).toEqual([{ shape: shape(COMMIT), counts: 'first', by: 4_300 }]);
    expect(taught(commits, seen)).toEqual([]);
    // Rows that go on coming are no parts of it.
    expect(taught([...rows, ...said(ROW, 8_000), ...commits], seen)).toEqual([]);
    expect(taught([...said(ROW, 1_000), ...commits], seen)).toEqual([]);
    // What comes once is no part either: a welcome, and diffs of what the page had shown before it.
    expect(taught([...said(ROW, 2_000), ...commits], seen)).toEqual([]);
  });
});
