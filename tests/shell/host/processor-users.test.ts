import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readProcessTimes, topProcessorUsers } from '../../../src/shell/host/processor-users.ts';
import { treeOf } from './tree.ts';

const stat = (pid: number, name: string, utime: number, stime: number, start = 77): string =>
  `${pid} (${name}) S 1 1 1 0 -1 4194560 9 0 0 0 ${utime} ${stime} 3 4 20 0 1 0 ${start} 1000 1`;

const times = (...lines: readonly string[]) =>
  readProcessTimes(treeOf(Object.fromEntries(lines.map((line) => [`${line.split(' ')[0]}/stat`, line]))));

describe('readProcessTimes', () => {
  it('reads names with blanks and brackets', () => {
    expect(times(stat(5, 'a) S (b 1', 10, 20))?.get(5)).toEqual({ name: 'a) S (b 1', startedAt: '77', used: 300 });
  });

  it('leaves out what cannot be read', () => {
    expect(times('5 (broken', stat(6, 'fine', 1, 1))?.size).toBe(1);
    expect(readProcessTimes('/no/such/folder')).toBeUndefined();
  });

  it.skipIf(!existsSync('/proc/self/stat'))('finds this program', () => {
    expect(readProcessTimes('/proc')?.get(process.pid)?.used).toBeGreaterThan(0);
  });
});

describe('greediest', () => {
  it('adds up processes of one name, the greediest first, at most three', () => {
    const before = times(
      stat(1, 'tab', 0, 0),
      stat(2, 'tab', 0, 0),
      stat(3, 'b', 0, 0),
      stat(4, 'c', 0, 0),
      stat(5, 'd', 0, 0),
    );
    const after = times(
      stat(1, 'tab', 50, 0),
      stat(2, 'tab', 0, 40),
      stat(3, 'b', 20, 0),
      stat(4, 'c', 95, 0),
      stat(5, 'd', 30, 0),
    );
    expect(topProcessorUsers(before, after, 1_000, 0)).toEqual([
      { name: 'c', processors: 0.95 },
      { name: 'tab', processors: 0.9 },
      { name: 'd', processors: 0.3 },
    ]);
  });

  it('counts one that began in between from its beginning, also under a number that was used before', () => {
    const before = times(stat(1, 'old', 900, 0, 10));
    const after = times(stat(1, 'new', 50, 0, 20), stat(2, 'newer', 20, 0));
    expect(topProcessorUsers(before, after, 1_000, 0)).toEqual([
      { name: 'new', processors: 0.5 },
      { name: 'newer', processors: 0.2 },
    ]);
  });

  it('names neither this program nor those that hardly work', () => {
    const before = times(stat(1, 'me', 0, 0), stat(2, 'idle', 0, 0));
    expect(topProcessorUsers(before, times(stat(1, 'me', 99, 0), stat(2, 'idle', 4, 0)), 1_000, 1)).toEqual([]);
  });

  it('knows nothing where nothing can be read', () => {
    expect(topProcessorUsers(undefined, times(stat(1, 'a', 9, 9)), 1_000, 0)).toBeUndefined();
  });
});
