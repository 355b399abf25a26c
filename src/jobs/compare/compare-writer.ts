import type { Redactor } from '../../core/har/redact.ts';
import type { CompareResult } from '../../model/compare/comparison.ts';
import type { CompareReport } from '../../model/result/report.ts';
import { fileFormats, type ReportFormat } from '../../reporters/formats.ts';
import { RACE_FILE, SHARD_FILE } from '../../shell/disk/stored-results.ts';
import type { JobOutput } from '../engine/reports/output.ts';
import { withRace } from '../engine/reports/race-file.ts';
import { redactDeep } from '../engine/reports/report-model.ts';
import { shardFileOf } from '../merge/shard-file.ts';
import { perBuild } from './builds.ts';
import { compareReport } from './compare-result.ts';
import { type ComparedBlock, forget, type ResumeConditions, storeBlock, storeHead } from './compare-state.ts';
import { type Comparison, sidesOf } from './comparison.ts';

/** Writes down a comparison: what it can be resumed from, and its reports. */
export interface CompareWriter {
  /** Stores what was settled before the first block, once that is known. */
  saveHead(): Promise<void>;
  saveBlock(block: ComparedBlock): Promise<void>;
  /** Writes result.json of a comparison under way, where it is wanted. */
  saveResult(): Promise<void>;
  /** Writes all reports that are wanted, and gives what they were written from. */
  writeReports(exitOf: (result: CompareResult) => number): Promise<CompareReport>;
  /** Removes what it could be resumed from. */
  forget(): Promise<void>;
}

/** Writes a comparison as it stands whenever it is asked to. It may be resumed only with the same `asked`. */
export function compareWriter(
  comparison: Comparison,
  asked: ResumeConditions,
  formats: readonly ReportFormat[],
  output: JobOutput,
  redact: Redactor,
): CompareWriter {
  const write = async (report: CompareReport, wanted: readonly ReportFormat[]): Promise<void> => {
    for (const { format, file, load } of fileFormats) {
      if (wanted.includes(format)) await output.write(file, (await load()).compare(report));
    }
    if (comparison.setup.share && wanted.includes('json')) {
      await output.write(SHARD_FILE, shardFileOf(comparison.blocks, redact));
    }
  };
  return {
    async saveHead() {
      const known = sidesOf(comparison);
      if (!known) return;
      const sides = perBuild((build) => {
        const { thumbnails, ...side } = known[build];
        // Pictures hold no text that could be redacted, and are long.
        return { ...redactDeep(side, redact), thumbnails };
      });
      const { plan, browser, extraLooks, setup } = comparison;
      const startedAt = setup.startedAt.toISOString();
      const steps = [...comparison.steps].map(([name, step]) => ({
        name,
        sides: redactDeep(step.sides, redact),
        extraLooks: step.extraLooks,
      }));
      await storeHead(output.store, { startedAt, browser, asked, plan, sides, extraLooks, steps });
    },
    async saveBlock(block) {
      const steps = [...comparison.steps].flatMap(([name, { blocks }]) =>
        blocks.flatMap((each) => (each.index === block.index ? { name, block: each } : [])),
      );
      await storeBlock(output.store, redactDeep({ ...block, steps }, redact));
    },
    saveResult: () => write(compareReport(comparison, redact), formats.includes('json') ? ['json'] : []),
    async writeReports(exitOf) {
      const { report, race } = await withRace(compareReport(comparison, redact, exitOf), formats);
      if (race) await output.write(RACE_FILE, race);
      await write(report, formats);
      return report;
    },
    forget: () => forget(output.store),
  };
}
