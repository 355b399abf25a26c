import type { DoctorFinding, DoctorLevel, HostFacts } from '../../model/host/doctor.ts';
import type { Ms } from '../../model/units.ts';
import { MAX_BUSY_BY_OTHERS, MAX_STALLED, MAX_STEAL } from './health.ts';

/** A machine that is left to itself is hardly busy; a tenth says that something else is at work. */
const BUSY_WHEN_IDLE = 0.1;
/** More than the odd tick. */
const STEAL_WHEN_IDLE = 0.01;
const STALLED_WHEN_IDLE = 0.02;
/** A browser, the page's renderer and this program want to run at the same time. */
export const PROCESSORS_WANTED = 2;
/** Chrome with a page of usual size takes about half of it. */
const MEMORY_WANTED = 1e9;
/** Below this the kernel begins to throw out what the browser will need again. */
const MEMORY_NEEDED = 300e6;
/** Tasks a processor, on average over a minute: above this, some had to wait. */
const LOAD_A_PROCESSOR = 1;
/**
 * Distance of the quartiles of the micro-benchmark against its median. On two processors it was 50 and 85% in 100 runs
 * beside two endless loops and one, and 14 to 36% in runs on the same machine while other programs came and went. The lower limit
 * is a guess: no stretch in which nothing else ran was long enough to measure one.
 */
const NOISE_WORTH_MENDING = 0.1;
const NOISE_TOO_HIGH = 0.5;

/** What of a machine has a level of its own. */
type Examined = Exclude<
  DoctorFinding['code'],
  'browser' | 'browser-machine' | 'system' | 'self-comparison' | 'resolution'
>;

/**
 * Whether the machine is fit to measure, thing by thing. Of a machine that only drives a browser `elsewhere` nothing makes
 * measuring impossible.
 */
export function hostLevels(facts: HostFacts, elsewhere: boolean): Readonly<Record<Examined, DoctorLevel>> {
  const { processors, memory, load, idle, power, microBenchmark } = facts;
  const { count, available, limit = count, governors, turbo } = processors;
  const stalled = [idle.pressure?.memory, idle.pressure?.io].filter((share) => share !== undefined);
  const worst = elsewhere ? 'warning' : 'problem';
  const above = (value: number | undefined, fine: number, most: number): DoctorLevel => {
    if (value === undefined) return 'unknown';
    if (value <= fine) return 'ok';
    return value > most ? worst : 'warning';
  };
  const below = (value: number, wanted: number, needed: number): DoctorLevel => {
    if (value >= wanted) return 'ok';
    return value < needed ? worst : 'warning';
  };
  return {
    processors: below(Math.min(count, available), PROCESSORS_WANTED, 0),
    'processor-limit': below(limit, PROCESSORS_WANTED, 1),
    governor: governorLevel(governors),
    turbo: turbo === undefined ? 'unknown' : 'ok',
    power: power === 'battery' ? 'warning' : 'ok',
    memory: below(memory.available, MEMORY_WANTED, MEMORY_NEEDED),
    load: above(load?.[0], LOAD_A_PROCESSOR * count, Number.POSITIVE_INFINITY),
    busy: above(idle.busy, BUSY_WHEN_IDLE, MAX_BUSY_BY_OTHERS),
    steal: above(idle.steal, STEAL_WHEN_IDLE, MAX_STEAL),
    pressure: above(stalled.length === 0 ? undefined : Math.max(...stalled), STALLED_WHEN_IDLE, MAX_STALLED),
    noise: above(noiseOf(microBenchmark)?.spread, NOISE_WORTH_MENDING, NOISE_TOO_HIGH),
  };
}

function governorLevel(governors: readonly string[] = []): DoctorLevel {
  if (governors.length === 0) return 'unknown';
  return governors.every((name) => name === 'performance') ? 'ok' : 'warning';
}

/** How steady the CPU is: the distance of the quartiles against the median is the spread. */
export interface Noise {
  readonly median: Ms;
  readonly spread: number;
  readonly slowest: Ms;
}

/** Undefined where the times say nothing. */
export function noiseOf(times: readonly Ms[]): Noise | undefined {
  const sorted = [...times].sort((a, b) => a - b);
  const [low, median, high, slowest] = [0.25, 0.5, 0.75, 1].map((share) => quantile(sorted, share));
  if (median === undefined || low === undefined || high === undefined || slowest === undefined || median <= 0) {
    return undefined;
  }
  return { median, spread: (high - low) / median, slowest };
}

/** Of sorted values, between the two nearest. */
function quantile(sorted: readonly number[], share: number): number | undefined {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  return below === undefined || above === undefined ? undefined : below + (above - below) * (position % 1);
}
