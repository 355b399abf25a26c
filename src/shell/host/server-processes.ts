import { readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { Ms } from '../../model/units.ts';
import { readKernelFile } from './kernel-file.ts';

/** Source: man 5 proc, USER_HZ. */
const MS_PER_TICK = 10;
const NS_PER_MS = 1e6;
const PAGE = 4096;
/** State of a socket that listens. Source: include/net/tcp_states.h. */
const LISTEN = '0A';

/** CPU times and memory of the processes of a server. */
export interface ServerReading {
  /** CPU time by process, and by thread: "<pid>" and "<pid>/<tid>". */
  readonly processes: ReadonlyMap<number, Ms>;
  readonly threads: ReadonlyMap<string, Ms>;
  /** Resident memory of all, bytes: what they share counts for each. */
  readonly memory: number;
  /** Processors that it may use. */
  readonly cores?: number;
}

/**
 * The processes that listen on a port of this machine; none where they are not visible: other users', and those of containers
 * with a network of their own.
 *
 * @param proc the folder of the kernel's files
 */
export function listenersOn(port: number, proc = '/proc'): readonly number[] {
  const inodes = new Set(socketsOn(port, proc).map(({ inode }) => `socket:[${inode}]`));
  if (inodes.size === 0) return [];
  return pids(proc).filter((pid) => {
    const folder = path.join(proc, String(pid), 'fd');
    return names(folder).some((name) => inodes.has(link(path.join(folder, name))));
  });
}

/** Connections that wait to be accepted on a port. */
export function acceptQueueOf(port: number, proc = '/proc'): number | undefined {
  const queues = socketsOn(port, proc).map(({ queue }) => queue);
  return queues.length === 0 ? undefined : Math.max(...queues);
}

/** Reads what the processes of a server, and all that they started, have used so far. */
export function readServer(roots: readonly number[], proc = '/proc'): ServerReading {
  const processes = new Map<number, Ms>();
  const threads = new Map<string, Ms>();
  let memory = 0;
  let cores: number | undefined;
  for (const pid of withDescendants(roots, proc)) {
    const folder = path.join(proc, String(pid));
    let used = 0;
    for (const tid of names(path.join(folder, 'task'))) {
      const time = cpuTime(path.join(folder, 'task', tid));
      if (time === undefined) continue;
      threads.set(`${pid}/${tid}`, time);
      used += time;
    }
    processes.set(pid, used);
    memory += Number(readKernelFile(path.join(folder, 'statm'))?.split(' ')[1] ?? 0) * PAGE;
    cores ??= allowed(readKernelFile(path.join(folder, 'status')));
  }
  return {
    processes,
    threads,
    memory,
    cores,
  };
}

/** CPU time of a thread: to the nanosecond where the kernel counts so, else in ticks. */
function cpuTime(folder: string): Ms | undefined {
  const exact = readKernelFile(path.join(folder, 'schedstat'))?.split(' ')[0];
  if (exact !== undefined && /^\d+$/.test(exact)) return Number(exact) / NS_PER_MS;
  const fields = /^\d+ \(.*\) (.*)$/s.exec(readKernelFile(path.join(folder, 'stat')) ?? '')?.[1]?.split(' ');
  const [user, system] = [fields?.[11], fields?.[12]];
  return user === undefined || system === undefined ? undefined : (Number(user) + Number(system)) * MS_PER_TICK;
}

/** Of a list such as "0-3,8". Source: man 5 proc_pid_status, Cpus_allowed_list. */
function allowed(status: string | undefined): number | undefined {
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status ?? '')?.[1];
  return list?.split(',').reduce((sum, part) => {
    const [from = 0, to = from] = part.split('-').map(Number);
    return sum + to - from + 1;
  }, 0);
}

/** Sockets that listen on a port: "sl local_address rem_address st tx:rx … inode". Source: Documentation/networking/proc_net_tcp.rst. */
function socketsOn(port: number, proc: string): readonly { readonly inode: string; readonly queue: number }[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return ['tcp', 'tcp6'].flatMap((name) => {
    const lines =
      readKernelFile(path.join(proc, 'net', name))
        ?.split('\n')
        .slice(1) ?? [];
    return lines.flatMap((line) => {
      const fields = line.trim().split(/\s+/);
      const [, local, , state, queues] = fields;
      const inode = fields[9];
      if (state !== LISTEN || local?.split(':')[1] !== wanted || inode === undefined) return [];
      return [{ inode, queue: Number.parseInt(queues?.split(':')[1] ?? '0', 16) }];
    });
  });
}

function withDescendants(roots: readonly number[], proc: string): ReadonlySet<number> {
  const children = new Map<number, number[]>();
  for (const pid of pids(proc)) {
    const parent = /^\d+ \(.*\) \S (\d+)/s.exec(readKernelFile(path.join(proc, String(pid), 'stat')) ?? '')?.[1];
    if (parent === undefined) continue;
    children.set(Number(parent), [...(children.get(Number(parent)) ?? []), pid]);
  }
  const found = new Set<number>();
  const add = (pid: number): void => {
    if (found.has(pid)) return;
    found.add(pid);
    for (const child of children.get(pid) ?? []) add(child);
  };
  for (const root of roots) add(root);
  return found;
}

function pids(proc: string): readonly number[] {
  return names(proc).flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []));
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function link(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    return '';
  }
}
