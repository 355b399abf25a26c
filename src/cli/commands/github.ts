import { randomUUID } from 'node:crypto';
import type { GithubOutcome } from '../../app/github.ts';
import { EXIT, UsageError } from '../../core/messages.ts';
import { logLine, workflowCommand } from '../../report/github/workflow-command.ts';
import type { Command } from '../command.ts';
import { watchSignals } from '../interrupt.ts';
import { type Given, type OutputSettings, resolveSettings } from '../settings.ts';
import type { World } from '../world.ts';

/** `quiesce github <result.json>` */
export const github: Command = {
  name: 'github',
  argument: '<result.json>',
  summary: 'tell GitHub of a result: summary, annotations, one comment',
  details:
    'Reads the result of an audit or a comparison (the file, or the folder that holds it) inside a job of GitHub ' +
    'Actions, and writes the summary of the job, annotations, the outputs of the step, and one comment on the pull ' +
    'request, which is brought up to date by the next run and never repeated. The token (GITHUB_TOKEN) needs the ' +
    'permission "pull-requests: write" for that; where it may only read, as for forks, there is no comment and no ' +
    'failure. After another workflow (on: workflow_run) it comments on the pull request whose head was measured. ' +
    'Outside of a job it prints the summary, and comments only when --pull, GITHUB_REPOSITORY and GITHUB_TOKEN say ' +
    'where. The exit code is 1 when a gate or a budget fails, as --fail-on has it, and 3 when what was to be measured ' +
    'was not; undecided is a warning. action.yml does all this by itself.',
  options: 'github',
  examples: [
    ['quiesce github quiesce-report', 'in a job, once it is measured'],
    ['quiesce github reports/cmp --fail-on never', 'tell, and let it pass'],
    ['quiesce github out --comment-key shop', 'a comment of its own for another page'],
    ['quiesce github reports/cmp', 'at home: the summary as it would be'],
  ],
  async run(words, given, world) {
    try {
      return await tellGithub(words, given, world);
    } catch (error) {
      if (!(error instanceof UsageError) || world.env.GITHUB_ACTIONS !== 'true') throw error;
      // Beside the job, and escaped: a broken result may hold anything.
      world.stdout.write(`${workflowCommand('error', 'Quiesce', error.message)}\n`);
      return error.exit;
    }
  },
};

async function tellGithub(words: readonly string[], given: Given, world: World): Promise<number> {
  const [result] = words;
  if (result === undefined || words.length > 1) throw new UsageError('github-result-missing');
  const { settings, output } = await resolveSettings('github', words, given, world);
  const interrupt = watchSignals(world, { first: () => undefined, second: () => undefined });
  try {
    const outcome = await world.jobs.github({ ...settings, result }, { signal: interrupt.signal, env: world.env });
    show(outcome, output, world);
    return interrupt.exit() ?? outcome.exit;
  } catch (error) {
    throw interrupt.because(error, 'GitHub was not told');
  } finally {
    interrupt.stop();
  }
}

/** Annotations are for the runner, which reads both streams; at home they are lines for people. */
function show(outcome: GithubOutcome, { json, quiet }: OutputSettings, world: World): void {
  const { summary, annotations, notes, isJob, isSummaryWritten } = outcome;
  const screen = json ? world.stderr : world.stdout;
  // The same text to whoever parses it, and no command to a runner, which looks for the older form anywhere in a line.
  if (json) world.stdout.write(`${JSON.stringify(outcome, null, 2).replaceAll('##[', '##\\u005b')}\n`);
  else if (!isSummaryWritten) world.stdout.write(isJob ? unread(summary) : summary);
  const lines = isJob
    ? annotations.map(({ kind, title, message }) => workflowCommand(kind, title, message))
    : annotations.map(({ kind, title, message }) => `${kind}: ${title}. ${message}`);
  for (const line of lines) (isJob ? screen : world.stderr).write(`${isJob ? line : logLine(line)}\n`);
  const isTold = (note: string): boolean => annotations.some(({ message }) => message === note);
  if (quiet) return;
  for (const note of notes) if (!isTold(note)) world.stderr.write(`note: ${logLine(note)}\n`);
  if (outcome.commentUrl !== undefined) world.stderr.write(`Comment: ${logLine(outcome.commentUrl)}\n`);
  if (isJob && outcome.exit === EXIT.ok) world.stderr.write(`Decision: ${logLine(outcome.decision)}\n`);
}

/** Text in which a runner looks for no commands. Source: GitHub Docs, "Workflow commands", stopping and starting. */
function unread(text: string): string {
  const token = randomUUID();
  return `::stop-commands::${token}\n${text}\n::${token}::\n`;
}
