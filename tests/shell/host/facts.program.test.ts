import { describe, expect, it } from 'vitest';
import { readHostFacts } from '../../../src/shell/host/facts.ts';
import { treeOf } from './tree.ts';

describe('readHostFacts', () => {
  it('reads what a machine tells', async () => {
    const root = treeOf({
      'etc/os-release': 'NAME="Example"\nPRETTY_NAME="Example Linux 9"\n',
      'proc/meminfo': 'MemTotal: 2000 kB\nMemAvailable:    1000 kB\n',
      'proc/cpuinfo': 'processor : 0\nflags\t\t: fpu hypervisor sse\n',
      'proc/self/cgroup': '0::/\n',
      'sys/fs/cgroup/cpu.max': '100000 100000\n',
      'sys/class/dmi/id/sys_vendor': 'QEMU\n',
      'sys/devices/system/cpu/cpufreq/policy0/scaling_governor': 'powersave\n',
      'sys/devices/system/cpu/cpufreq/policy1/scaling_governor': 'powersave\n',
      'sys/devices/system/cpu/intel_pstate/no_turbo': '0\n',
      'sys/class/power_supply/AC/type': 'Mains\n',
      'sys/class/power_supply/AC/online': '0\n',
      'sys/class/power_supply/BAT0/type': 'Battery\n',
      'sys/class/power_supply/BAT0/status': 'Discharging\n',
      'sys/class/power_supply/mouse/type': 'Battery\n',
      'sys/class/power_supply/mouse/scope': 'Device\n',
      '.dockerenv': '',
    });
    const facts = await readHostFacts({ root });
    expect(facts).toMatchObject({
      system: { name: 'Example Linux 9' },
      processors: { limit: 1, governors: ['powersave'], turbo: true },
      memory: { available: 1_024_000 },
      power: 'battery',
      container: 'Docker',
      virtualMachine: 'QEMU',
    });
    expect(facts.microBenchmark).toHaveLength(30);
    expect(Math.min(...facts.microBenchmark)).toBeGreaterThan(0);
  });

  it('leaves out what a machine does not tell, and tells the rest', async () => {
    const facts = await readHostFacts({ root: treeOf({}) });
    expect(facts.processors.count).toBeGreaterThan(0);
    expect(facts.memory.available).toBeGreaterThan(0);
    for (const absent of ['power', 'container', 'virtualMachine'])
      expect(JSON.parse(JSON.stringify(facts))).not.toHaveProperty(absent);
    for (const absent of ['limit', 'governors', 'turbo'])
      expect(JSON.parse(JSON.stringify(facts.processors))).not.toHaveProperty(absent);
    for (const absent of ['steal', 'pressure', 'greediest'])
      expect(JSON.parse(JSON.stringify(facts.idle))).not.toHaveProperty(absent);
  });

  it('ends when it is told to', async () => {
    const reason = new Error('enough');
    await expect(readHostFacts({ signal: AbortSignal.abort(reason) })).rejects.toMatchObject({ cause: reason });
  });
});
