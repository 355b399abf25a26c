import type { Progress } from '../model/result/progress.ts';
import type { RunRole } from '../model/result/result.ts';
import type { LoadPlace } from '../wording/result/loads.ts';

/** A load that is under way. */
interface Running {
  readonly role: RunRole;
  readonly startedAt: number;
}

type RunEvent = Extract<Progress, { kind: 'run-started' | 'run-progress' | 'run-finished' }>;

/** What tells a load from others that are under way at the same time. */
function keyOf(event: RunEvent): string {
  const role = event.kind === 'run-finished' ? event.run.role : event.role;
  return JSON.stringify([event.page?.index, event.target, role, event.index]);
}

/** What a timed load takes besides the page: the usual quiet window, and a fresh profile before it, ms. */
const REST_OF_A_LOAD_MS = 4_500;

/** Counts the loads of a job, and estimates how long the others take from those that are over. */
export class LoadCount {
  #finished = 0;
  #of: number | undefined;
  #atMost = false;
  /** When the job is over at the latest, where that is known. */
  #overBy: number | undefined;
  /** Untimed loads may be under way at the same time: the one that began last is the last. */
  readonly #running = new Map<string, Running>();
  /** How long timed loads took, ms, all together. */
  #took = { loads: 0, ms: 0 };
  /** How long one would take, going by the last untimed load, ms: that one itself was watched for longer. */
  #expected: number | undefined;

  /** Takes an event at its time, ms. */
  count(event: Progress, now: number): void {
    if (event.kind === 'loads-ahead') {
      this.#of = this.#finished + event.loads;
      this.#atMost = event.atMost;
      this.#overBy = event.within === undefined ? undefined : now + event.within;
    } else if (event.kind === 'run-started') {
      this.#running.set(keyOf(event), { role: event.role, startedAt: now });
    } else if (event.kind === 'run-finished') {
      const running = this.#running.get(keyOf(event));
      // Steps of a page end without having started by themselves.
      if (!running) return;
      const { role, startedAt } = running;
      this.#running.delete(keyOf(event));
      this.#finished += 1;
      const at = event.run.pageComplete?.at;
      if (role === 'timed') this.#took = { loads: this.#took.loads + 1, ms: this.#took.ms + now - startedAt };
      else if (at !== undefined) this.#expected = at + REST_OF_A_LOAD_MS;
    }
  }

  /** Did it begin last of those that are under way? That is the one to be shown. */
  isLatest(event: RunEvent): boolean {
    const latest = [...this.#running.keys()].at(-1);
    return latest === undefined || latest === keyOf(event);
  }

  /** Which of how many loads is under way; undefined where their number is not known. */
  place(now: number): LoadPlace | undefined {
    const running = [...this.#running.values()].at(-1);
    if (this.#of === undefined || running === undefined) return undefined;
    const index = this.#finished + this.#running.size;
    const of = Math.max(index, this.#of);
    const { role, startedAt } = running;
    const usual = this.#took.loads === 0 ? this.#expected : this.#took.ms / this.#took.loads;
    // How long suspects have to be watched is not known.
    const isKnown = usual !== undefined && role === 'timed';
    const rest = isKnown ? Math.max(0, usual - (now - startedAt)) : undefined;
    const left = usual === undefined || rest === undefined ? undefined : rest + usual * (of - index);
    const atMostLeft = left !== undefined || this.#overBy === undefined ? undefined : Math.max(0, this.#overBy - now);
    return {
      index,
      of,
      atMost: this.#atMost,
      role,
      ...(left !== undefined && { left }),
      ...(atMostLeft !== undefined && { atMostLeft }),
    };
  }
}
