import { randomUUID } from 'node:crypto';
import type { GithubOutcome } from '../../jobs/github/github.ts';
import { workflowCommand } from '../../reporters/github/workflow-command.ts';
import { type OutputSettings, type RawOptions, readCommandLine } from '../../settings/gather.ts';
import { resolveGithub } from '../../settings/resolve.ts';
import { EXIT, QuiesceError } from '../../wording/messages/messages.ts';
import { logJson } from '../../wording/text/text.ts';
import type { Command } from '../command.ts';
import { watchSignals } from '../interrupt.ts';
import type { World } from '../world.ts';

/** `quiesce github <result.json>` */
export const github: Command = {
  name: 'github',
  argument: '<result.json>',
  summary: 'publish a result on GitHub, with one comment',
  details:
    'Reads the result of an audit or a comparison (the file, or its folder) in a job of GitHub Actions. Writes the job ' +
    'summary, annotations, the outputs of the step, and one comment on the pull request, which the next run updates. The ' +
    'token (GITHUB_TOKEN) needs the permission "pull-requests: write" for the comment. If it can only read, as for forks, ' +
    'there is no comment and no failure. After another workflow (on: workflow_run) it comments on the pull request whose ' +
    'head was measured. Outside of a job it prints the summary, and comments only if --pull, GITHUB_REPOSITORY and ' +
    'GITHUB_TOKEN are set. The exit code is 1 if a gate or a budget failed (see --fail-on), and 3 if something could not ' +
    'be measured; undecided only warns. The Action does all this for you.',
  options: 'github',
  examples: [
    ['quiesce github quiesce-report', 'in a job, after the measurement'],
    ['quiesce github reports/cmp --fail-on never', 'publish, but never fail the job'],
    ['quiesce github out --comment-key shop', 'a separate comment for another page'],
    ['quiesce github reports/cmp', 'on your machine: print the summary'],
  ],
  async run(words, given, world) {
    try {
      return await publish(words, given, world);
    } catch (error) {
      if (!(error instanceof QuiesceError) || world.env.GITHUB_ACTIONS !== 'true') throw error;
      // Next to the job, and escaped: a broken result may contain any text.
      world.stdout.control(`${workflowCommand('error', 'Quiesce', error.message)}\n`);
      return error.exit;
    }
  },
};

async function publish(words: readonly string[], given: RawOptions, world: World): Promise<number> {
  const line = await readCommandLine('github', words, given, world);
  const settings = resolveGithub(line);
  const { output } = line;
  const interrupt = watchSignals(world, { first: () => undefined, second: () => undefined });
  try {
    const outcome = await world.jobs.github(settings, { signal: interrupt.signal });
    show(outcome, output, world);
    return interrupt.exit() ?? outcome.exit;
  } catch (error) {
    throw interrupt.because(error, 'Nothing was published on GitHub');
  } finally {
    interrupt.stop();
  }
}

/** In a job, annotations are commands for the runner, which reads both streams; elsewhere they are lines for people. */
function show(outcome: GithubOutcome, { json, quiet }: OutputSettings, world: World): void {
  const { summary, annotations, notes, isJob, isSummaryWritten } = outcome;
  const screen = json ? world.stderr : world.stdout;
  if (json) world.stdout.write(`${logJson(outcome)}\n`);
  else if (!isSummaryWritten && isJob) world.stdout.control(unread(summary));
  else if (!isSummaryWritten) world.stdout.write(summary);
  for (const { kind, title, message } of annotations) {
    if (isJob) screen.control(`${workflowCommand(kind, title, message)}\n`);
    else world.stderr.line(`${kind}: ${title}. ${message}`);
  }
  const isAnnotated = (note: string): boolean => annotations.some(({ message }) => message === note);
  if (quiet) return;
  for (const note of notes) if (!isAnnotated(note)) world.stderr.line(`note: ${note}`);
  if (outcome.commentUrl !== undefined) world.stderr.line(`Comment: ${outcome.commentUrl}`);
  if (isJob && outcome.exit === EXIT.ok) world.stderr.line(`Decision: ${outcome.decision}`);
}

/** Text in which a runner looks for no commands. Source: GitHub Docs, "Workflow commands", stopping and starting. */
function unread(text: string): string {
  const token = randomUUID();
  return `::stop-commands::${token}\n${text}\n::${token}::\n`;
}
