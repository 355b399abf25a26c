import { availableParallelism } from 'node:os';
import type { MeasuredPass } from '../../core/capacity/level.ts';
import type { ServerUse } from '../../model/capacity.ts';
import type { HostSample } from '../../model/recording/recording.ts';
import type { Ms } from '../../model/units.ts';
import { readHost } from '../../shell/host/probe.ts';
import { acceptQueueOf, readServer, type ServerReading } from '../../shell/host/server-processes.ts';

/** A thread that uses so much of a processor is full: the rest goes to the kernel and to others. */
const FULL = 0.85;
/** A process that uses less of a processor does not do the work. */
const WORKING = 0.1;

/** What is watched of a server on this machine. */
export interface WatchedServer {
  readonly pids: readonly number[];
  readonly port: number;
}

/** A reading of both machines. */
interface Reading {
  readonly host: HostSample;
  readonly server?: ServerReading;
  /** CPU time of the driver's processes so far. */
  readonly driver: Ms;
  /** All answers so far. */
  readonly answered: number;
}

/** Watches the machine, and the server where it is on this machine, while a pass is measured. */
export class Watch {
  readonly #server: WatchedServer | undefined;
  #from: Reading | undefined;
  #to: Reading | undefined;
  #queue = 0;

  constructor(server: WatchedServer | undefined) {
    this.#server = server;
  }

  get hasBegun(): boolean {
    return this.#from !== undefined;
  }

  /** The warm-up is over. */
  begin(driver: Ms, answered: number): void {
    this.#from = this.#read(driver, answered);
  }

  /** Looks at what is over in a moment. */
  look(): void {
    if (this.#server) this.#queue = Math.max(this.#queue, acceptQueueOf(this.#server.port) ?? 0);
  }

  /** The measured time is over. */
  stop(driver: Ms, answered: number): void {
    this.#to = this.#read(driver, answered);
  }

  /**
   * What was used between `begin` and `stop`.
   *
   * @param answered answers in that time, where they are known only now
   */
  used(answered?: number): Omit<MeasuredPass, 'figures'> {
    const [from, to] = [this.#from, this.#to];
    if (from === undefined || to === undefined) return {};
    const total = to.host.total - from.host.total;
    if (total <= 0) return {};
    const elapsed = total / to.host.cores;
    const server =
      from.server && to.server && this.#use(from.server, to.server, elapsed, answered ?? to.answered - from.answered);
    const own = (to.host.own ?? 0) - (from.host.own ?? 0) + to.driver - from.driver;
    const busy = to.host.busy - from.host.busy;
    const others = Math.max(0, busy - own - (server?.processors ?? 0) * elapsed) / total;
    const stolen = to.host.steal === undefined ? undefined : to.host.steal - (from.host.steal ?? 0);
    return {
      others: Math.min(1, others),
      processors: (to.driver - from.driver) / elapsed,
      ...(stolen !== undefined && { steal: Math.max(0, stolen / total) }),
      ...(server && { server, serverCores: Math.min(to.server?.cores ?? availableParallelism(), to.host.cores) }),
    };
  }

  #read(driver: Ms, answered: number): Reading {
    const host = readHost(performance.now());
    if (!this.#server) return { host, driver, answered };
    return { host, driver, answered, server: readServer(this.#server.pids) };
  }

  #use(from: ServerReading, to: ServerReading, elapsed: Ms, answered: number): ServerUse | undefined {
    // All its processes are gone, or their ids belong to others by now.
    if (to.processes.size === 0) return undefined;
    const used = <Key>(now: ReadonlyMap<Key, Ms>, then: ReadonlyMap<Key, Ms>) =>
      [...now].map(([key, time]) => Math.max(0, time - (then.get(key) ?? 0)) / elapsed);
    const byProcess = used(to.processes, from.processes);
    const processors = byProcess.reduce((sum, each) => sum + each, 0);
    return {
      processors,
      processes: to.processes.size,
      workers: byProcess.filter((each) => each >= WORKING).length,
      fullThreads: used(to.threads, from.threads).filter((each) => each >= FULL).length,
      memoryBefore: from.memory,
      memory: to.memory,
      acceptQueue: this.#queue,
      ...(answered > 0 && { cpuPerRequest: (processors * elapsed) / answered }),
    };
  }
}
