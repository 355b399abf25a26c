import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import type { AuditOutcome } from '../../app/audit.ts';
import { messageFor, UsageError } from '../../core/messages.ts';
import { wantsColor } from '../color.ts';
import type { Command } from '../command.ts';
import { watchSignals } from '../interrupt.ts';
import { createProgress, type ProgressWriter } from '../progress.ts';
import { type ResolvedSettings, resolveSettings } from '../settings.ts';
import { type World, widthOf } from '../world.ts';

/** Width of a table that is not shown on a terminal. */
const UNKNOWN_WIDTH = 100;

/** `quiesce audit <url|dir> …` */
export const audit: Command = {
  name: 'audit',
  argument: '<url|dir> …',
  summary: 'load a page several times, judge when it was complete, write a report',
  details:
    'A target is a URL, or a folder with a built site, which Quiesce serves itself. Several targets are measured ' +
    'one after the other.',
  options: 'audit',
  examples: [
    ['quiesce audit https://example.com/', 'five runs, report in reports/'],
    ['quiesce audit ./dist --runs 10 --out today', 'a folder with a built site'],
    ["quiesce audit <url> --background '*/poll*'", 'name traffic that never ends'],
    ["quiesce audit <url> --complete-on '#ready'", "the page's own sign"],
    ['quiesce audit <url> --json | jq .targets', 'for scripts'],
  ],
  async run(targets, given, world) {
    if (targets.length === 0) throw new UsageError('target-missing');
    const resolved = await resolveSettings('audit', targets, given, world);
    const { output } = resolved;
    const progress = createProgress(world.stderr, { ...output, env: world.env });
    announce(resolved, progress);

    const interrupt = watchSignals(world, {
      first: () => progress.note('Ending with what is done. Once more to stop at once.'),
      second: () => progress.close(),
    });
    let outcome: AuditOutcome;
    try {
      outcome = await world.jobs.audit(resolved.settings, {
        signal: interrupt.signal,
        onProgress: (event) => progress.show(event),
      });
    } catch (error) {
      // Whatever broke after Ctrl-C broke because of it.
      if (interrupt.exit() !== undefined) throw new UsageError('interrupted', {}, { cause: error });
      throw error;
    } finally {
      progress.close();
      interrupt.stop();
    }
    await present(outcome, resolved, world);
    for (const problem of outcome.problems) world.stderr.write(`quiesce: ${problem}\n`);
    if (interrupt.exit() === undefined) return outcome.exit;
    const interrupted = messageFor('interrupted');
    if (!outcome.problems.includes(interrupted)) world.stderr.write(`quiesce: ${interrupted}\n`);
    return interrupt.exit() ?? outcome.exit;
  },
};

function announce(resolved: ResolvedSettings, progress: ProgressWriter): void {
  if (resolved.sandboxOffForRoot) {
    progress.note(
      'The browser runs without its sandbox: Chrome cannot use it as root. Run as another user to have it.',
    );
  }
  if (resolved.output.verbose) progress.note(`settings ${JSON.stringify(resolved.settings)}`);
}

async function present(outcome: AuditOutcome, resolved: ResolvedSettings, world: World): Promise<void> {
  const { json, quiet } = resolved.output;
  if (json) world.stdout.write(`${JSON.stringify(outcome.result, null, 2)}\n`);
  // With --json the table is only there to be looked at.
  if (json && quiet) return;
  const output = json ? world.stderr : world.stdout;
  const color = wantsColor(output, world.env);
  const table = await world.jobs.renderTerminal(outcome.report, { color, width: widthOf(output, UNKNOWN_WIDTH) });
  output.write(`${table.replace(/\n*$/, '')}\n`);
  output.write(`${whereItIs(outcome, world.cwd)}\n`);
}

function whereItIs(outcome: AuditOutcome, cwd: string): string {
  const page = outcome.files.find((file) => basename(file) === 'index.html');
  const path = page === undefined ? outcome.out : isAbsolute(page) ? page : join(outcome.out, basename(page));
  const absolute = resolve(cwd, path);
  const short = relative(cwd, absolute) || '.';
  // A way up through half the disk is harder to read than the whole path.
  return `${page === undefined ? 'Results' : 'Report'}: ${short.startsWith('..') ? absolute : short}`;
}
