import { readFile } from 'node:fs/promises';
import { z } from 'zod';

type Environment = Readonly<Record<string, string | undefined>>;

/** A repository on GitHub. */
export interface Repository {
  readonly owner: string;
  readonly name: string;
}

/** The environment of a job on GitHub; outside of one most fields are absent. */
export interface GithubEnvironment {
  /** True inside a job: a runner reads what is printed. */
  readonly isJob: boolean;
  /** Without a slash at the end. */
  readonly apiUrl: string;
  readonly token?: string;
  readonly repository?: Repository;
  /** The page of the job's run; of a `workflow_run` that of the run it follows, where the result was measured. */
  readonly runUrl?: string;
  /** The page of the repository, without a slash at the end. */
  readonly repositoryUrl?: string;
  /** What started the job: 'pull_request'. */
  readonly eventName?: string;
  readonly event?: GithubEvent;
  /** The branch that the pull request is to be merged into. */
  readonly pullRequestBase?: string;
  /** The file for the job's summary. */
  readonly summaryFile?: string;
  /** The file for the step's outputs. */
  readonly outputFile?: string;
}

/** The parts of an event that are read. */
type GithubEvent = z.infer<typeof eventForm>;

const hash = z.string().regex(/^[0-9a-f]{40,64}$/);
const eventForm = z.looseObject({
  pull_request: z.looseObject({ number: z.int().positive(), head: z.looseObject({ sha: hash }) }).optional(),
  merge_group: z.looseObject({ base_sha: hash }).optional(),
  workflow_run: z
    .looseObject({
      html_url: z.url({ protocol: /^https?$/ }),
      head_branch: z.string().nullable(),
      head_sha: hash,
      head_repository: z.looseObject({ owner: z.looseObject({ login: z.string() }) }).nullable(),
    })
    .optional(),
});

const PUBLIC_API = 'https://api.github.com';
const PUBLIC_SERVER = 'https://github.com';
/** Characters that may be in a header. Others would cause an error that shows the token. */
const TOKEN = /^[\x21-\x7e]+$/;
const REPOSITORY = /^([\w.-]+)\/([\w.-]+)$/;

/** Reads the environment of a job. Source: GitHub Docs, "Variables reference". */
export async function readGithubEnvironment(env: Environment): Promise<GithubEnvironment> {
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;
  const [, owner, name] = REPOSITORY.exec(given('GITHUB_REPOSITORY') ?? '') ?? [];
  const repositoryUrl =
    owner === undefined ? undefined : `${withoutSlash(given('GITHUB_SERVER_URL') ?? PUBLIC_SERVER)}/${owner}/${name}`;
  const event = await eventIn(given('GITHUB_EVENT_PATH'));
  const run = given('GITHUB_RUN_ID');
  const own = repositoryUrl !== undefined && run !== undefined ? `${repositoryUrl}/actions/runs/${run}` : undefined;
  const token = given('GITHUB_TOKEN');
  return {
    isJob: given('GITHUB_ACTIONS') === 'true',
    apiUrl: withoutSlash(given('GITHUB_API_URL') ?? PUBLIC_API),
    token: token !== undefined && TOKEN.test(token) ? token : undefined,
    repository: owner === undefined || name === undefined ? undefined : { owner, name },
    repositoryUrl,
    runUrl: event?.workflow_run?.html_url ?? own,
    eventName: given('GITHUB_EVENT_NAME'),
    event,
    pullRequestBase: given('GITHUB_BASE_REF'),
    summaryFile: given('GITHUB_STEP_SUMMARY'),
    outputFile: given('GITHUB_OUTPUT'),
  };
}

/** The event; undefined when it cannot be read. */
async function eventIn(file: string | undefined): Promise<GithubEvent | undefined> {
  if (file === undefined) return undefined;
  try {
    return eventForm.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');
