import { DRIVER_LIMIT, type LevelPlan, levelOf, type MeasuredPass } from '../../core/capacity/level.ts';
import { MAX_ERRORS } from '../../core/capacity/pass.ts';
import { nextLevel, type RampSettings, REFINEMENTS, refinement } from '../../core/capacity/ramp.ts';
import { createRandom, shuffled } from '../../core/capacity/random.ts';
import type { CapacityLevel, RampEnd } from '../../model/capacity.ts';
import type { Ms } from '../../model/units.ts';

/** One server of a ramp. */
export interface RampedServer {
  readonly name: 'base' | 'candidate';
  /** Measures one pass of a level. */
  measure(plan: LevelPlan, place: RampPlace): Promise<MeasuredPass>;
  /** Requests that may still be sent. */
  left(): number;
}

/** Where a ramp is, for progress. */
interface RampPlace {
  readonly pass: 1 | 2;
  readonly index: number;
  /** Absent while it is not known. */
  readonly of?: number;
}

/** How the ramp is made. */
export interface RampPlan extends RampSettings {
  readonly seed: number;
  /** An open load at these rates, with so many connections. */
  readonly open?: { readonly rates: readonly number[]; connections(rate: number): number };
  readonly thinkTime?: Ms;
  readonly signal: AbortSignal;
}

/** What a ramp has shown of one server. */
export interface Ramped {
  readonly levels: readonly CapacityLevel[];
  readonly ended: RampEnd;
}

/** What was measured of a server so far, by level. */
interface State {
  readonly server: RampedServer;
  readonly passes: Map<number, { readonly plan: LevelPlan; readonly all: MeasuredPass[] }>;
  ended?: RampEnd;
}

/**
 * Measures levels of each server: upwards, then around what matters, then all of them once more in random order. Two servers
 * take turns at every level. What was measured before an interruption is kept; rejects only when nothing was.
 */
export async function ramp(servers: readonly RampedServer[], plan: RampPlan): Promise<readonly Ramped[]> {
  const states = servers.map((server): State => ({ server, passes: new Map() }));
  const random = createRandom(plan.seed);
  try {
    await climb(states, plan);
    if (!plan.open) await refine(states, plan);
    await again(states, random);
  } catch (error) {
    const isKept = plan.signal.aborted && states.every(({ passes }) => passes.size > 0);
    if (!isKept) throw error;
    for (const state of states) state.ended = { code: 'interrupted' };
  }
  return states.map((state) => ({ levels: levelsOf(state), ended: state.ended ?? { code: 'levels-done' } }));
}

async function climb(states: readonly State[], plan: RampPlan): Promise<void> {
  for (let index = 1; ; index += 1) {
    let measured = 0;
    for (const state of inTurn(states, index)) {
      if (state.ended) continue;
      const next = plan.open ? nextRate(state, plan) : nextOf(state, plan);
      if ('ended' in next) {
        state.ended = next.ended;
        continue;
      }
      await measure(state, next, { pass: 1, index });
      measured += 1;
    }
    if (measured === 0) return;
  }
}

async function refine(states: readonly State[], plan: RampPlan): Promise<void> {
  for (let round = 0; round < REFINEMENTS; round += 1) {
    const wanted = new Set(states.flatMap((state) => refinement(levelsOf(state), plan)));
    let index = 0;
    for (const concurrency of wanted) {
      index += 1;
      for (const state of inTurn(states, index)) {
        if (state.passes.has(concurrency) || state.ended?.code === 'max-requests') continue;
        await measure(state, levelPlan(concurrency, plan), { pass: 1, index, of: wanted.size });
      }
    }
  }
}

/** A second pass: drift is then not taken for scaling. Levels that failed would only fail again. */
async function again(states: readonly State[], random: () => number): Promise<void> {
  const worthIt = (state: State) =>
    levelsOf(state)
      .filter(
        ({ errorShare, throughput, driverBusy = 0 }) =>
          errorShare <= MAX_ERRORS && throughput > 0 && driverBusy <= DRIVER_LIMIT,
      )
      .map((level) => keyOf(level));
  const keys = shuffled([...new Set(states.flatMap(worthIt))], random);
  let index = 0;
  for (const key of keys) {
    index += 1;
    for (const state of inTurn(states, index)) {
      const known = state.passes.get(key);
      if (state.ended?.code === 'max-requests') continue;
      if (known && worthIt(state).includes(key)) await measure(state, known.plan, { pass: 2, index, of: keys.length });
    }
  }
}

async function measure(state: State, plan: LevelPlan, place: RampPlace): Promise<void> {
  if (state.server.left() <= 0) {
    state.ended = { code: 'max-requests', concurrency: plan.concurrency };
    return;
  }
  const pass = await undisturbed(plan, () => state.server.measure(plan, place));
  if (pass.isCut) {
    state.ended = { code: 'max-requests', concurrency: plan.concurrency };
    return;
  }
  const key = keyOf(plan);
  const known = state.passes.get(key) ?? { plan, all: [] };
  known.all.push(pass);
  state.passes.set(key, known);
}

/** Times that a pass is made again when something else had the driver's processors. */
const RETRIES = 2;
/** A driver that needs more of a processor itself is no victim of others. */
const OWN_DOING = 0.5;

/** A pass that other programs ruined is made again: they may be gone in a moment. The least disturbed one counts. */
async function undisturbed(plan: LevelPlan, measurePass: () => Promise<MeasuredPass>): Promise<MeasuredPass> {
  const busy = (pass: MeasuredPass) => levelOf(plan, [pass]).driverBusy ?? 0;
  let best = await measurePass();
  for (let i = 0; i < RETRIES && busy(best) > DRIVER_LIMIT; i += 1) {
    if ((best.figures.driver?.own ?? 0) > OWN_DOING) return best;
    const next = await measurePass();
    if (busy(next) < busy(best)) best = next;
  }
  return best;
}

function nextOf(state: State, plan: RampPlan): LevelPlan | { readonly ended: RampEnd } {
  const next = nextLevel(
    [...state.passes.values()].map(({ plan: level, all }) => levelOf(level, all)),
    plan,
  );
  return 'ended' in next ? next : levelPlan(next.concurrency, plan);
}

function nextRate(state: State, { open }: RampPlan): LevelPlan | { readonly ended: RampEnd } {
  const last = levelsOf(state).at(-1);
  const concurrency = last?.concurrency ?? 1;
  if (last && last.errorShare > MAX_ERRORS) {
    const isLate = (last.errorKinds?.timeout ?? 0) > last.errors / 2;
    return { ended: { code: isLate ? 'timeouts' : 'errors', concurrency } };
  }
  if (last && (last.driverBusy ?? 0) > DRIVER_LIMIT) return { ended: { code: 'driver', concurrency } };
  const rate = open?.rates[state.passes.size];
  if (open === undefined || rate === undefined) return { ended: { code: 'levels-done', concurrency } };
  return { rate, concurrency: open.connections(rate) };
}

function levelPlan(concurrency: number, { thinkTime }: RampPlan): LevelPlan {
  return { concurrency, thinkTime };
}

/** Levels of an open load differ by their rate. */
function keyOf({ concurrency, rate }: { readonly concurrency: number; readonly rate?: number }): number {
  return rate ?? concurrency;
}

function levelsOf({ passes }: State): readonly CapacityLevel[] {
  return [...passes].toSorted(([a], [b]) => a - b).map(([, { plan, all }]) => levelOf(plan, all));
}

/** Each of two is first half of the time. */
function inTurn(states: readonly State[], index: number): readonly State[] {
  return index % 2 === 0 ? states.toReversed() : states;
}
