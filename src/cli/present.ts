import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AuditOutcome } from '../jobs/audit/audit.ts';
import type { CapacityOutcome } from '../jobs/capacity/capacity.ts';
import type { CompareOutcome } from '../jobs/compare/compare.ts';
import type { ComparePagesOutcome } from '../jobs/compare/compare-pages.ts';
import { namedFailures } from '../report/audit/failures.ts';
import type { TerminalOptions } from '../reporters/terminal/screen.ts';
import type { OutputSettings } from '../settings/gather.ts';
import { logJson } from '../wording/text/text.ts';
import type { Output } from './output.ts';
import { knowsLinks, openPage, wantsColor, writeLink } from './terminal.ts';
import { type World, widthOf } from './world.ts';

/** Width of a table that is not shown on a terminal. */
const UNKNOWN_WIDTH = 100;

/** What jobs that write reports leave behind. */
export type Outcome =
  | AuditOutcome
  | CompareOutcome
  | ComparePagesOutcome
  | (CapacityOutcome & { readonly report?: undefined });

/**
 * Writes a result as JSON with `--json`, and its table for people, unless these two options leave it out.
 *
 * @returns where the table stands; undefined where there is none
 */
export async function showTable(
  result: unknown,
  render: (options: TerminalOptions) => Promise<string>,
  { json, quiet, verbose }: OutputSettings,
  world: World,
): Promise<Output | undefined> {
  if (json) world.stdout.write(`${logJson(result)}\n`);
  if (json && quiet) return undefined;
  const screen = json ? world.stderr : world.stdout;
  const detail = verbose ? 'all' : 'brief';
  screen.write(await render({ color: wantsColor(screen, world.env), width: widthOf(screen, UNKNOWN_WIDTH), detail }));
  return screen;
}

/**
 * Shows what a job leaves behind: a table and where the report lies, or the result itself with `--json`.
 *
 * @returns whether the table says a problem
 */
export async function present(
  outcome: Outcome,
  output: OutputSettings,
  world: World,
): Promise<(problem: Outcome['problems'][number]) => boolean> {
  const { result, report } = outcome;
  const { renderCapacity, renderTerminal } = world.jobs;
  // A table of nothing: the problems say why.
  const isAnything = isAnythingToShow(outcome);
  const render = async (options: TerminalOptions): Promise<string> => {
    if (!isAnything) return '';
    const table = report === undefined ? renderCapacity(outcome.result, options) : renderTerminal(report, options);
    return `${(await table).replace(/\n*$/, '')}\n`;
  };
  const screen = await showTable(result, render, output, world);
  if (screen === undefined) return () => false;
  if (isAnything || outcome.files.length > 0) {
    await presentPage(outcome, { ...output, open: output.open && isAnything }, screen, world);
  }
  if (!isAnything || report === undefined) return () => false;
  const failures = 'targets' in report ? namedFailures(report, output.verbose ? 'all' : 'brief') : [];
  // That the machine was busy stands beside the answer.
  return ({ code, message }) => code === 'host-unfit' || failures.includes(message);
}

/** False when no load came to anything, or there was none and nothing was written. A shard may be without pages. */
function isAnythingToShow({ result, files }: Outcome): boolean {
  if (result.kind === 'capacity') return true;
  const pages = 'targets' in result ? result.targets : [result];
  const targets = pages.flatMap((page) => ('base' in page ? [page.base, page.candidate] : [page]));
  if (result.shard !== undefined) return true;
  return targets.length === 0 ? files.length > 0 : targets.some(({ runs }) => runs.some(({ ok }) => ok));
}

/** Says where the page of a job lies, or its folder, and opens it with `--open`. */
export async function presentPage(
  outcome: Pick<Outcome, 'out' | 'files'>,
  { open, quiet }: Pick<OutputSettings, 'open' | 'quiet'>,
  screen: Output,
  world: World,
): Promise<void> {
  const { env, cwd } = world;
  const { title, path } = reportOrFolder(outcome, cwd);
  const short = relative(cwd, path) || '.';
  // A way up through half the disk is harder to read than the whole path.
  const shown = short.startsWith('..') ? path : short;
  if (knowsLinks(screen, env)) {
    screen.write(`${title}: `);
    writeLink(shown, pathToFileURL(path), screen);
  } else screen.line(`${title}: ${shown}`);
  if (!open || title !== 'Report') return;
  const failure = await openPage(path, screen, world);
  if (failure !== undefined && !quiet) world.stderr.line(failure);
}

/** The page of a job, or its folder, absolute. */
function reportOrFolder({ out, files }: Pick<Outcome, 'out' | 'files'>, cwd: string) {
  const page = files.find((file) => basename(file) === 'index.html');
  const path = page === undefined ? out : isAbsolute(page) ? page : join(out, basename(page));
  return { title: page === undefined ? 'Results' : 'Report', path: resolve(cwd, path) } as const;
}
