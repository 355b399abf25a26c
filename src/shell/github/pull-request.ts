import { z } from 'zod';
import { QuiesceError } from '../../wording/messages/messages.ts';
import { type GithubClient, statusInWords } from './client.ts';
import type { GithubEnvironment, Repository } from './github-environment.ts';

const pulls = z.array(z.looseObject({ number: z.int().positive(), head: z.looseObject({ sha: z.string() }) }));

/**
 * The pull request of a job: that of its event, or, after another workflow, the open one whose head that workflow has
 * measured. What the other workflow has stored is not trusted: the author of the pull request may have changed it.
 *
 * @throws QuiesceError `github-no-pull`, or what the client throws
 */
export async function pullRequestOf(
  { event, eventName = 'none' }: GithubEnvironment,
  repository: Repository,
  client: GithubClient,
): Promise<number> {
  if (event?.pull_request) return event.pull_request.number;
  if (event?.workflow_run) return pullBehind(event.workflow_run, repository, client);
  throw new QuiesceError('github-no-pull', { detail: `the event "${eventName}" is not that of a pull request` });
}

type FollowedRun = NonNullable<NonNullable<GithubEnvironment['event']>['workflow_run']>;

async function pullBehind(run: FollowedRun, { owner, name }: Repository, client: GithubClient): Promise<number> {
  const { head_repository: from, head_branch: branch, head_sha: sha } = run;
  if (from === null || branch === null) {
    throw new QuiesceError('github-no-pull', { detail: 'the branch that was measured is gone' });
  }
  const query = new URLSearchParams({ state: 'open', head: `${from.owner.login}:${branch}`, per_page: '100' });
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/pulls?${query}`;
  const { status, body, message } = await client.request({ method: 'GET', path });
  const listed = pulls.safeParse(body);
  if (status !== 200 || !listed.success) {
    throw new QuiesceError('github-refused', { detail: statusInWords({ status, message }) });
  }
  // A branch with newer commits is measured again, and that run writes the comment.
  const [pull] = listed.data.filter(({ head }) => head.sha === sha).sort((a, b) => a.number - b.number);
  if (pull === undefined) {
    const detail = 'no open pull request has the commit that was measured as its head';
    throw new QuiesceError('github-no-pull', { detail });
  }
  return pull.number;
}
