import { mainThreadTimesAt, stolenOnPath } from '../../src/core/path/stolen-time.ts';
import type { MainThreadSample } from '../../src/model/recording/recording.ts';
import type { DisturbedLoad, Noise, Session } from './noise.ts';
import type { Random } from './random.ts';

/** A part of a load. A request and a script that do not depend on each other run side by side; a worker is waited for. */
interface Phase {
  /** ms on the network. */
  readonly network?: number;
  /** ms of the main thread on the processor. */
  readonly script?: number;
  /** ms of a worker on the processor. */
  readonly worker?: number;
}

/** Other work on the machine, in bursts. */
interface Contention {
  /** Mean length of a burst, and of the time between two, ms. */
  readonly burst: number;
  readonly pause: number;
  /** Of the time that the main thread wants it has a share between these while a burst lasts. */
  readonly share: readonly [number, number];
  /** What a script takes longer on a processor of which others use the caches, as a share. */
  readonly inflation: number;
}

/** Between the end of a load and the beginning of the next, ms. */
const BETWEEN_LOADS = 1500;
/** What a script of its own varies by, as a share, and a request. */
const SCRIPT_SPREAD = 0.05;
const NETWORK_SPREAD = 0.03;
/** What the micro-benchmark takes, ms, and varies by. */
const BENCHMARK_MS = 10;
const BENCHMARK_SPREAD = 0.02;

const BURSTS: Contention = { burst: 2500, pause: 4000, share: [0.3, 0.7], inflation: 0 };

/** The machine's time, as far as the main thread gets it. */
class Machine {
  now = 0;
  readonly #random: Random;
  readonly #contention: Contention;
  #until = 0;
  #share = 1;
  #burst = false;

  constructor(random: Random, contention: Contention) {
    this.#random = random;
    this.#contention = contention;
    this.#burst = random.uniform() < contention.burst / (contention.burst + contention.pause);
    this.#next();
  }

  get busy(): boolean {
    return this.#burst;
  }

  wait(ms: number): void {
    this.now += ms;
    while (this.#until < this.now) {
      this.#burst = !this.#burst;
      this.#next();
    }
  }

