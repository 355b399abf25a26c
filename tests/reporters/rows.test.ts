import { describe, expect, test } from 'vitest';
import type { Waterfall } from '../../src/model/result/report.ts';
import { axisOf, PHASES } from '../../src/reporters/html/waterfall/geometry.ts';
import { pack } from '../../src/reporters/html/waterfall/pack.ts';
import {
  groupOf,
  type RowMark,
  type ShownWaterfall,
  shownWaterfall,
} from '../../src/reporters/html/waterfall/table/rows.ts';
import { unpack } from '../../src/reporters/html/waterfall/unpack.ts';
import { shopWaterfall } from './example-report.ts';

/** A waterfall as it is drawn, by way of a text as in the page. */
async function readBack(waterfall: Waterfall, marks = new Map<string, RowMark>()): Promise<ShownWaterfall> {
  return (await unpack(pack(shownWaterfall(waterfall, axisOf(waterfall), marks)))) as ShownWaterfall;
}

const TEXTS = ['mimeType', 'protocol', 'fromCache', 'priority', 'initiator', 'outcome'] as const;

const tenth = (ms: number): number => Math.round(ms * 10) / 10;

describe('a waterfall as it is drawn', async () => {
  const waterfall = shopWaterfall(3);
  const read = await readBack(waterfall);

  test('reads back as the rows that it was written from, to a tenth of a millisecond', async () => {
    expect(read.rows).toHaveLength(waterfall.rows.length);
    waterfall.rows.forEach((row, index) => {
      expect(read.rows[index]).toMatchObject({
        index,
        url: row.url,
        method: row.method,
        type: row.type,
        group: groupOf(row.type),
        startedAt: tenth(row.startedAt),
        endsAt: tenth(row.endsAt),
        open: row.open,
        failed: row.failed,
        contentSize: row.contentSize,
        pieces: row.chunks.length,
      });
      const shown = read.rows[index];
      for (const name of TEXTS) expect(shown?.[name], name).toBe(row[name] || undefined);
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

  test('holds lines, lanes and the critical path', async () => {
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
    // Ten spans of 50 ms: bursts are faster than the line that they came on.
    const bytes = waterfall.bandwidth?.bytes ?? [];
    const halves = bytes.map((_, i) => bytes.slice(Math.max(0, i - 9), i + 1).reduce((sum, each) => sum + each, 0));
    expect(read.wire?.peak).toBe(Math.max(...halves) * 2);
    // The fullest span is from 400 to 450 ms.
    expect(read.wire?.step).toBe(50);
    expect(read.wire?.heights.indexOf(100)).toBe(8);
    expect(read.wire?.heights.every((height) => height >= 0 && height <= 100)).toBe(true);
  });

  test('keeps what nobody looked at absent', async () => {
    const { longTasks: _, bandwidth: _wire, raw: _raw, quietWindow: _quiet, critical: _path, ...bare } = waterfall;
    const plain = await readBack(bare);
    expect([plain.tasks, plain.wire, plain.raw, plain.quiet]).toEqual([undefined, undefined, undefined, undefined]);
    expect(plain.critical).toEqual([]);
    expect((await readBack({ ...bare, longTasks: [] })).tasks).toEqual([]);
  });

  test('keeps marks, gaps between phases, and rows that are not in order', async () => {
    const [a, b] = waterfall.rows;
    if (a === undefined || b === undefined) throw new Error('The example has rows.');
    const gap = { ...a, startedAt: 50, endsAt: 90, phases: [{ name: 'wait' as const, from: 60, to: 80 }] };
    const odd = await readBack({ ...waterfall, critical: [], rows: [b, gap] }, new Map([[b.id, 'new']]));
    expect(odd.rows.map(({ mark }) => mark)).toEqual(['new', undefined]);
    expect(odd.rows[1]).toMatchObject({ startedAt: 50, endsAt: 90, phases: [{ name: 6, from: 60, to: 80 }] });
  });

  test('takes little for a load more: the loads of a page ask for much the same', () => {
    const loads = [1, 2, 3, 4, 5].map((run) => shopWaterfall(run, 1200 + run * 10));
    const axis = axisOf(...loads);
    const [one = 0, all = 0] = [loads.slice(0, 1), loads].map(
      (some) => pack(some.map((each) => shownWaterfall(each, axis))).length,
    );
    expect((all - one) / 4).toBeLessThan(one * 0.8);
  });

  test('keeps a reason to the first row that has it', async () => {
    const tells = read.rows.filter(({ background }) => background?.tells).map(({ background }) => background?.kind);
    expect(tells.toSorted()).toEqual(['beacon', 'long-poll', 'poll', 'sse']);
  });

  test('holds no more ticks than can be seen', async () => {
    const [row] = waterfall.rows;
    if (row === undefined) throw new Error('The example has rows.');
    const chunks = Array.from({ length: 50_000 }, (_, i) => row.startedAt + i * 0.2);
    const many = await readBack({ ...waterfall, critical: [], rows: [{ ...row, endsAt: 11_000, chunks }] });
    expect(many.rows[0]?.ticks.length).toBeLessThan(1600);
    expect(many.rows[0]?.pieces).toBe(50_000);
    const one = await readBack({ ...waterfall, critical: [], rows: [{ ...row, chunks: [250] }] });
    expect(one.rows[0]?.ticks).toEqual([]);
  });
});

test('the host of an address is what stands between // and the next part, without who logs in', async () => {
  const [row] = shopWaterfall(1).rows;
  if (row === undefined) throw new Error('The example has rows.');
  const urls = [
    'https://a.example:8443/x',
    'wss://me:secret@b.example?q',
    'data:text/plain,x',
    'blob:https://c.example/1',
  ];
  const rows = urls.map((url, i) => ({ ...row, id: `${i}`, url }));
  const read = await readBack({ run: 1, rows, milestones: [], observedUntil: 1 });
  expect(read.rows.map(({ host }) => host)).toEqual(['a.example:8443', 'b.example', '', '']);
});
