import type { JudgedCapacity } from '../core/capacity/judge.ts';
import type {
  CapacityBudgetFacts,
  CapacityBudgetResult,
  CapacityComparison,
  CapacityFigures,
  CapacityFinding,
  CapacityFindingFacts,
  CapacityLimit,
  CapacityResult,
  DriverUse,
  InstabilityCode,
  PageAtLoad,
  PageUnderLoad,
  RampEnd,
} from '../model/capacity.ts';
import type { EngineFault } from '../model/network/load.ts';
import { formatCount, formatShare, formatValue, joined } from './text/format.ts';

/** Requests per second: "19.8/s", "1,840/s", "88,440/s". */
export function formatThroughput(perSecond: number | undefined): string {
  return formatValue(perSecond, '1/s');
}

/** Why nothing was measured of a server, a clause: `kinds` of errors, the first ones named. */
export function failingInWords(kinds: readonly string[]): string {
  return kinds.length > 0 ? `requests fail (${kinds.slice(0, 3).join(', ')})` : 'no request was answered in time';
}

const requestsPerSecond = (perSecond: number) => `${formatThroughput(perSecond).replace('/s', '')} requests/s`;
const ms = (value: number | undefined) => formatValue(value, 'ms');
const connections = (count: number) => formatCount(count, 'connection');
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
const listed = (value: unknown): string =>
  joined((Array.isArray(value) ? value : []).map((each) => formatValue(Number(each), 'count')));

/** What stands in the way, in a word or two. */
export const LIMIT_NAMES: Readonly<Record<CapacityLimit, string>> = {
  cpu: 'CPU',
  wait: 'Workers, connections or a pool',
  configured: 'A configured limit',
  driver: 'The load generator',
  contention: 'Contention',
  coherence: 'Coherence',
  'not-reached': 'Not reached',
  'already-saturated': 'Saturated below the lowest level',
};

/** Why a level cannot be relied on. */
export const INSTABILITY: Readonly<Record<InstabilityCode, string>> = {
  'littles-law': "not in balance (Little's law is off by more than 10%)",
  'wide-interval': 'the interval stayed wider than 10% on either side',
  drift: 'the two passes differ by more than 10%',
  errors: 'more than 5% of the requests failed',
  'driver-busy': 'the load generator was above 50% busy',
  'driver-limit': 'the load generator was above 80% busy',
};

/** Why no higher level was tried. */
export function endInWords({ code, concurrency }: RampEnd): string {
  const at = concurrency === undefined ? '' : ` at ${connections(concurrency)}`;
  return {
    flat: `Throughput no longer grew${at}.`,
    errors: `The ramp ended${at}, because more than 5% of the requests failed.`,
    timeouts: `The ramp ended${at}, because requests timed out.`,
    driver: `The ramp ended${at}, because the load generator was above 80% busy.`,
    'max-concurrency': `The ramp ended${at}, the most that it may use.`,
    'levels-done': 'All levels of the list were measured.',
    'max-requests': `The ramp ended${at}, because --max-requests was reached.`,
    interrupted: 'It was interrupted. The levels that were finished are kept.',
    imported: 'The levels come from a file.',
  }[code];
}

/** The answer of a result, a sentence each: first what was found, then what stands in the way and what people see. */
export function capacityAnswer(
  result: CapacityFigures & Pick<CapacityResult, 'comparison' | 'page'>,
): readonly string[] {
  const { comparison, page, limit } = result;
  const seen = page && pageSentence(page, limit);
  return [...(comparison ? [comparison.sentence] : capacitySentences(result)), ...(seen === undefined ? [] : [seen])];
}

/** The answer of one server in one or two sentences. */
export function capacitySentence(figures: JudgedCapacity | CapacityFigures): string {
  return capacitySentences(figures).join(' ');
}