  /** Runs a script; returns the time on the processor and that in a burst. */
  run(needed: number): { readonly cpu: number; readonly burst: number } {
    let [left, cpu, burst] = [needed, 0, 0];
    while (left > 0) {
      const slower = this.#burst ? 1 + this.#contention.inflation : 1;
      const wall = Math.min((left * slower) / this.#share, this.#until - this.now);
      left -= (wall * this.#share) / slower;
      cpu += wall * this.#share;
      if (this.#burst) burst += wall;
      this.wait(wall);
      if (left > 1e-9 && this.now >= this.#until) {
        this.#burst = !this.#burst;
        this.#next();
      } else if (left <= 1e-9) break;
    }
    return { cpu, burst };
  }

  #next(): void {
    const { burst, pause, share } = this.#contention;
    this.#until =
      Math.max(this.#until, this.now) - (this.#burst ? burst : pause) * Math.log(1 - this.#random.uniform());
    this.#share = this.#burst ? share[0] + (share[1] - share[0]) * this.#random.uniform() : 1;
  }
}

/** Loads a page on a machine, and measures it with the functions that measure a real load. */
function loadOn(machine: Machine, page: readonly Phase[], factor: number, random: Random): DisturbedLoad {
  machine.wait(BETWEEN_LOADS);
  const benchmark = BENCHMARK_MS * Math.exp(BENCHMARK_SPREAD * random.normal()) * (machine.busy ? 1.05 : 1);
  const began = machine.now;
  const path: { from: number; to: number }[] = [];
  const samples: MainThreadSample[] = [];
  const workerSamples: MainThreadSample[] = [];
  const workerTime = { wall: 0, cpu: 0 };
  let [taskTime, cpuTime, burst] = [0, 0, 0];
  const usual = Math.exp(SCRIPT_SPREAD * random.normal());
  for (const { network = 0, script = 0, worker = 0 } of page) {
    if (worker > 0) {
      const sent = machine.now;
      workerSamples.push({ at: sent - began, taskTime: workerTime.wall, cpuTime: workerTime.cpu });
      const ran = machine.run(worker * factor * usual);
      workerTime.wall += machine.now - sent;
      workerTime.cpu += ran.cpu;
      burst += ran.burst;
      workerSamples.push({ at: machine.now - began, taskTime: workerTime.wall, cpuTime: workerTime.cpu });
      path.push({ from: sent - began, to: machine.now - began });
    }
    const from = machine.now;
    const answered = from + network * factor * Math.exp(NETWORK_SPREAD * random.normal());
    const ran = machine.run(script * factor * usual);
    taskTime += machine.now - from;
    cpuTime += ran.cpu;
    burst += ran.burst;
    // The clocks are read when a task has ended.
    samples.push({ at: machine.now - began, taskTime, cpuTime });
    const mainThreadFrom = network > 0 ? answered : from;
    if (machine.now > mainThreadFrom) path.push({ from: mainThreadFrom - began, to: machine.now - began });
    else machine.wait(answered - machine.now);
  }
  const wall = machine.now - began;
  samples.push({ at: wall, taskTime, cpuTime });
  const threads = { mainThread: samples, workerThreads: [{ samples: workerSamples }] };
  const times = mainThreadTimesAt(samples, wall) ?? { wall: 0, cpu: 0 };
  return {
    wall,
    undisturbed: wall - (stolenOnPath(path, threads, wall) ?? 0),
    mainThreadTime: times.wall,
    stolenTime: times.wall - times.cpu,
    microBenchmark: benchmark,
    busyByOthers: (0.5 * burst) / wall,
  };
}

function robbed(
  name: string,
  describe: string,
  page: readonly Phase[],
  contention: Contention,
  forCandidate: Contention = contention,
): Noise {
  return {
    name,
    describe,
    gates: 1,
    begin(random) {
      const machine = new Machine(random, contention);
      const other = forCandidate === contention ? machine : new Machine(random, forCandidate);
      const load: Required<Session>['robbed'] = ({ candidate = false }, factor) =>
        loadOn(candidate ? other : machine, page, factor, random);
      return Object.assign((...given: Parameters<Session>) => [load(...given).wall], { robbed: load });
    },
  };
}

const SCRIPT: readonly Phase[] = [{ script: 350 }];

/** Pages of which the machine takes time. */
export const robbedNoises: readonly Noise[] = [
  robbed('bursts of contention', 'a page of script; others want a processor in bursts of 2.5 s', SCRIPT, BURSTS),
  robbed(
    'contention that differs',
    'the same, and the bursts are twice as frequent while the candidate loads',
    SCRIPT,
    BURSTS,
    { ...BURSTS, pause: 1500 },
  ),
  robbed(
    'computes more, is robbed more',
    'a page of script; the machine takes 40 to 60 % of its time all the time, so that a candidate that computes more is robbed of more',
    SCRIPT,
    { burst: 800, pause: 40, share: [0.4, 0.6], inflation: 0 },
  ),
  robbed(
    'robbed beside the network',
    'requests of 500 ms with 300 ms of script beside them, then 150 ms of script: the machine takes from both',
    [{ network: 500, script: 300 }, { script: 150 }],
    BURSTS,
  ),
  robbed(
    'slope 0',
    'requests of 900 ms with 250 ms of script beside them: what is stolen makes nothing later',
    [{ network: 900, script: 250 }],
    BURSTS,
  ),
  robbed(
    'slope 1',
    'script, a request, script: what is stolen makes it later by as much',
    [{ script: 150 }, { network: 200 }, { script: 250 }],
    BURSTS,
  ),
  robbed(
    'slower while contended',
    'the same as bursts of contention, and in a burst a script needs 8 % more of the processor',
    SCRIPT,
    { ...BURSTS, inflation: 0.08 },
  ),
  robbed(
    'slower while contended, differs',
    'contention that differs, and in a burst a script needs 8 % more of the processor',
    SCRIPT,
    { ...BURSTS, inflation: 0.08 },
    { ...BURSTS, pause: 1500, inflation: 0.08 },
  ),
  robbed(
    'robbed worker',
    'script, a worker that computes for three times as long, script: what is stolen from the worker makes it later',
    [{ script: 80 }, { worker: 240, script: 40 }],
    BURSTS,
  ),
  robbed(
    'robbed worker, differs',
    'the same, and the bursts are twice as frequent while the candidate loads',
    [{ script: 80 }, { worker: 240, script: 40 }],
    BURSTS,
    { ...BURSTS, pause: 1500 },
  ),
];
