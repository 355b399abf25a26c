import type { Redactor } from '../core/har/redact.ts';
import type { TargetResult } from '../model/result.ts';
import type { Store } from '../shell/store.ts';
import { redactDeep } from './report-model.ts';

/** Stores an audit as it grows. */
export interface AuditSaving {
  /** Called with what is new of a target, as if it had no other runs. */
  keep(slug: string, target: TargetResult): Promise<void>;
  /** Called when everything has been written for good. */
  done(): Promise<void>;
}

/** What saving needs. */
export interface SavingSurroundings {
  readonly store: Store;
  readonly redact: Redactor;
  /** Writes result.json anew. */
  all(): Promise<void>;
}

/** Where the runs lie that result.json does not hold yet; gone when it holds all. */
const FOLDER = 'partial';
/**
 * result.json is written again when it would grow by this share. Written after each run, it would cost the square of
 * their number; so it costs eight times the last one in all, and up to eight runs it is written after each.
 */
const GROWTH = 1 / 8;

/** Every run is on the disk when it is over: in result.json, or else in a file of its own in `partial/`. */
export function saveAsItGrows({ store, redact, all }: SavingSurroundings): AuditSaving {
  let runsInAll = 0;
  let since = 0;
  let partial = false;
  const forget = async (): Promise<void> => {
    since = 0;
    if (partial) await store.remove(FOLDER);
    partial = false;
  };
  return {
    async keep(slug, target) {
      const { runs } = target;
      runsInAll += runs.length;
      since += runs.length;
      if (since >= GROWTH * runsInAll) {
        await all();
        await forget();
        return;
      }
      partial = true;
      const [first] = runs;
      const name = [slug, 'run', first?.index].filter((part) => part !== '').join('-');
      await store.write(`${FOLDER}/${name}.json`, JSON.stringify(redactDeep(target, redact)));
    },
    done: forget,
  };
}
