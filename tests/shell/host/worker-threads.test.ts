import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readThreadTime, workerThreadsOf } from '../../../src/shell/host/worker-threads.ts';
import { treeOf } from './tree.ts';

describe('threads of workers', () => {
  it('are told by the names that Chrome gives them', () => {
    const proc = treeOf({
      '7/task/7/comm': 'chrome\n',
      '7/task/8/comm': 'DedicatedWorker\n',
      '7/task/9/comm': 'ThreadPoolForeg\n',
      '12/task/13/comm': 'SharedWorker th\n',
      '20/task/21/comm': 'DedicatedWorker\n',
    });
    expect(workerThreadsOf([7, 12], proc).map((folder) => basename(folder))).toEqual(['8', '13']);
  });

  it('are none where a process is gone, or the system tells of no threads', () => {
    expect(workerThreadsOf([5], treeOf({ '7/task/8/comm': 'DedicatedWorker' }))).toEqual([]);
    expect(workerThreadsOf([5], '/no/such/folder')).toEqual([]);
  });
});

describe('the time of a thread', () => {
  it('is what it ran, and what it waited for a processor', () => {
    expect(readThreadTime(treeOf({ schedstat: '1500000000 250000000 31\n' }))).toEqual({ ran: 1500, waited: 250 });
  });

  it('is not known when it is gone, or the kernel does not count', () => {
    expect(readThreadTime('/no/such/folder')).toBeUndefined();
    expect(readThreadTime(treeOf({ schedstat: '0 0 0' }))).toBeUndefined();
  });
});
