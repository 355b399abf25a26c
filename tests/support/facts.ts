import type { HostFacts } from '../../src/model/host/doctor.ts';

/** A machine at which nothing is wrong, `over` changed. */
export function factsOf(over: Partial<HostFacts> = {}): HostFacts {
  return {
    system: { name: 'Debian GNU/Linux 13 (trixie)', kernel: 'Linux 6.12.0', architecture: 'x64' },
    processors: { count: 8, available: 8, model: 'Example CPU', governors: ['performance'], turbo: false },
    load: [0.1, 0.2, 0.3],
    memory: { total: 16e9, available: 8e9 },
    idle: {
      watchedFor: 1_000,
      busy: 0.02,
      steal: 0,
      pressure: { cpu: 0, memory: 0, io: 0 },
      greediest: [],
    },
    microBenchmark: [16, 16.1, 16.2, 16.1, 16, 16.3],
    ...over,
  };
}
