import { readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { HostFacts, IdleFacts } from '../../model/host/doctor.ts';
import type { HostSample } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';
import { containerOf, processorLimit } from './container.ts';
import { readKernelFile } from './kernel-file.ts';
import { microBenchmark } from './micro-benchmark.ts';
import { readHost } from './probe.ts';
import { readProcessTimes, topProcessorUsers } from './processor-users.ts';

/** How long the idle machine is watched, ms. */
const WATCH_MS = 1_000;
/** How often the micro-benchmark is run: 30 values show the spread, in some 0.6 s. */
const BENCHMARKS = 30;
const KIB = 1024;

/** Options of {@link readHostFacts}. */
export interface FactsOptions {
  readonly signal?: AbortSignal;
  /** The root of the kernel's files; '/' when absent. Tests have their own. */
  readonly root?: string;
}

/** Examines the measuring machine, in about two seconds. Rejects with the signal's reason when that aborts. */
export async function readHostFacts({ signal, root = '/' }: FactsOptions = {}): Promise<HostFacts> {
  const load = os.platform() === 'win32' ? undefined : os.loadavg();
  const power = powerOf(root);
  const container = containerOf(root);
  const virtualMachine = virtualMachineOf(root);
  // Before the benchmark, which would make the machine busy.
  const idle = await watchIdle(root, signal);
  const microBenchmarkTimes: Ms[] = [];
  for (let i = 0; i < BENCHMARKS; i += 1) {
    microBenchmarkTimes.push(microBenchmark());
    // For Ctrl-C.
    await wait(0, undefined, { signal });
  }
  return {
    system: { name: systemName(root), kernel: `${os.type()} ${os.release()}`, architecture: os.arch() },
    processors: processorsOf(root),
    ...(load && { load: [load[0] ?? 0, load[1] ?? 0, load[2] ?? 0] as const }),
    memory: { total: os.totalmem(), available: memoryAvailable(root) },
    idle,
    microBenchmark: microBenchmarkTimes,
    power,
    container,
    virtualMachine,
  };
}

function systemName(root: string): string {
  const pretty = /^PRETTY_NAME="?([^"\n]+)"?$/m.exec(readKernelFile(path.join(root, 'etc/os-release')) ?? '')?.[1];
  return pretty ?? os.version();
}

function processorsOf(root: string): HostFacts['processors'] {
  const cpus = os.cpus();
  const model = cpus[0]?.model.trim();
  const limit = processorLimit(root);
  const governors = governorsOf(root);
  const turbo = turboOf(root);
  return {
    count: cpus.length,
    available: os.availableParallelism(),
    // Some ARM kernels have no name.
    ...(model !== undefined && model !== '' && model !== 'unknown' && { model }),
    limit,
    ...(governors.length > 0 && { governors }),
    turbo,
  };
}

/** Source: Documentation/admin-guide/pm/cpufreq.rst. Virtual machines mostly have none: the host decides. */
function governorsOf(root: string): readonly string[] {
  const folder = path.join(root, 'sys/devices/system/cpu/cpufreq');
  const policies = namesIn(folder).filter((name) => name.startsWith('policy'));
  const found = policies.map((name) => readKernelFile(path.join(folder, name, 'scaling_governor')));
  return [...new Set(found.filter((name) => name !== undefined))];
}

/** Source: Documentation/admin-guide/pm/intel_pstate.rst and cpufreq.rst. */
function turboOf(root: string): boolean | undefined {
  const cpu = path.join(root, 'sys/devices/system/cpu');
  const off = readKernelFile(path.join(cpu, 'intel_pstate/no_turbo'));
  if (off !== undefined) return off === '0';
  const boost = readKernelFile(path.join(cpu, 'cpufreq/boost'));
  return boost === undefined ? undefined : boost === '1';
}

/** Memory that programs can have. `os.freemem()` does not count the kernel's caches. */
function memoryAvailable(root: string): number {
  const line = /^MemAvailable:\s+(\d+) kB$/m.exec(readKernelFile(path.join(root, 'proc/meminfo')) ?? '')?.[1];
  return line === undefined ? os.freemem() : Number(line) * KIB;
}

/** Source: Documentation/ABI/testing/sysfs-class-power. Batteries with the scope "Device" are those of mice. */
function powerOf(root: string): HostFacts['power'] {
  const folder = path.join(root, 'sys/class/power_supply');
  const supplies = namesIn(folder).map((name) => (file: string) => readKernelFile(path.join(folder, name, file)));
  if (supplies.some((read) => read('type') === 'Mains' && read('online') === '1')) return 'mains';
  const batteries = supplies.filter((read) => read('type') === 'Battery' && read('scope') !== 'Device');
  if (batteries.length === 0) return undefined;
  return batteries.some((read) => read('status') === 'Discharging') ? 'battery' : 'mains';
}

/** Source: the bit that hypervisors set (CPUID leaf 1, ECX bit 31), and the system's vendor in DMI. */
function virtualMachineOf(root: string): string | undefined {
  const flags = /^flags\s*:(.*)$/m.exec(readKernelFile(path.join(root, 'proc/cpuinfo')) ?? '')?.[1];
  if (flags?.split(' ').includes('hypervisor') !== true) return undefined;
  return readKernelFile(path.join(root, 'sys/class/dmi/id/sys_vendor')) || 'unknown maker';
}

async function watchIdle(root: string, signal: AbortSignal | undefined): Promise<IdleFacts> {
  const proc = path.join(root, 'proc');
  const processesBefore = readProcessTimes(proc);
  const before = readHost(0, undefined, proc);
  await wait(WATCH_MS, undefined, { signal });
  const after = readHost(WATCH_MS, undefined, proc);
  const users = topProcessorUsers(
    processesBefore,
    readProcessTimes(proc),
    elapsed(before, after) ?? WATCH_MS,
    process.pid,
  );
  return { watchedFor: WATCH_MS, ...sharesBetween(before, after), greediest: users };
}

/** Wall time between two readings, by the CPU counters; undefined when they do not move. */
function elapsed(before: HostSample, after: HostSample): Ms | undefined {
  const total = after.total - before.total;
  return total > 0 ? total / after.cores : undefined;
}

function sharesBetween(before: HostSample, after: HostSample): Partial<IdleFacts> {
  const wall = elapsed(before, after);
  if (wall === undefined) return {};
  const total = after.total - before.total;
  const share = (ms: number, of: number): number => Math.min(1, Math.max(0, ms / of));
  const own = (after.own ?? 0) - (before.own ?? 0);
  const pressure = Object.fromEntries(
    (['cpu', 'memory', 'io'] as const).flatMap((resource) => {
      const [from, to] = [before.stalled?.[resource], after.stalled?.[resource]];
      return from === undefined || to === undefined ? [] : [[resource, share(to - from, wall)] as const];
    }),
  );
  return {
    busy: share(after.busy - before.busy - own, total),
    ...(before.steal !== undefined && after.steal !== undefined && { steal: share(after.steal - before.steal, total) }),
    ...(Object.keys(pressure).length > 0 && { pressure }),
  };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
