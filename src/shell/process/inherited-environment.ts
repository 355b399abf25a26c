/**
 * The files by which a step of a job on GitHub sets variables, the PATH, outputs and the summary of the job, for the steps after
 * it as well. Source: GitHub Docs, "Workflow commands for GitHub Actions", environment files.
 */
export const STEP_FILES = [
  'GITHUB_ENV',
  'GITHUB_PATH',
  'GITHUB_OUTPUT',
  'GITHUB_STEP_SUMMARY',
  'GITHUB_STATE',
] as const;

/**
 * The environment that programs started by this one inherit. No setting of Quiesce is read from it. Builds and servers are a
 * repository's code: they set nothing for the steps after them.
 */
export const inheritedEnvironment = (): NodeJS.ProcessEnv => withoutStepFiles(process.env);

/** The environment without the files of the step. */
export function withoutStepFiles(env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !STEP_FILES.some((file) => file === name)));
}
