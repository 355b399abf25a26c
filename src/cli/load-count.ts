import type { Progress } from '../model/progress.ts';
import type { RunRole } from '../model/result.ts';
import type { LoadPlace } from '../wording/loads.ts';

/** A load that is under way. */
interface Running {
  readonly role: RunRole;
  readonly startedAt: number;
}

/** Counts the loads of a job, and estimates how long the others take from those that are over. */
export class LoadCount {
  #finished = 0;
  #of: number | undefined;
  #atMost = false;
  #running: Running | undefined;
  /** How long loads took that were not filmed for evidence, ms, all together. */
  #took = { loads: 0, ms: 0 };

  /** Takes an event at its time, ms. */
  count(event: Progress, now: number): void {
    if (event.kind === 'loads-ahead') {
      this.#of = this.#finished + event.loads;
      this.#atMost = event.atMost;
    } else if (event.kind === 'run-started') {
      this.#running = { role: event.role, startedAt: now };
    } else if (event.kind === 'run-finished' && this.#running !== undefined) {
      // Steps of a page end without having started by themselves.
      const { role, startedAt } = this.#running;
      this.#finished += 1;
      if (role !== 'evidence') this.#took = { loads: this.#took.loads + 1, ms: this.#took.ms + now - startedAt };
      this.#running = undefined;
    }
  }

  /** Which of how many loads is under way; undefined where nobody has said how many there are. */
  place(now: number): LoadPlace | undefined {
    if (this.#of === undefined || this.#running === undefined) return undefined;
    const index = this.#finished + 1;
    const of = Math.max(index, this.#of);
    const { role, startedAt } = this.#running;
    const usual = this.#took.loads === 0 ? undefined : this.#took.ms / this.#took.loads;
    // Of a film nobody knows how long it takes.
    const rest = usual === undefined || role === 'evidence' ? undefined : Math.max(0, usual - (now - startedAt));
    const left = usual === undefined || rest === undefined ? {} : { left: rest + usual * (of - index) };
    return { index, of, atMost: this.#atMost, role, ...left };
  }
}
