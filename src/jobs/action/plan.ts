import { planAction, readInputs } from '../../settings/action-inputs.ts';
import { readCommandLine } from '../../settings/gather.ts';
import { readGithubEnvironment } from '../../shell/github/github-environment.ts';
import { appendOutputs } from '../../shell/github/job-files.ts';
import { EXIT, QuiesceError } from '../../wording/messages/messages.ts';
import { notMeasured } from './not-measured.ts';

/** Where a step of the Action works. */
export interface StepHooks {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly isRoot: boolean;
  readonly readsConfig?: boolean;
  /** Writes to the log of the job. */
  write(text: string): void;
}

/**
 * The step that reads all inputs. It writes what the other steps do as the outputs `plan` and `artifact`; where an input
 * is wrong it tells the job, and writes `exit-code`.
 *
 * @returns The exit code of the step.
 */
export async function plan(hooks: StepHooks): Promise<number> {
  const { event, pullRequestBase, outputFile } = await readGithubEnvironment(hooks.env);
  const write = async (outputs: Readonly<Record<string, string>>): Promise<void> => {
    if (outputFile !== undefined) await appendOutputs(outputFile, outputs);
  };
  try {
    const planned = planAction(readInputs(hooks.env.ACTION_INPUTS ?? '{}'), {
      pullRequestBase,
      mergeGroupBase: event?.merge_group?.base_sha,
    });
    await checkGithubOptions(planned.github, hooks);
    await write({ plan: JSON.stringify(planned), artifact: planned.artifact });
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof QuiesceError)) throw error;
    await write({ 'exit-code': String(error.exit) });
    hooks.write(await notMeasured(`quiesce: ${error.message}`, error.message, hooks.env));
    return error.exit;
  }
}

/** What only the last step reads would be found wrong only when all is measured. */
async function checkGithubOptions(options: Readonly<Record<string, string>>, hooks: StepHooks): Promise<void> {
  try {
    await readCommandLine('github', [], options, hooks);
  } catch (error) {
    if (!(error instanceof QuiesceError) || error.code !== 'option-invalid') throw error;
    // A wrong option is a wrong input here, and is called as in the workflow.
    const { option = '', detail = '' } = error.details;
    throw new QuiesceError(error.code, { option: option.replace(/^--(?:no-)?/, ''), detail }, { cause: error });
  }
}
