import { describe, expect, test } from 'vitest';
import type { Waterfall } from '../../src/model/report.ts';
import { axisOf, PHASES } from '../../src/report/html/geometry.ts';
import { groupOf, islandsOf, ROW_MARKS } from '../../src/report/html/island.ts';
import { readIsland } from '../../src/report/html/island-read.ts';
import { shopWaterfall } from './example-report.ts';

/** A waterfall through its island, by way of JSON as in the page. */
function readBack(waterfall: Waterfall, marks = new Map<string, 'new' | 'gone'>()) {
  const { vocabulary, islands } = islandsOf([{ waterfall, marks }], axisOf(waterfall));
  const [island] = islands;
  if (island === undefined) throw new Error('There is an island for each waterfall.');
  return readIsland(JSON.parse(JSON.stringify(vocabulary)), JSON.parse(JSON.stringify(island)), ROW_MARKS);
}

const tenth = (ms: number): number => Math.round(ms * 10) / 10;

describe('an island', () => {
  const waterfall = shopWaterfall(3);
  const read = readBack(waterfall);

  test('reads back as the rows that it was written from, to a tenth of a millisecond', () => {
    expect(read.rows).toHaveLength(waterfall.rows.length);
    waterfall.rows.forEach((row, index) => {
      expect(read.rows[index]).toMatchObject({
        index,
        url: row.url,
        method: row.method,
        type: row.type,
        group: groupOf(row.type),
        mimeType: row.mimeType ?? '',
        protocol: row.protocol ?? '',
        fromCache: row.fromCache ?? '',
        priority: row.priority ?? '',
        initiator: row.initiator ?? '',
        outcome: row.outcome ?? '',
        startedAt: tenth(row.startedAt),
        endsAt: tenth(row.endsAt),
        open: row.open,
        failed: row.failed,
        contentSize: row.contentSize,
        pieces: row.chunks.length,
      });
      const shown = read.rows[index];
      expect([shown?.status, shown?.transferSize]).toEqual([row.status, row.transferSize]);
      expect(shown?.initiatorRow === undefined ? undefined : waterfall.rows[shown.initiatorRow]?.id).toBe(
        row.initiatorRow,
      );
      const kept = row.phases.filter(({ from, to }) => tenth(to) > tenth(from));
      expect(shown?.phases).toEqual(
        kept.map(({ name, from, to }) => ({ name: PHASES.indexOf(name), from: tenth(from), to: tenth(to) })),
      );
      const { background } = row;
      expect(shown?.background?.because).toBe(background?.because);
      expect(shown?.background?.countsUntil).toBe(
        background?.countsUntil === undefined ? undefined : tenth(background.countsUntil),
      );
    });
  });

  test('holds lines, lanes and the critical path', () => {
    expect(read.milestones.map(({ label, at, look }) => [label, at, look])).toContainEqual([
      'page complete',
      1243,
      'm-complete',
    ]);
    expect(read.quiet).toEqual({ from: 1243, to: 4243 });
    expect(read.raw).toEqual({ state: 'never' });
    expect(read.tasks).toEqual(waterfall.longTasks);
    expect(read.critical.map((index) => waterfall.rows[index]?.id)).toEqual(waterfall.critical);
    expect(read.rows.filter(({ step }) => step !== undefined).map(({ step }) => step)).toEqual([1, 2, 3, 4]);
    const most = Math.max(...(waterfall.bandwidth?.bytes ?? []));
    expect(read.wire?.peak).toBe(Math.round(most / 0.05));
    expect(read.wire?.spans.find(({ share }) => share === 1)).toMatchObject({ from: 400, to: 450 });
    expect(read.wire?.spans.every(({ share }) => share > 0 && share <= 1)).toBe(true);
  });

  test('keeps what nobody looked at absent', () => {
    const { longTasks: _, bandwidth: _wire, raw: _raw, quietWindow: _quiet, critical: _path, ...bare } = waterfall;
    const plain = readBack(bare);
    expect([plain.tasks, plain.wire, plain.raw, plain.quiet]).toEqual([undefined, undefined, undefined, undefined]);
    expect(plain.critical).toEqual([]);
    expect(readBack({ ...bare, longTasks: [] }).tasks).toEqual([]);
  });

  test('keeps marks, gaps between phases, and rows that are not in order', () => {
    const [a, b] = waterfall.rows;
    if (a === undefined || b === undefined) throw new Error('The example has rows.');
    const gap = { ...a, startedAt: 50, endsAt: 90, phases: [{ name: 'wait' as const, from: 60, to: 80 }] };
    const odd = readBack({ ...waterfall, critical: [], rows: [b, gap] }, new Map([[b.id, 'new']]));
    expect(odd.rows.map(({ mark }) => mark)).toEqual(['new', undefined]);
    expect(odd.rows[1]).toMatchObject({ startedAt: 50, endsAt: 90, phases: [{ name: 6, from: 60, to: 80 }] });
  });

  test('is shared: loads of the same page add little to the vocabulary', () => {
    const loads = [1, 2, 3, 4, 5].map((run) => ({ waterfall: shopWaterfall(run, 1200 + run * 10) }));
    const axis = axisOf(...loads.map(({ waterfall: each }) => each));
    const one = islandsOf(loads.slice(0, 1), axis);
    const all = islandsOf(loads, axis);
    expect(all.vocabulary).toEqual(one.vocabulary);
    expect(all.islands).toHaveLength(5);
  });

  test('keeps a reason to the first row that has it', () => {
    const tells = read.rows.filter(({ background }) => background?.tells).map(({ background }) => background?.kind);
    expect(tells.toSorted()).toEqual(['beacon', 'long-poll', 'poll', 'sse']);
  });

  test('holds no more ticks than can be seen', () => {
    const [row] = waterfall.rows;
    if (row === undefined) throw new Error('The example has rows.');
    const chunks = Array.from({ length: 50_000 }, (_, i) => row.startedAt + i * 0.2);
    const many = readBack({ ...waterfall, critical: [], rows: [{ ...row, endsAt: 11_000, chunks }] });
    expect(many.rows[0]?.ticks.length).toBeLessThan(1600);
    expect(many.rows[0]?.pieces).toBe(50_000);
    expect(readBack({ ...waterfall, critical: [], rows: [{ ...row, chunks: [250] }] }).rows[0]?.ticks).toEqual([]);
  });
});

test('the host of an address is what stands between // and the next part, without who logs in', () => {
  const [row] = shopWaterfall(1).rows;
  if (row === undefined) throw new Error('The example has rows.');
  const urls = [
    'https://a.example:8443/x',
    'wss://me:secret@b.example?q',
    'data:text/plain,x',
    'blob:https://c.example/1',
  ];
  const rows = urls.map((url, i) => ({ ...row, id: `${i}`, url }));
  expect(readBack({ run: 1, rows, milestones: [], observedUntil: 1 }).rows.map(({ host }) => host)).toEqual([
    'a.example:8443',
    'b.example',
    '',
    '',
  ]);
});
