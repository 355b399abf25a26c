import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { platform, tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { acceptQueueOf, listenersOn, readServer } from '../../../src/shell/host/server-processes.ts';

test('processes by their port, with what they started, and nobody else', () => {
  const proc = mkdtempSync(path.join(tmpdir(), 'quiesce-proc-'));
  const process = (pid: number, parent: number, inode: number, threads: Readonly<Record<number, number>>): void => {
    const folder = path.join(proc, String(pid));
    mkdirSync(path.join(folder, 'fd'), { recursive: true });
    symlinkSync(`socket:[${inode}]`, path.join(folder, 'fd', '3'));
    writeFileSync(path.join(folder, 'stat'), `${pid} (a (strange) name) S ${parent} 1 1 0`);
    writeFileSync(path.join(folder, 'statm'), '1000 100 0 0');
    writeFileSync(path.join(folder, 'status'), 'Name:\tx\nCpus_allowed_list:\t0-2,7\n');
    for (const [tid, ns] of Object.entries(threads)) {
      mkdirSync(path.join(folder, 'task', tid), { recursive: true });
      writeFileSync(path.join(folder, 'task', tid, 'schedstat'), `${ns} 5 5`);
    }
  };
  try {
    mkdirSync(path.join(proc, 'net'));
    const line = (port: string, state: string, queue: string, inode: number) =>
      `   0: 0100007F:${port} 00000000:0000 ${state} 00000000:${queue} 00:00000000 00000000  1000        0 ${inode} 1 0`;
    writeFileSync(
      path.join(proc, 'net', 'tcp'),
      [
        '  sl  local_address',
        line('1F90', '0A', '0000000C', 77),
        line('1F90', '01', '00000000', 78),
        line('1F91', '0A', '00000000', 79),
      ].join('\n'),
    );
    process(10, 1, 77, { 10: 2e9, 11: 5e8 });
    process(12, 10, 1, { 12: 1e9 });
    process(20, 1, 78, { 20: 9e9 });
    expect(listenersOn(8080, proc)).toEqual([10]);
    expect(listenersOn(8082, proc)).toEqual([]);
    expect(acceptQueueOf(8080, proc)).toBe(12);
    const reading = readServer([10], proc);
    expect([...reading.processes]).toEqual([
      [10, 2500],
      [12, 1000],
    ]);
    expect(reading.threads.get('10/11')).toBe(500);
    expect(reading).toMatchObject({ memory: 2 * 100 * 4096, cores: 4 });
  } finally {
    rmSync(proc, { recursive: true, force: true });
  }
});

test.runIf(platform() === 'linux')('this very process listens', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    expect(listenersOn((server.address() as AddressInfo).port)).toContain(process.pid);
  } finally {
    server.close();
  }
});
