import os from 'node:os';
import path from 'node:path';
import type { HostSample } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';
import { readKernelFile } from './kernel-file.ts';

/** Linux counts processor time in ticks of 1/100 s, whatever the kernel's own clock. Source: man 5 proc, USER_HZ. */
const MS_PER_TICK = 10;
const MICROSECONDS_PER_MS = 1000;
/** Resources that tasks wait for, as the kernel names the files. Source: Documentation/accounting/psi.rst. */
const RESOURCES = ['cpu', 'memory', 'io'] as const;

type Clocks = Pick<HostSample, 'cores' | 'busy' | 'steal' | 'total'>;

/**
 * Reads the counters of the machine: CPU times, the time in which tasks had to wait, and the CPU time of this program. What
 * the system does not have is absent. Takes 0.1 ms.
 *
 * @param at the time of the reading, ms since the recording's zero
 * @param browserCpuMs CPU time that the browser under test has used so far
 * @param proc the folder of the kernel's files
 */
export function readHost(at: Ms, browserCpuMs?: number, proc = '/proc'): HostSample {
  const stalled = readStalls(proc);
  const { user, system } = process.cpuUsage();
  return {
    at,
    ...(fromProc(proc) ?? fromOs()),
    browser: browserCpuMs,
    own: (user + system) / MICROSECONDS_PER_MS,
    stalled,
  };
}

function fromProc(proc: string): Clocks | undefined {
  const lines = readKernelFile(path.join(proc, 'stat'))?.split('\n') ?? [];
  const [all] = lines;
  if (!all?.startsWith('cpu ')) return undefined;
  // cpu user nice system idle iowait irq softirq steal guest guest_nice (guest time is part of user time already)
  const ticks = all.trim().split(/\s+/).slice(1, 9).map(Number);
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal] = ticks;
  const busy = user + nice + system + irq + softirq;
  return {
    cores: lines.filter((line) => /^cpu\d/.test(line)).length,
    busy: busy * MS_PER_TICK,
    ...(steal !== undefined && { steal: steal * MS_PER_TICK }),
    total: (busy + idle + iowait + (steal ?? 0)) * MS_PER_TICK,
  };
}

function fromOs(): Clocks {
  const cpus = os.cpus();
  let busy = 0;
  let total = 0;
  for (const { times } of cpus) {
    const used = times.user + times.nice + times.sys + times.irq;
    busy += used;
    total += used + times.idle;
  }
  return { cores: cpus.length, busy, total };
}

/** Absent in kernels without pressure stall information. */
function readStalls(proc: string): HostSample['stalled'] {
  const found = RESOURCES.flatMap((resource) => {
    const text = readKernelFile(path.join(proc, 'pressure', resource));
    const total = /^some .*\btotal=(\d+)/m.exec(text ?? '')?.[1];
    return total === undefined ? [] : [[resource, Number(total) / MICROSECONDS_PER_MS] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
