import { MAX_BUSY_BY_OTHERS, MAX_STALLED, MAX_STEAL } from '../core/host/health.ts';
import type { DoctorFinding, DoctorLevel, HostFacts, ProcessorFacts, SelfComparison } from '../model/doctor.ts';
import type { Lab } from '../model/lab.ts';
import { formatCount, formatShare, formatValue } from './format.ts';
import { noteInWords } from './notes.ts';

/** A machine that is left to itself is hardly busy; a tenth says that something else is at work. */
const BUSY_WHEN_IDLE = 0.1;
/** More than the odd tick. */
const STEAL_WHEN_IDLE = 0.01;
const STALLED_WHEN_IDLE = 0.02;
/** A browser, the page's renderer and this program want to run at the same time. */
const PROCESSORS_WANTED = 2;
/** Chrome with a page of usual size takes about half of it. */
const MEMORY_WANTED = 1e9;
/** Below this the kernel begins to throw out what the browser will need again. */
const MEMORY_NEEDED = 300e6;
/** Tasks a processor, on average over a minute: above this, some had to wait. */
const LOAD_A_PROCESSOR = 1;
/** A busy neighbour is worth naming from here, in processors. */
const GREEDY = 0.1;
/**
 * Distance of the quartiles of the micro-benchmark against its median. On two processors it was 50 and 85% in 100 runs
 * beside two endless loops and one, and 14 to 36% in runs on the same machine while other programs came and went. The lower limit
 * is a guess: no stretch in which nothing else ran was long enough to measure one.
 */
const NOISE_WORTH_MENDING = 0.1;
const NOISE_TOO_HIGH = 0.5;

/**
 * Whether the machine is fit to measure, thing by thing, and what to do where it is not. Of a machine that only drives a
 * browser `elsewhere` nothing makes measuring impossible.
 */
export function adviseOn(facts: HostFacts, elsewhere = false): readonly DoctorFinding[] {
  const findings = adviseOnMachine(facts);
  if (!elsewhere) return findings;
  const mild = findings.map((each): DoctorFinding => (each.level === 'problem' ? { ...each, level: 'warning' } : each));
  return [
    finding(
      'browser-machine',
      'unknown',
      'The browser runs on another machine, whose load cannot be seen from here. The checks below are about this machine, which only controls it.',
      'Run quiesce doctor there as well; --aa <url> shows from here how steady it is.',
    ),
    ...mild,
  ];
}

/** The browser that was found, and what to know of it. `isConnected`: Quiesce has not started it. */
export function adviseOnBrowser(
  { product, sandbox, path, notes = [] }: Pick<Lab, 'product' | 'sandbox' | 'path' | 'notes'>,
  isConnected: boolean,
): readonly DoctorFinding[] {
  const where = path === undefined ? '' : ` (${path})`;
  const inside = sandbox === undefined ? '' : `, with its sandbox ${sandbox ? 'on' : 'off'}`;
  return [
    finding('browser', 'ok', `${product}${where} ${isConnected ? 'answers' : 'starts'}${inside}.`),
    ...notes.map((note) => finding('browser', 'warning', noteInWords(note))),
  ];
}

function adviseOnMachine(facts: HostFacts): readonly DoctorFinding[] {
  return [
    systemFinding(facts),
    processorsFinding(facts.processors),
    ...limitFinding(facts.processors),
    governorFinding(facts),
    turboFinding(facts.processors),
    ...powerFinding(facts),
    memoryFinding(facts),
    loadFinding(facts),
    busyFinding(facts),
    stealFinding(facts),
    pressureFinding(facts),
    noiseFinding(facts),
  ];
}

/** What the comparison of a page with itself says of the machine. */
export function adviseOnSelfComparison(comparison: SelfComparison): readonly DoctorFinding[] {
  return [decisionFinding(comparison), resolutionFinding(comparison)];
}

const finding = (code: DoctorFinding['code'], level: DoctorLevel, what: string, advice?: string): DoctorFinding => ({
  code,
  level,
  what,
  advice,
});

function systemFinding({ system, container, virtualMachine }: HostFacts): DoctorFinding {
  const where = [
    ...(container === undefined ? [] : [`in a container (${container})`]),
    ...(virtualMachine === undefined ? [] : [`on a virtual machine (${virtualMachine})`]),
  ].join(' ');
  return finding('system', 'ok', `${system.name}, ${system.kernel}, ${system.architecture}${where && `, ${where}`}.`);
}

