import type { Redactor } from '../../core/har/redact.ts';
import type { TargetResult } from '../../model/result/result.ts';
import type { Store } from '../../shell/disk/store.ts';
import { redactDeep } from '../engine/reports/report-model.ts';

/** Stores an audit as it grows. */
export interface AuditSaving {
  /** Called with what is new of a target, as if it had no other runs; `slug` is its name for files. */
  save(slug: string, target: TargetResult): Promise<void>;
  /** Called when everything has been written for good. */
  done(): Promise<void>;
}

/** Holds the runs that are not in result.json yet; removed when all are. */
const FOLDER = 'partial';
/**
 * result.json is written again when it would grow by this share. Written after each run, it would cost the square of
 * their number; so it costs eight times the last one in all, and up to eight runs it is written after each.
 */
const GROWTH = 1 / 8;

/**
 * Every run is on the disk when it is over: in result.json, or else in a file of its own in `partial/`.
 *
 * @param writeResult writes result.json anew, with all that there is
 */
export function saveAsItGrows(store: Store, redact: Redactor, writeResult: () => Promise<void>): AuditSaving {
  let runs = 0;
  let unwritten = 0;
  let hasPartial = false;
  const done = async (): Promise<void> => {
    unwritten = 0;
    if (hasPartial) await store.remove(FOLDER);
    hasPartial = false;
  };
  return {
    async save(slug, target) {
      runs += target.runs.length;
      unwritten += target.runs.length;
      if (unwritten >= GROWTH * runs) {
        await writeResult();
        await done();
        return;
      }
      hasPartial = true;
      const [first] = target.runs;
      const name = [slug, 'run', first?.index].filter((part) => part !== '').join('-');
      await store.write(`${FOLDER}/${name}.json`, JSON.stringify(redactDeep(target, redact)));
    },
    done,
  };
}
