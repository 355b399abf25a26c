import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import type { AuditOutcome } from '../jobs/audit/audit.ts';
import type { CompareOutcome } from '../jobs/compare/compare.ts';
import type { OutputSettings } from '../settings/gather.ts';
import { wantsColor } from './color.ts';
import { type World, widthOf } from './world.ts';

/** Width of a table that is not shown on a terminal. */
const UNKNOWN_WIDTH = 100;

/** What jobs that write reports leave behind. */
export type Outcome = AuditOutcome | CompareOutcome;

/** Shows what a job leaves behind: a table and where the report lies, or the result itself with `--json`. */
export async function present(outcome: Outcome, output: OutputSettings, world: World): Promise<void> {
  const { json, quiet } = output;
  if (json) world.stdout.write(`${JSON.stringify(outcome.result, null, 2)}\n`);
  // Nothing could be analysed: the problems say why.
  if (outcome.files.length === 0 && 'targets' in outcome.result && outcome.result.targets.length === 0) return;
  // With --json the table is for people only.
  if (json && quiet) return;
  const screen = json ? world.stderr : world.stdout;
  const color = wantsColor(screen, world.env);
  const table = await world.jobs.renderTerminal(outcome.report, { color, width: widthOf(screen, UNKNOWN_WIDTH) });
  screen.write(`${table.replace(/\n*$/, '')}\n`);
  screen.write(`${whereItIs(outcome, world.cwd)}\n`);
}

/** Where the page of a job lies, or its folder: a line that begins with "Report:" or "Results:". */
export function whereItIs(outcome: Pick<Outcome, 'out' | 'files'>, cwd: string): string {
  const page = outcome.files.find((file) => basename(file) === 'index.html');
  const path = page === undefined ? outcome.out : isAbsolute(page) ? page : join(outcome.out, basename(page));
  const absolute = resolve(cwd, path);
  const short = relative(cwd, absolute) || '.';
  // A way up through half the disk is harder to read than the whole path.
  return `${page === undefined ? 'Results' : 'Report'}: ${short.startsWith('..') ? absolute : short}`;
}
