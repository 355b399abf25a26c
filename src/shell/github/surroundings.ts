import { readFile } from 'node:fs/promises';
import { z } from 'zod';

type Environment = Readonly<Record<string, string | undefined>>;

/** A repository on GitHub. */
export interface Repository {
  readonly owner: string;
  readonly name: string;
}

/** What a job on GitHub is told by its environment; outside of one most of it is absent. */
export interface GithubSurroundings {
  /** True inside a job: what is printed is read by a runner. */
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
  /** Where the job's summary is written. */
  readonly summaryFile?: string;
  /** Where the step's outputs are written. */
  readonly outputFile?: string;
}

/** What is read of an event. */
export type GithubEvent = z.infer<typeof eventForm>;

const hash = z.string().regex(/^[0-9a-f]{40,64}$/);
const eventForm = z.looseObject({
  pull_request: z.looseObject({ number: z.int().positive(), head: z.looseObject({ sha: hash }) }).optional(),
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
/** What can stand in a header; anything else would be told in an error. */
const TOKEN = /^[\x21-\x7e]+$/;
const REPOSITORY = /^([\w.-]+)\/([\w.-]+)$/;

/** Reads the environment of a job. Source: GitHub Docs, "Variables reference". */
export async function githubSurroundings(env: Environment): Promise<GithubSurroundings> {
  const given = (name: string): string | undefined => env[name]?.trim() || undefined;
  const [, owner, name] = REPOSITORY.exec(given('GITHUB_REPOSITORY') ?? '') ?? [];
  const repositoryUrl =
    owner === undefined ? undefined : `${withoutSlash(given('GITHUB_SERVER_URL') ?? PUBLIC_SERVER)}/${owner}/${name}`;
  const event = await eventIn(given('GITHUB_EVENT_PATH'));
  const run = given('GITHUB_RUN_ID');
  const own = repositoryUrl !== undefined && run !== undefined ? `${repositoryUrl}/actions/runs/${run}` : undefined;
  const token = given('GITHUB_TOKEN');
  return withoutAbsent({
    isJob: given('GITHUB_ACTIONS') === 'true',
    apiUrl: withoutSlash(given('GITHUB_API_URL') ?? PUBLIC_API),
    token: token !== undefined && TOKEN.test(token) ? token : undefined,
    repository: owner === undefined || name === undefined ? undefined : { owner, name },
    repositoryUrl,
    runUrl: event?.workflow_run?.html_url ?? own,
    eventName: given('GITHUB_EVENT_NAME'),
    event,
    summaryFile: given('GITHUB_STEP_SUMMARY'),
    outputFile: given('GITHUB_OUTPUT'),
  });
}

/** An event as far as it is known; what cannot be read says nothing. */
async function eventIn(file: string | undefined): Promise<GithubEvent | undefined> {
  if (file === undefined) return undefined;
  try {
    return eventForm.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** Absent members are no members. */
function withoutAbsent<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never;
}