function capacitySentences({
  levels,
  max,
  within,
  knee,
  limit,
  limitFacts,
  usl,
}: JudgedCapacity | CapacityFigures): readonly string[] {
  if (max === undefined) return ['No level could be measured.'];
  const bound =
    within === undefined
      ? undefined
      : within.throughput === undefined
        ? `No level has a p90 of ${ms(within.bound)} or less.`
        : `${requestsPerSecond(within.throughput)} at ${connections(within.concurrency ?? 0)} with a p90 of ${ms(within.p90)}${within.all ? ' (all levels are within the bound)' : ''}.`;
  const asked = levels.find(({ throughput }) => throughput === max.throughput)?.rate;
  const place =
    asked === undefined ? `at ${connections(max.concurrency)}` : `when ${formatThroughput(asked)} were requested`;
  const most =
    knee && knee.concurrency !== max.concurrency
      ? `At most ${requestsPerSecond(max.throughput)}; from ${connections(knee.concurrency)} on (${formatThroughput(knee.throughput)}${knee.p90 === undefined ? '' : `, p90 ${ms(knee.p90)}`}) more load only makes it slower.`
      : `At most ${requestsPerSecond(max.throughput)}, ${place}${knee?.p90 === undefined ? '' : ` with a p90 of ${ms(knee.p90)}`}.`;
  const reached =
    limit === 'not-reached'
      ? `${requestsPerSecond(max.throughput)} ${place}, and ${limitFacts.failingFrom === undefined ? 'no limit was reached' : `throughput still grew there`}.`
      : limit === 'already-saturated'
        ? `${requestsPerSecond(max.throughput)} at ${limitFacts.falls ? 'most, and less with more load' : 'every level'}: the server was saturated below the lowest, ${connections(levels[0]?.concurrency ?? 0)}.`
        : most;
  const why = limitSentence({ limit, limitFacts, usl, max, isOpen: asked !== undefined });
  return [...(bound === undefined ? [] : [bound]), reached, ...(why === '' ? [] : [why])];
}

/** What stands in the way, with its figures. */
function limitSentence({
  limit,
  limitFacts: facts,
  usl,
  max,
  isOpen = false,
}: Pick<CapacityFigures, 'limit' | 'limitFacts'> & {
  readonly usl?: CapacityFigures['usl'] | undefined;
  readonly max?: CapacityFigures['max'] | undefined;
  /** Requests came at a fixed rate. */
  readonly isOpen?: boolean;
}): string {
  const unknown = facts.idle === undefined ? " The server's CPU is not known, and may be the limit instead." : '';
  const idle =
    facts.idle !== undefined && facts.idle > 0.3 ? `CPU is ${formatShare(facts.idle)} idle at the plateau` : undefined;
  const falls = facts.falls ? '; throughput falls above it' : '';
  switch (limit) {
    case 'cpu': {
      const what =
        facts.threads === undefined
          ? formatCount(Math.round((facts.cores ?? 1) * 10) / 10, 'core')
          : `${formatCount(facts.threads, 'thread')} in use`;
      return `${what}, ${ms(facts.cpuPerRequest)} of CPU a request: ${formatThroughput(facts.ceiling)} is the ceiling, and ${formatThroughput(max?.throughput).replace('/s', '')} was reached.`;
    }
    case 'configured':
      return `${idle ?? 'Throughput stops growing at a round number'}: ${formatValue(facts.concurrency ?? 0, 'count')} requests at a time look like a configured limit of workers, connections or a pool${falls}.`;
    case 'wait':
      return `${idle ?? 'Requests wait'}: a limit of workers, connections or a pool${facts.concurrency === undefined ? '' : ` allows about ${formatCount(facts.concurrency, 'request')} at a time`}${falls}.${unknown}`;
    case 'contention':
      return `Contention (σ = ${(usl?.sigma ?? 0).toFixed(2)}): about ${formatShare(usl?.sigma ?? 0)} of the work can be done by one request at a time, such as in a lock.${idle ? ` ${idle}.` : ''}${unknown}`;
    case 'coherence':
      return `Coherence (κ = ${(usl?.kappa ?? 0).toPrecision(2)}): requests must agree with each other, so that more of them make all slower and throughput falls${usl?.peak === undefined ? '' : ` above ${formatValue(Math.round(usl.peak), 'count')}`}.${idle ? ` ${idle}.` : ''}`;
    case 'driver': {
      const why = {
        own: 'it cannot send more',
        others: 'other programs use the CPU of its machine',
        steal: 'the host takes away CPU time of its machine',
      }[facts.driver ?? 'own'];
      return `From ${formatValue(facts.from ?? 0, 'count')} on the load generator is the limit, not the server: ${why}.`;
    }
    case 'not-reached':
      return facts.failingFrom === undefined
        ? `Try ${isOpen ? 'higher rates' : 'more connections'}.`
        : `From ${formatValue(facts.failingFrom, 'count')} on requests fail: look for the cause in the server's log.`;
    case 'already-saturated':
      return `Try ${joined((facts.tryLevels ?? []).map((level) => formatValue(level, 'count')))} connections.`;
  }
}

