import { buildHar } from '../../../core/har/build.ts';
import { eraseFromHar } from '../../../core/har/erase.ts';
import { validateHar } from '../../../core/har/validate.ts';
import { visitOf } from '../../../core/measure.ts';
import type { HarFault } from '../../../model/network/har-fault.ts';
import type { ResolvedJob } from '../../../settings/resolved.ts';
import { verdictReasonInWords } from '../../../wording/background/verdict-reasons.ts';
import { harFaultInWords } from '../../../wording/messages/har-faults.ts';
import { failure } from '../../../wording/result/failure.ts';
import type { FinishedRun } from '../run.ts';
import { version } from '../version.ts';
import type { OutputFolder } from './output.ts';

/** Writes the HAR of a run under a name, and gives the run as it is then. */
export type WriteHar = (done: FinishedRun, name: string) => Promise<FinishedRun>;

/**
 * Writes HARs, also of loads that failed half-way; where none are wanted, runs stay as they are. Each is checked first:
 * one that other tools would refuse is a bug of ours and fails the run.
 *
 * @param job which formats are wanted, what is kept in HARs, and what the user gave to get into the pages: that is never
 *   written, whatever else is
 */
export function harWriter(
  { formats, har: kept, secrets }: Pick<ResolvedJob, 'formats' | 'har' | 'secrets'>,
  output: OutputFolder,
): WriteHar {
  return async (done, name) => {
    const { run, policy } = done;
    const { recording } = done.loaded.outcome;
    if (!recording || !formats.includes('har')) return done;
    const { timeline, verdicts } = done.visit ?? visitOf(recording, policy);
    const built = buildHar(recording, timeline, {
      version: version(),
      verdicts: [...verdicts.values()],
      inWords: verdictReasonInWords,
      policy,
      role: run.role,
      content: kept.content,
      secrets: kept.secrets,
    });
    const har = eraseFromHar(built, secrets);
    const [entries, announced] = [har.log.entries.length, recording.announcedHops];
    const faults: readonly HarFault[] = [
      ...validateHar(har),
      ...(entries === announced ? [] : [{ code: 'other-count' as const, entries, announced }]),
    ];
    await output.write(name, JSON.stringify(har));
    const [first] = faults;
    if (first === undefined) return { ...done, run: { ...run, har: name } };
    return {
      ...done,
      run: { ...run, har: name, ok: false, failure: failure('invalid-har', { detail: harFaultInWords(first) }) },
    };
  };
}
