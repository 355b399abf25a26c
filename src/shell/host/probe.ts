import { readFile } from 'node:fs/promises';
import os from 'node:os';
import type { HostSample } from '../../model/recording.ts';
import type { Ms } from '../../model/units.ts';

/** Linux counts processor time in ticks of 1/100 s, whatever the kernel's own clock. Source: man 5 proc, USER_HZ. */
const MS_PER_TICK = 10;

/**
 * One reading of the processors' clocks.
 *
 * @param at when, on the recording's axis
 * @param browserCpuMs CPU time that the browser under test has used so far
 */
export async function readHost(at: Ms, browserCpuMs?: number): Promise<HostSample> {
  const clocks = (await fromProc()) ?? fromOs();
  return { at, cores: os.cpus().length, ...clocks, ...(browserCpuMs !== undefined && { browser: browserCpuMs }) };
}

async function fromProc(): Promise<Pick<HostSample, 'busy' | 'steal' | 'total'> | undefined> {
  const text = await readFile('/proc/stat', 'utf8').catch(() => undefined);
  const line = text?.split('\n', 1)[0];
  if (!line?.startsWith('cpu ')) return undefined;
  // cpu user nice system idle iowait irq softirq steal guest guest_nice (guest time is part of user time already)
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = ticks;
  const busy = user + nice + system + irq + softirq;
  return {
    busy: busy * MS_PER_TICK,
    steal: steal * MS_PER_TICK,
    total: (busy + idle + iowait + steal) * MS_PER_TICK,
  };
}

function fromOs(): Pick<HostSample, 'busy' | 'total'> {
  let busy = 0;
  let total = 0;
  for (const { times } of os.cpus()) {
    busy += times.user + times.nice + times.sys + times.irq;
    total += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { busy, total };
}