/** The law in a sentence. */
export function uslSentence({ usl }: Pick<CapacityFigures, 'usl'>): string | undefined {
  if (usl === undefined) return undefined;
  const { sigma, sigmaLow, sigmaHigh, kappa, kappaLow, kappaHigh, peak, peakLow, peakHigh, r2 } = usl;
  const share = (value: number) => value.toFixed(value < 0.01 ? 4 : 3);
  const small = (value: number) => (value === 0 ? '0' : value < 1e-3 ? value.toExponential(1) : value.toFixed(4));
  const at =
    peak === undefined
      ? 'It has no maximum in reach'
      : `The maximum is at N* = ${formatValue(Math.round(peak), 'count')}${peakLow === undefined || peakHigh === undefined ? '' : ` (${formatValue(Math.round(peakLow), 'count')}–${formatValue(Math.round(peakHigh), 'count')})`}`;
  return `Universal Scalability Law: σ = ${share(sigma)} (${share(sigmaLow)}–${share(sigmaHigh)}), κ = ${small(kappa)} (${small(kappaLow)}–${small(kappaHigh)}). ${at}. It explains ${formatShare(r2)} of the differences.`;
}

/** Facts as findings. */
export function findingsInWords(facts: readonly CapacityFindingFacts[]): readonly CapacityFinding[] {
  return facts.map((each) => ({ ...each, message: findingMessage(each) }));
}

function findingMessage({ code, facts }: CapacityFindingFacts): string {
  const at = connections(number(facts.concurrency));
  switch (code) {
    case 'already-saturated':
      return `Throughput is the same from the lowest level on, ${at}: the server was saturated before. Try ${listed(facts.tryLevels)} connections.`;
    case 'driver-limit':
      return `From ${formatValue(number(facts.concurrency), 'count')} on the load generator is the limit, not the server. Levels from there on are not used.`;
    case 'errors':
      return `At ${at}, ${formatShare(number(facts.share))} of the requests failed (${facts.kind}).`;
    case 'timeouts':
      return number(facts.share) === 1
        ? `At ${at}, no request was answered in time.`
        : `At ${at}, ${formatShare(number(facts.share))} of the requests failed, mostly by time-outs.`;
    case 'configured-limit':
      return `The limit is at ${formatValue(number(facts.concurrency), 'count')}, a round number: look for it in the configuration of workers, connections and pools.`;
    case 'cpu-idle':
      return `At the knee (${at}), ${formatShare(number(facts.idle))} of the CPU of the server's machine is idle: requests wait for something else.`;
    case 'past-the-knee':
      return `Throughput falls from ${formatThroughput(number(facts.throughput))} ${facts.rate === undefined ? `at ${at}` : `when ${formatThroughput(number(facts.rate))} were requested`} to ${formatThroughput(number(facts.lastThroughput))} at ${facts.lastRate === undefined ? formatValue(number(facts.last), 'count') : formatThroughput(number(facts.lastRate))}: limit the number of requests at a time.`;
    case 'queue':
      return `The p90 grows with the number of connections, from ${ms(number(facts.p90))} at ${formatValue(number(facts.concurrency), 'count')} to ${ms(number(facts.lastP90))} at ${formatValue(number(facts.last), 'count')}: that is the time in a queue, not the time of work.`;
    case 'memory-growth':
      return `The server became slower while its memory grew from ${formatValue(number(facts.from), 'bytes')} to ${formatValue(number(facts.to), 'bytes')}.`;
    case 'drift':
      return `Two passes of the same level differ by more than 10%, at ${listed(facts.levels)}: the server or the machine changed between them.`;
    case 'unstable-levels':
      return `Some levels did not settle: ${listed(facts.levels)}. Measure longer with --level-time.`;
    case 'driver-busy':
      return `From ${formatValue(number(facts.concurrency), 'count')} on the load generator is above 50% busy (${formatShare(number(facts.share))}): response times may be too long.`;
    case 'others-busy':
      return `Other programs used up to ${formatShare(number(facts.share))} of the load generator's machine. Measure again on a quiet one.`;
    case 'stolen-time':
      return `Up to ${formatShare(number(facts.share))} of the CPU time was stolen: the host gave it to other machines, and here it looks idle.`;
    case 'accept-queue':
      return `Up to ${connections(number(facts.connections))} waited to be accepted: the server accepts them more slowly than they arrive.`;
    case 'shared-machine':
      return 'Server and load generator share this machine and its CPU.';
    case 'server-unknown':
      return "The server's processes were not found, so its CPU is not known. Name one with --server-pid, or run as the same user.";
    case 'few-levels':
      return `Only ${formatCount(number(facts.levels), 'level')} can be used: too few for the Universal Scalability Law.`;
    case 'usl-poor':
      return `The Universal Scalability Law explains only ${formatShare(number(facts.r2))} of the differences: do not rely on its figures.`;
    case 'open-load':
      return 'An open load: the load generator sent requests at a fixed rate. Times start when a request was due, so they include waiting before it was sent.';
  }
}

/** A budget with its sentence. */
export function budgetInWords(budget: CapacityBudgetFacts): CapacityBudgetResult {
  return { ...budget, sentence: budgetSentence(budget) };
}

