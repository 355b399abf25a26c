import { type Random, randomFor } from './random.ts';

/** Where in a session a load stands. */
export interface Place {
  /** From 0; absent where there is but one. */
  readonly machine?: number;
  /** Loads before it on its machine, of either build. */
  readonly load: number;
  /** The second of the two loads of a pair. */
  readonly second: boolean;
  /** A load of the candidate; of the base when absent. */
  readonly candidate?: boolean;
}

/** A page in a session. */
export interface Session {
  /** What a load takes, ms, for each gate metric; `factor` is what the build makes of it, 1.05 for 5 % slower. */
  (place: Place, factor: number): readonly number[];
  /** The same with what the machine took of it; only where that is simulated. */
  readonly robbed?: (place: Place, factor: number) => DisturbedLoad;
}

/** One load of a page from whose main thread the machine takes time. */
export interface DisturbedLoad {
  /** Page complete as it was, ms. */
  readonly wall: number;
  /** The same as its timeline tells it without what was stolen. */
  readonly undisturbed: number;
  /** Time in tasks until then, and how much of it was stolen. */
  readonly mainThreadTime: number;
  readonly stolenTime: number;
  /** What the micro-benchmark before it took, ms, and the share of the machine that others used meanwhile. */
  readonly microBenchmark: number;
  readonly busyByOthers: number;
}

/** A way in which loads vary. */
export interface Noise {
  readonly name: string;
  readonly describe: string;
  /** Metrics that decide. */
  readonly gates: number;
  begin(random: Random): Session;
}

/** What the page takes without noise. */
const TYPICAL_MS = 1500;
/** Spread of one load, as a share; what Chrome on a quiet machine has. */
const SPREAD = 0.05;
const OUTLIERS = 0.04;
/** Loads over which a drift reaches its full size: forty pairs. */
const SESSION_LOADS = 80;
/** The time that a frame takes at 60 Hz: what is painted can only be seen at its multiples. */
const FRAME_MS = 1000 / 60;

/** Log-normal, 4 % of the loads 20 to 100 % slower. */
function withOutliers(random: Random, normal = random.normal()): number {
  const usual = Math.exp(SPREAD * normal);
  return random.uniform() < OUTLIERS ? usual * (1.2 + 0.8 * random.uniform()) : usual;
}

function drifting(name: string, size: number): Noise {
  return {
    name,
    describe: `outliers, and the machine ${size * 100} % slower at the end of forty pairs`,
    gates: 1,
    begin:
      (random) =>
      ({ load }, factor) => [TYPICAL_MS * factor * withOutliers(random) * (1 + (size * load) / SESSION_LOADS)],
  };
}

/** Machines that share a comparison. */
export const MACHINES = 4;
/** How much slower than the fastest machine the slowest is, as a share. */
const APART = 0.3;
/** What a machine becomes slower by while it warms up, as a share, at most, and over how many loads: a shard's. */
const WARMING = 0.05;
const WARMING_LOADS = 20;

/** One of several machines: what its loads take, ms. How much they vary (3 to 7 %) and how it warms up are its own. */
function machineOf(speed: number, random: Random): (load: number) => number {
  const spread = 0.03 + 0.04 * random.uniform();
  const warming = WARMING * random.uniform();
  return (load) => {
    const warmth = 1 + warming * Math.min(1, load / WARMING_LOADS);
    return TYPICAL_MS * speed * warmth * withOutliers(random, (spread / SPREAD) * random.normal());
  };
}

/** A comparison that several machines share. */
export const severalMachines: Noise = {
  name: 'four machines',
  describe: `${MACHINES} machines, the slowest ${APART * 100} % slower than the fastest; each has its own spread (3 to 7 %) and outliers, and becomes up to ${WARMING * 100} % slower as it warms up`,
  gates: 1,
  begin: (random) => {
    const drawn = Array.from({ length: MACHINES }, () => random.uniform());
    const [least, most] = [Math.min(...drawn), Math.max(...drawn)];
    const machines = drawn.map((place) =>
      // A stream each: what one does depends on none of the others.
      machineOf(1 + (APART * (place - least)) / (most - least), randomFor(Math.floor(random.uniform() * 2 ** 32))),
    );
    return ({ machine = 0, load }, factor) => {
      const next = machines[machine];
      if (!next) throw new Error(`there is no machine ${machine}`);
      return [factor * next(load)];
    };
  },
};

/** The scenarios, each a page that varies in another way. */
export const noises: readonly Noise[] = [
  {
    name: 'outliers',
    describe: 'log-normal, 5 %, with 4 % of the loads 20 to 100 % slower',
    gates: 1,
    begin: (random) => (_, factor) => [TYPICAL_MS * factor * withOutliers(random)],
  },
  {
    name: 'bimodal',
    describe: '30 % of the loads 15 % slower: a race inside the page',
    gates: 1,
    begin: (random) => (_, factor) => [
      TYPICAL_MS * factor * Math.exp(0.03 * random.normal()) * (random.uniform() < 0.3 ? 1.15 : 1),
    ],
  },
  drifting('drift', 0.05),
  drifting('strong drift', 0.1),
  {
    name: 'autocorrelation',
    describe: 'each load is like the one before it (0.6), 5 %',
    gates: 1,
    begin: (random) => {
      let state = random.normal();
      return (_, factor) => {
        state = 0.6 * state + 0.8 * random.normal();
        return [TYPICAL_MS * factor * Math.exp(SPREAD * state)];
      };
    },
  },
  {
    name: 'position',
    describe: 'outliers, and the second load of a pair 3 % slower',
    gates: 1,
    begin:
      (random) =>
      ({ second }, factor) => [TYPICAL_MS * factor * withOutliers(random) * (second ? 1.03 : 1)],
  },
  {
    name: 'ties',
    describe: 'seen only at frames of 16.7 ms, 600 ms, 3 %',
    gates: 1,
    begin: (random) => (_, factor) => [
      Math.ceil((600 * factor * Math.exp(0.03 * random.normal())) / FRAME_MS) * FRAME_MS,
    ],
  },
  {
    name: 'busy spells',
    describe: 'spells of ten loads or so in which the machine is 15 % slower',
    gates: 1,
    begin: (random) => {
      let busy = false;
      return (_, factor) => {
        if (random.uniform() < (busy ? 0.1 : 0.03)) busy = !busy;
        return [TYPICAL_MS * factor * Math.exp(SPREAD * random.normal()) * (busy ? 1.15 : 1)];
      };
    },
  },
  {
    name: 'two gates',
    describe: 'two metrics that go together (0.8), with outliers of both',
    gates: 2,
    begin: (random) => (_, factor) => {
      const shared = random.normal();
      const own = 0.8 * shared + 0.6 * random.normal();
      const outlier = withOutliers(random, 0);
      return [
        TYPICAL_MS * factor * Math.exp(SPREAD * shared) * outlier,
        0.6 * TYPICAL_MS * factor * Math.exp(SPREAD * own) * outlier,
      ];
    },
  },
];