function processorsFinding({ count, available, model }: ProcessorFacts): DoctorFinding {
  const many = `${formatCount(count, 'CPU')}${model === undefined ? '' : ` (${model})`}`;
  const what = available < count ? `${many}; Quiesce may use ${available}.` : `${many}.`;
  if (Math.min(count, available) >= PROCESSORS_WANTED) return finding('processors', 'ok', what);
  return finding(
    'processors',
    'warning',
    `${what} The browser and Quiesce must share it.`,
    `Measure on a machine with at least ${PROCESSORS_WANTED} CPUs.`,
  );
}

function limitFinding({ count, limit }: ProcessorFacts): readonly DoctorFinding[] {
  if (limit === undefined || limit >= count) return [];
  const what = `This container may use the time of ${decimal(limit)} of ${count} CPUs.`;
  if (limit >= PROCESSORS_WANTED) return [finding('processor-limit', 'ok', what)];
  return [
    finding(
      'processor-limit',
      limit < 1 ? 'problem' : 'warning',
      `${what} When they are used up, the browser is paused for the rest of each 100 ms period.`,
      'Remove the limit (docker run without --cpus, Kubernetes without limits.cpu), or raise it to 2 or more.',
    ),
  ];
}

function governorFinding({ processors: { governors }, virtualMachine }: HostFacts): DoctorFinding {
  if (governors === undefined || governors.length === 0) {
    const where =
      virtualMachine === undefined ? 'this system does not report it' : 'the machine below this one decides';
    return finding('governor', 'unknown', `The clock of the CPU is not known: ${where}.`);
  }
  const names = governors.join(', ');
  if (governors.every((name) => name === 'performance')) {
    return finding('governor', 'ok', `The CPU keeps its highest clock (governor ${names}).`);
  }
  return finding(
    'governor',
    'warning',
    `The CPU saves power between loads and needs time to speed up again (governor ${names}).`,
    'Change it while you measure: sudo cpupower frequency-set --governor performance',
  );
}

function turboFinding({ turbo }: ProcessorFacts): DoctorFinding {
  if (turbo === undefined) {
    return finding('turbo', 'unknown', 'Whether the clock rises above its nominal rate (turbo) is not known.');
  }
  if (!turbo) return finding('turbo', 'ok', 'The clock does not rise above its nominal rate (turbo is off).');
  return finding(
    'turbo',
    'ok',
    'The clock rises above its nominal rate (turbo) until the machine gets warm. Comparisons alternate the builds, so this affects both equally.',
  );
}

function powerFinding({ power }: HostFacts): readonly DoctorFinding[] {
  if (power === undefined) return [];
  if (power === 'mains') return [finding('power', 'ok', 'The machine is plugged in.')];
  return [finding('power', 'warning', 'The machine runs on its battery and saves power.', 'Plug it in.')];
}

function memoryFinding({ memory: { available, total } }: HostFacts): DoctorFinding {
  const what = `${formatValue(available, 'bytes')} of ${formatValue(total, 'bytes')} memory are free.`;
  if (available >= MEMORY_WANTED) return finding('memory', 'ok', what);
  return finding(
    'memory',
    available < MEMORY_NEEDED ? 'problem' : 'warning',
    what,
    'Close programs that use much memory, or measure on a machine with more memory.',
  );
}

function loadFinding({ load, processors: { count } }: HostFacts): DoctorFinding {
  if (load === undefined) return finding('load', 'unknown', 'This system does not report its load.');
  const what = `The load was ${load.map((each) => each.toFixed(2)).join(', ')} over the last 1, 5 and 15 minutes.`;
  if (load[0] <= LOAD_A_PROCESSOR * count) return finding('load', 'ok', what);
  return finding('load', 'warning', what, 'Wait until what was running has ended, then look again.');
}

function busyFinding({ idle, processors: { count } }: HostFacts): DoctorFinding {
  const { busy, greediest } = idle;
  if (busy === undefined) {
    return finding('busy', 'unknown', 'The load of the CPU is not known: this system does not report it.');
  }
  const who = (greediest ?? [])
    .filter(({ processors }) => processors >= GREEDY)
    .map(({ name, processors }) => `${name} (${decimal(processors)} of ${count})`);
  const named = who.length === 0 ? '' : `, mostly by ${who.join(', ')}`;
  const what = `${formatShare(busy)} of the CPU was busy with other programs${busy > BUSY_WHEN_IDLE ? named : ''}.`;
  if (busy <= BUSY_WHEN_IDLE) return finding('busy', 'ok', what);
  return finding(
    'busy',
    busy > MAX_BUSY_BY_OTHERS ? 'problem' : 'warning',
    what,
    who.length === 0
      ? 'Find out what is running (top), and end it while you measure.'
      : `End ${who.length === 1 ? 'it' : 'them'} while you measure, or measure on a machine of its own.`,
  );
}

