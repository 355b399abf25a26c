import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeGithub, type FakePull, startFakeGithub, TOKEN } from '../../../fixtures/github/server.ts';
import { GithubClient } from '../../../src/shell/github/client.ts';
import { readGithubEnvironment } from '../../../src/shell/github/github-environment.ts';
import { pullRequestOf } from '../../../src/shell/github/pull-request.ts';
import { folderForEach } from '../../support/folders.ts';
import { scriptedClock } from './scripted-clock.ts';

const SHA = 'c'.repeat(40);
const OTHER = 'd'.repeat(40);

const folder = folderForEach('github');

async function around(event: unknown, env: Readonly<Record<string, string>> = {}) {
  const file = path.join(folder(), 'event.json');
  await writeFile(file, typeof event === 'string' ? event : JSON.stringify(event));
  return readGithubEnvironment({ GITHUB_REPOSITORY: 'octo/shop', GITHUB_EVENT_PATH: file, ...env });
}

describe('the surroundings', () => {
  it('of a job are what its variables say', async () => {
    const found = await around(
      { pull_request: { number: 7, head: { sha: SHA } } },
      {
        GITHUB_ACTIONS: 'true',
        GITHUB_API_URL: 'https://ghe.example/api/v3/',
        GITHUB_SERVER_URL: 'https://ghe.example',
        GITHUB_RUN_ID: '42',
        GITHUB_TOKEN: ' secret\n',
        GITHUB_EVENT_NAME: 'pull_request',
        GITHUB_STEP_SUMMARY: '/summary',
        GITHUB_OUTPUT: '/output',
      },
    );
    expect(found).toMatchObject({
      isJob: true,
      apiUrl: 'https://ghe.example/api/v3',
      token: 'secret',
      repository: { owner: 'octo', name: 'shop' },
      runUrl: 'https://ghe.example/octo/shop/actions/runs/42',
      eventName: 'pull_request',
      summaryFile: '/summary',
      outputFile: '/output',
    });
  });

  it('at home are next to nothing', async () => {
    expect(await readGithubEnvironment({})).toEqual({ isJob: false, apiUrl: 'https://api.github.com' });
  });

  it.each([
    ['half a file', '{"pull_request":'],
    ['a list', []],
    ['a number that is none', { pull_request: { number: '7', head: { sha: SHA } } }],
    ['a hash that is none', { pull_request: { number: 7, head: { sha: '](x)' } } }],
  ])('with an event that is %s know no event', async (_, event) => {
    expect((await around(event)).event).toBeUndefined();
  });

  it('take no token that cannot stand in a header, and no repository that is none', async () => {
    const found = await readGithubEnvironment({ GITHUB_TOKEN: 'a\nb', GITHUB_REPOSITORY: 'a/b/c' });
    expect(found?.token).toBeUndefined();
    expect(found?.repository).toBeUndefined();
  });
});

describe('the pull request', () => {
  let github: FakeGithub | undefined;
  afterEach(async () => {
    await github?.close();
    github = undefined;
  });

  async function found(event: unknown, pulls: readonly FakePull[] = []): Promise<number | string> {
    github = await startFakeGithub({ pulls });
    const signal = new AbortController().signal;
    const client = new GithubClient({ apiUrl: github.url, token: TOKEN, signal, clock: scriptedClock() });
    const surroundings = await around(event, { GITHUB_EVENT_NAME: 'some_event' });
    return pullRequestOf(surroundings, { owner: 'octo', name: 'shop' }, client).catch((error: Error) => error.message);
  }
  const followed = (over: object = {}) => ({
    workflow_run: {
      html_url: 'https://github.com/octo/shop/actions/runs/1',
      head_branch: 'fix & <more>',
      head_sha: SHA,
      head_repository: { owner: { login: 'mallory' } },
      pull_requests: [{ number: 999 }],
      ...over,
    },
  });
  const fork: FakePull = { number: 12, head: { label: 'mallory:fix & <more>', sha: SHA } };

  it("is the event's", async () => {
    expect(await found({ pull_request: { number: 7, head: { sha: SHA } } })).toBe(7);
    expect(github?.seen).toEqual([]);
  });

  it('behind another workflow is the open one with the head that was measured', async () => {
    const others: readonly FakePull[] = [
      { number: 10, head: { label: 'octo:fix & <more>', sha: SHA } },
      { number: 11, state: 'closed', head: fork.head },
    ];
    expect(await found(followed(), [...others, fork])).toBe(12);
  });

  it.each([
    [
      'that has moved on',
      followed(),
      [{ ...fork, head: { ...fork.head, sha: OTHER } }],
      /has the commit that was measured/,
    ],
    ['that is closed', followed(), [{ ...fork, state: 'closed' as const }], /has the commit that was measured/],
    ['whose fork is gone', followed({ head_repository: null }), [fork], /the branch that was measured is gone/],
    ['that never was', { ref: 'refs/heads/main' }, [fork], /the event "some_event" is not that of a pull request/],
  ])('%s is none, and that is told', async (_, event, pulls, line) => {
    expect(await found(event, pulls)).toMatch(line);
  });
});
