import { hostLevels, noiseOf, PROCESSORS_WANTED } from '../../core/host/levels.ts';
import type { DoctorFinding, DoctorLevel, HostFacts, ProcessorFacts, SelfComparison } from '../../model/host/doctor.ts';
import type { Lab } from '../../model/recording/lab.ts';
import { noteInWords } from '../result/notes.ts';
import { formatCount, formatShare, formatValue } from '../text/format.ts';

/** A busy neighbour is worth naming from here, in processors. */
const GREEDY = 0.1;

type Levels = ReturnType<typeof hostLevels>;

/** Whether the machine is fit to measure, thing by thing, and what to do where it is not; or one that only drives a browser `elsewhere`. */
export function adviseOn(facts: HostFacts, elsewhere = false): readonly DoctorFinding[] {
  const findings = adviseOnMachine(facts, hostLevels(facts, elsewhere));
  if (!elsewhere) return findings;
  return [
    finding(
      'browser-machine',
      'unknown',
      'The browser runs on another machine, whose load cannot be seen from here. The checks below are about this machine, which only controls it.',
      'Run quiesce doctor there as well; --aa <url> shows from here how steady it is.',
    ),
    ...findings,
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

function adviseOnMachine(facts: HostFacts, levels: Levels): readonly DoctorFinding[] {
  return [
    systemFinding(facts),
    processorsFinding(facts.processors, levels),
    ...limitFinding(facts.processors, levels),
    governorFinding(facts, levels),
    turboFinding(facts.processors, levels),
    ...powerFinding(facts, levels),
    memoryFinding(facts, levels),
    loadFinding(facts, levels),
    busyFinding(facts, levels),
    stealFinding(facts, levels),
    pressureFinding(facts, levels),
    noiseFinding(facts, levels),
  ];
}

/** What the comparison of a page with itself says of the machine. */
export function adviseOnSelfComparison(comparison: SelfComparison): readonly DoctorFinding[] {
  return [decisionFinding(comparison), resolutionFinding(comparison)];
}

/** `advice` is for what is not right. */
const finding = (code: DoctorFinding['code'], level: DoctorLevel, what: string, advice?: string): DoctorFinding => ({
  code,
  level,
  what,
  ...(level !== 'ok' && { advice }),
});

function systemFinding({ system, container, virtualMachine }: HostFacts): DoctorFinding {
  const where = [
    ...(container === undefined ? [] : [`in a container (${container})`]),
    ...(virtualMachine === undefined ? [] : [`on a virtual machine (${virtualMachine})`]),
  ].join(' ');
  return finding('system', 'ok', `${system.name}, ${system.kernel}, ${system.architecture}${where && `, ${where}`}.`);
}

function processorsFinding({ count, available, model }: ProcessorFacts, { processors }: Levels): DoctorFinding {
  const many = `${formatCount(count, 'CPU')}${model === undefined ? '' : ` (${model})`}`;
  const what = available < count ? `${many}; Quiesce may use ${available}.` : `${many}.`;
  return finding(
    'processors',
    processors,
    processors === 'ok' ? what : `${what} The browser and Quiesce must share it.`,
    `Measure on a machine with at least ${PROCESSORS_WANTED} CPUs.`,
  );
}

function limitFinding({ count, limit }: ProcessorFacts, levels: Levels): readonly DoctorFinding[] {
  if (limit === undefined || limit >= count) return [];
  const level = levels['processor-limit'];
  const what = `This container may use the time of ${decimal(limit)} of ${count} CPUs.`;
  return [
    finding(
      'processor-limit',
      level,
      level === 'ok'
        ? what
        : `${what} When they are used up, the browser is paused for the rest of each 100 ms period.`,
      'Remove the limit (docker run without --cpus, Kubernetes without limits.cpu), or raise it to 2 or more.',
    ),
  ];
}

function governorFinding({ processors, virtualMachine }: HostFacts, { governor }: Levels): DoctorFinding {
  const names = (processors.governors ?? []).join(', ');
  if (governor === 'unknown') {
    const where =
      virtualMachine === undefined ? 'this system does not report it' : 'the machine below this one decides';
    return finding('governor', governor, `The clock of the CPU is not known: ${where}.`);
  }
  return finding(
    'governor',
    governor,
    governor === 'ok'
      ? `The CPU keeps its highest clock (governor ${names}).`
      : `The CPU saves power between loads and needs time to speed up again (governor ${names}).`,
    'Change it while you measure: sudo cpupower frequency-set --governor performance',
  );
}

function turboFinding({ turbo }: ProcessorFacts, levels: Levels): DoctorFinding {
  const off = 'The clock does not rise above its nominal rate (turbo is off).';
  const on =
    'The clock rises above its nominal rate (turbo) until the machine gets warm. Comparisons alternate the builds, so this affects both equally.';
  const unknown = 'Whether the clock rises above its nominal rate (turbo) is not known.';
  return finding('turbo', levels.turbo, turbo === undefined ? unknown : turbo ? on : off);
}

function powerFinding({ power }: HostFacts, levels: Levels): readonly DoctorFinding[] {
  if (power === undefined) return [];
  const what = power === 'mains' ? 'The machine is plugged in.' : 'The machine runs on its battery and saves power.';
  return [finding('power', levels.power, what, 'Plug it in.')];
}

function memoryFinding({ memory: { available, total } }: HostFacts, { memory }: Levels): DoctorFinding {
  return finding(
    'memory',
    memory,
    `${formatValue(available, 'bytes')} of ${formatValue(total, 'bytes')} memory are free.`,
    'Close programs that use much memory, or measure on a machine with more memory.',
  );
}

function loadFinding({ load }: HostFacts, levels: Levels): DoctorFinding {
  if (load === undefined) return finding('load', levels.load, 'This system does not report its load.');
  const what = `The load was ${load.map((each) => each.toFixed(2)).join(', ')} over the last 1, 5 and 15 minutes.`;
  return finding('load', levels.load, what, 'Wait until what was running has ended, then look again.');
}

function busyFinding({ idle, processors: { count } }: HostFacts, levels: Levels): DoctorFinding {
  const { busy, greediest } = idle;
  if (busy === undefined) {
    return finding('busy', levels.busy, 'The load of the CPU is not known: this system does not report it.');
  }
  const who = (greediest ?? [])
    .filter(({ processors }) => processors >= GREEDY)
    .map(({ name, processors }) => `${name} (${decimal(processors)} of ${count})`);
  const named = levels.busy === 'ok' || who.length === 0 ? '' : `, mostly by ${who.join(', ')}`;
  return finding(
    'busy',
    levels.busy,
    `${formatShare(busy)} of the CPU was busy with other programs${named}.`,
    who.length === 0
      ? 'Find out what is running (top), and end it while you measure.'
      : `End ${who.length === 1 ? 'it' : 'them'} while you measure, or measure on a machine of its own.`,
  );
}

function stealFinding({ idle }: HostFacts, { steal }: Levels): DoctorFinding {
  if (idle.steal === undefined) {
    return finding('steal', steal, 'Whether a hypervisor takes CPU time away is not known.');
  }
  return finding(
    'steal',
    steal,
    `The hypervisor took ${formatShare(idle.steal)} of the CPU time.`,
    'Other machines share this CPU: measure on a dedicated machine, or on an instance with dedicated CPUs.',
  );
}

function pressureFinding({ idle }: HostFacts, { pressure }: Levels): DoctorFinding {
  const { memory, io } = idle.pressure ?? {};
  const waited = [
    ...(memory === undefined ? [] : [`memory in ${formatShare(memory)}`]),
    ...(io === undefined ? [] : [`a disk in ${formatShare(io)}`]),
  ].join(' and for ');
  if (waited === '') {
    return finding(
      'pressure',
      pressure,
      'Whether programs have to wait for memory or a disk is not known: the kernel does not report it.',
    );
  }
  return finding(
    'pressure',
    pressure,
    `Programs had to wait for ${waited} of the time.`,
    (memory ?? 0) >= (io ?? 0)
      ? 'Close programs that use much memory, or measure on a machine with more memory.'
      : 'End what is reading or writing (iotop shows it): a backup, an index, a build.',
  );
}

function noiseFinding({ microBenchmark: times }: HostFacts, levels: Levels): DoctorFinding {
  const noise = noiseOf(times);
  if (noise === undefined) {
    return finding('noise', levels.noise, 'How steady the CPU is could not be measured.');
  }
  const { median, spread, slowest } = noise;
  return finding(
    'noise',
    levels.noise,
    `A fixed calculation, repeated ${times.length} times, took a median of ${decimal(median)} ms. ` +
      `The middle half of the times spans ${formatShare(spread)} of that, the slowest took ${decimal(slowest)} ms.`,
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

const decimal = (value: number): string => (Number.isInteger(value) ? `${value}` : value.toFixed(1));
