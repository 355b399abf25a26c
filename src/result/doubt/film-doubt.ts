import { isCounted } from '../../core/counted-runs.ts';
import { median } from '../../core/time/median.ts';
import type { Doubt, RunResult } from '../../model/result/result.ts';
import type { Ms } from '../../model/units.ts';

/**
 * What the film's clock cannot tell, ms: it has 15 pictures a second in the long run, and a picture is taken some 33 ms after
 * the paint that it shows.
 */
const FILM_CLOCK_MS = 100;
/** Times that differ by less than this share agree. Source: CONTRACT of result.json, `agreement`. */
const ALIKE = 0.05;

type FilmDoubt = Extract<Doubt, { code: 'film-disagrees' }>;

/** A run that was complete by silence, and how long after its network. */
interface Drawn {
  readonly at: Ms;
  readonly networkAt: Ms;
  readonly late: Ms;
  /** How much of the processor it needed, and lost to others, ms; absent where that is not known. */
  readonly cpuTime?: number;
  readonly stolenTime?: number;
}

/** Was the machine busy with other things while the page was filmed? What that run proved holds for all that follow. */
export function wasFilmedBusy(runs: readonly RunResult[]): boolean {
  return runs.some(({ role, host }) => role === 'evidence' && host?.verdict === 'unfit');
}

/**
 * The filmed load and the timed loads of one page see the same page draw, with different clocks: the film sees pixels, timed
 * loads what the page tells. They disagree where the last of the content is drawn so long after the network in one, and not in
 * the other, and neither their clocks nor the slower machine of the filmed load explain that. Undefined where they agree, or
 * one is missing.
 */
export function filmDoubt(runs: readonly RunResult[]): FilmDoubt | undefined {
  const [filmed] = runs.filter(({ role, ok }) => role === 'evidence' && ok).flatMap(drawnIn);
  const timed = runs.filter(isCounted).flatMap(drawnIn);
  if (filmed === undefined || timed.length === 0) return undefined;
  const lates = timed.map(({ late }) => late);
  const times = timed.map(({ at }) => at);
  const [least, most] = [Math.min(...lates), Math.max(...lates)];
  const networkAt = median(timed.map((run) => run.networkAt));
  const clocks = Math.max(FILM_CLOCK_MS, ALIKE * median(times)) + (most - least);
  // What is drawn at a time of its own comes as much sooner after a slower network.
  const isLater =
    filmed.late - most * slowdownOf(filmed, timed) > clocks + (filmed.stolenTime ?? 0) &&
    filmed.at - Math.max(...times) > clocks;
  const isEarlier = least - filmed.late > clocks && Math.min(...times) - filmed.at > clocks;
  return isLater || isEarlier ? { code: 'film-disagrees', at: networkAt + filmed.late } : undefined;
}

function drawnIn({ pageComplete, metrics = {} }: RunResult): readonly Drawn[] {
  const { at, networkAt, decidedBy } = pageComplete ?? {};
  if (pageComplete?.state !== 'complete' || decidedBy === 'mark') return [];
  if (at === undefined || networkAt === undefined) return [];
  const { cpuTime, stolenTime } = metrics;
  return [{ at, networkAt, late: at - networkAt, cpuTime, stolenTime }];
}

/** A load that is filmed and traced needs more of the processor, and draws as much later what a script computes. */
function slowdownOf(filmed: Drawn, timed: readonly Drawn[]): number {
  const usual = median(timed.flatMap(({ cpuTime = 0 }) => (cpuTime > 0 ? [cpuTime] : [])));
  return filmed.cpuTime !== undefined && usual > 0 ? Math.max(1, filmed.cpuTime / usual) : 1;
}