function budgetSentence({ metric, unit, limit, value, low, high, state, because }: CapacityBudgetFacts): string {
  const show = (figure: number | undefined) => (unit === 'ms' ? ms(figure) : formatThroughput(figure));
  const wanted = unit === 'ms' ? `at most ${show(limit)}` : `at least ${show(limit)}`;
  if (because === 'rate-not-reached') return `${metric} must be ${wanted}, and that rate was not reached.`;
  if (value === undefined) return `${metric} must be ${wanted}, and was not measured.`;
  const range = low === undefined || high === undefined ? '' : ` (${show(low)}–${show(high)})`;
  const verdict = { pass: 'is', fail: 'is not', undecided: 'may be', unknown: 'may be' }[state];
  return `${metric} is ${show(value)}${range}, which ${verdict} ${wanted}.`;
}

/** The candidate against the base. */
export function comparisonSentence(comparison: Omit<CapacityComparison, 'sentence'>): string {
  const { maxRatio, p90Ratio, decision, notReached = [] } = comparison;
  const percent = (ratio: number) => `${ratio >= 1 ? '+' : '−'}${formatShare(Math.abs(ratio - 1))}`;
  const range = ({ low, high }: { low: number; high: number }) => `${percent(low)} to ${percent(high)}`;
  const certain = (ratio: { low: number; high: number } | undefined, isMore: boolean) =>
    ratio !== undefined && (isMore ? ratio.low > 1 : ratio.high < 1);
  const says = (more: 'more' | 'less', speed: 'faster' | 'slower') =>
    [
      ...(certain(maxRatio, more === 'more') && !notReached.includes(more === 'more' ? 'base' : 'candidate')
        ? [`can take ${more}`]
        : []),
      ...(certain(p90Ratio, speed === 'slower') ? [`is ${speed}`] : []),
    ].join(' and ');
  const opening = {
    better: `The candidate ${says('more', 'faster')}`,
    worse: `The candidate ${says('less', 'slower')}`,
    same: notReached.length > 0 ? 'No difference was seen' : 'Both can take the same',
    unsure: 'The difference is not certain',
  }[decision];
  const times =
    p90Ratio === undefined
      ? ''
      : `, p90 at ${formatThroughput(p90Ratio.rate)} ${percent(p90Ratio.value)} (${range(p90Ratio)})`;
  const open =
    notReached.length === 0
      ? ''
      : notReached.length === 2
        ? ' Neither limit was reached: both may take more than was tried.'
        : ` The limit of the ${notReached[0]} was not reached: it may take more than was tried.`;
  return `${opening}: highest throughput ${percent(maxRatio.value)} (${range(maxRatio)})${times}.${open}`;
}

/** "without other load", "at half of the knee"; where no knee was reached, "at 8 connections". */
export function loadInWords({ load, concurrency }: PageAtLoad, limit: CapacityLimit): string {
  if (load === 'none') return 'without other load';
  if (limit === 'not-reached') return `at ${connections(concurrency)}`;
  return load === 'half' ? 'at half of the knee' : 'at the knee';
}

/** What people see of the page. */
export function pageSentence({ points }: PageUnderLoad, limit: CapacityLimit): string | undefined {
  const known = points.filter(({ pageComplete }) => pageComplete !== undefined);
  const [first] = known;
  const last = known.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const parts = known.map((point) => `${loadInWords(point, limit)} after ${ms(point.pageComplete)}`);
  const base =
    first === last || first.basePage === undefined || last.basePage === undefined
      ? ''
      : `: base page ${last.basePage >= first.basePage ? '+' : '−'}${ms(Math.abs(last.basePage - first.basePage))}`;
  return `The page is complete ${joined(parts)}${base}.`;
}

/** "own 12%, others 3%, timers 0.4 ms late". */
export function driverInWords({ own, waiting, others, steal, eventLoopDelay }: DriverUse): string {
  return [
    `own ${formatShare(own)}`,
    ...(waiting === undefined ? [] : [`waiting ${formatShare(waiting)}`]),
    ...(others === undefined ? [] : [`others ${formatShare(others)}`]),
    ...(steal === undefined || steal === 0 ? [] : [`stolen ${formatShare(steal)}`]),
    ...(eventLoopDelay === undefined ? [] : [`timers ${ms(eventLoopDelay)} late`]),
  ].join(', ');
}

/** Why the engine of this name made no load, a clause. */
export function engineFaultInWords(engine: string, fault: EngineFault): string {
  if (fault.code === 'no-summary') return `${engine} wrote no summary`;
  return `${engine}${fault.code === 'ended' ? ' ended by itself' : ''}: ${fault.said ?? `exit code ${fault.exit}`}`;
}