function stealFinding({ idle: { steal } }: HostFacts): DoctorFinding {
  if (steal === undefined) {
    return finding('steal', 'unknown', 'Whether a hypervisor takes CPU time away is not known.');
  }
  const what = `The hypervisor took ${formatShare(steal)} of the CPU time.`;
  if (steal <= STEAL_WHEN_IDLE) return finding('steal', 'ok', what);
  return finding(
    'steal',
    steal > MAX_STEAL ? 'problem' : 'warning',
    what,
    'Other machines share this CPU: measure on a dedicated machine, or on an instance with dedicated CPUs.',
  );
}

function pressureFinding({ idle: { pressure } }: HostFacts): DoctorFinding {
  const { memory, io } = pressure ?? {};
  const known = [
    ...(memory === undefined ? [] : [{ of: 'memory', share: memory }]),
    ...(io === undefined ? [] : [{ of: 'a disk', share: io }]),
  ];
  if (known.length === 0) {
    return finding(
      'pressure',
      'unknown',
      'Whether programs have to wait for memory or a disk is not known: the kernel does not report it.',
    );
  }
  const what = `Programs had to wait for ${known.map(({ of, share }) => `${of} in ${formatShare(share)}`).join(' and for ')} of the time.`;
  const worst = Math.max(...known.map(({ share }) => share));
  if (worst <= STALLED_WHEN_IDLE) return finding('pressure', 'ok', what);
  return finding(
    'pressure',
    worst > MAX_STALLED ? 'problem' : 'warning',
    what,
    (memory ?? 0) >= (io ?? 0)
      ? 'Close programs that use much memory, or measure on a machine with more memory.'
      : 'End what is reading or writing (iotop shows it): a backup, an index, a build.',
  );
}

function noiseFinding({ microBenchmark: times }: HostFacts): DoctorFinding {
  const sorted = [...times].sort((a, b) => a - b);
  const middle = quantile(sorted, 0.5);
  const [low, high, slowest] = [quantile(sorted, 0.25), quantile(sorted, 0.75), sorted.at(-1)];
  if (middle === undefined || low === undefined || high === undefined || slowest === undefined || middle <= 0) {
    return finding('noise', 'unknown', 'How steady the CPU is could not be measured.');
  }
  const spread = (high - low) / middle;
  const what =
    `A fixed calculation, repeated ${times.length} times, took a median of ${decimal(middle)} ms. ` +
    `The middle half of the times spans ${formatShare(spread)} of that, the slowest took ${decimal(slowest)} ms.`;
  if (spread <= NOISE_WORTH_MENDING) return finding('noise', 'ok', what);
  return finding(
    'noise',
    spread > NOISE_TOO_HIGH ? 'problem' : 'warning',
    what,
    'The CPU is shared or changes its clock: end other programs, set the governor to performance, or take a dedicated machine.',
  );
}

function decisionFinding({ decision, sentence }: SelfComparison): DoctorFinding {
  switch (decision) {
    case 'same':
      return finding('self-comparison', 'ok', `The page compared with itself is the same. ${sentence}`);
    case 'unsure':
      return finding(
        'self-comparison',
        'warning',
        `The page compared with itself is not clearly the same. ${sentence}`,
        'Allow more pairs with --max-pairs, or make the machine quieter.',
      );
    case 'slower':
    case 'faster':
      return finding(
        'self-comparison',
        'problem',
        `The page compared with itself seems to be ${decision}, which cannot be true. ${sentence}`,
        'Run it once more: one in twenty such comparisons is wrong by chance. If it happens again, this machine or the page’s server is not fit to measure.',
      );
    case 'invalid':
      return finding(
        'self-comparison',
        'problem',
        `The page could not be compared with itself. ${sentence}`,
        'Fix the problem above first, then compare again.',
      );
  }
}

function resolutionFinding({ pairs, smallestChange, pairsForFivePercent }: SelfComparison): DoctorFinding {
  const parts = [
    ...(smallestChange === undefined
      ? []
      : [
          `With ${formatCount(pairs, 'pair')} this machine finds changes of ${formatShare(smallestChange)} and more in four of five comparisons.`,
        ]),
    ...(pairsForFivePercent === undefined ? [] : [`A change of 5% needs ${formatCount(pairsForFivePercent, 'pair')}.`]),
  ];
  return parts.length === 0
    ? finding(
        'resolution',
        'unknown',
        'The smallest change that this machine can detect is not known: there were too few pairs.',
      )
    : finding('resolution', 'ok', parts.join(' '));
}

/** Of sorted values, between the two nearest. */
function quantile(sorted: readonly number[], share: number): number | undefined {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  return below === undefined || above === undefined ? undefined : below + (above - below) * (position % 1);
}

const decimal = (value: number): string => (Number.isInteger(value) ? `${value}` : value.toFixed(1));
