import { cp, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACTIONS_BOT, type FakeGithub, startFakeGithub, TOKEN } from '../../../fixtures/github/server.ts';
import { markerOf } from '../../../src/core/github/marker.ts';
import { type GithubOutcome } from '../../../src/jobs/github/github.ts';
import { readOutputs } from '../../action/job-files.ts';
import { type ComparisonOptions, comparisonReport } from '../../reporters/comparison.ts';
import { scriptedClock } from '../../shell/github/scripted-clock.ts';
import { folderForEach } from '../../support/folders.ts';
import { type GithubOptions, github } from '../../support/jobs.ts';

const SHA = 'b'.repeat(40);
const PULL = { number: 7, head: { label: 'octo:topic', sha: SHA } };
const PULL_EVENT = { pull_request: { number: 7, head: { sha: SHA } } };

const folder = folderForEach('github');
let hub: FakeGithub;
beforeEach(async () => {
  hub = await startFakeGithub({
    pulls: [PULL, { number: 8, head: { label: 'mallory:topic', sha: SHA } }],
    tokens: { [TOKEN]: { account: ACTIONS_BOT }, fork: { account: ACTIONS_BOT, mayWrite: false } },
  });
});
afterEach(async () => {
  await hub.close();
});

const store = (result: unknown) => writeFile(path.join(folder(), 'result.json'), JSON.stringify(result));
const compared = (options: ComparisonOptions = {}) => store(comparisonReport(options).result);

interface Surroundings {
  readonly event?: unknown;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly settings?: Partial<GithubOptions>;
}

/** As a job on GitHub would run it. */
async function inJob({ event = PULL_EVENT, env, settings }: Surroundings = {}): Promise<GithubOutcome> {
  await writeFile(path.join(folder(), 'event.json'), JSON.stringify(event));
  const all: GithubOptions = { result: folder(), failOn: 'slower', comment: true, commentKey: 'quiesce', ...settings };
  return github(all, {
    clock: scriptedClock(),
    env: {
      GITHUB_ACTIONS: 'true',
      GITHUB_API_URL: hub.url,
      GITHUB_REPOSITORY: 'octo/shop',
      GITHUB_RUN_ID: '42',
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_EVENT_PATH: path.join(folder(), 'event.json'),
      GITHUB_STEP_SUMMARY: path.join(folder(), 'summary'),
      GITHUB_OUTPUT: path.join(folder(), 'output'),
      GITHUB_TOKEN: TOKEN,
      ...env,
    },
  });
}

const summary = () => readFile(path.join(folder(), 'summary'), 'utf8');
const outputs = async () => readOutputs(await readFile(path.join(folder(), 'output'), 'utf8'));

describe('the folder of a result', () => {
  const links = async (name: string) => {
    await rename(path.join(folder(), name), path.join(folder(), 'private'));
    await symlink(path.join(folder(), 'private'), path.join(folder(), name));
  };

  it('is not left through a link: no result is read there', async () => {
    await compared();
    await links('result.json');
    await expect(inJob()).rejects.toMatchObject({ code: 'result-unreadable', message: /it is a symbolic link/ });
    expect(hub.comments).toEqual([]);
  });

  it('is not left through a link: no page is named there', async () => {
    await compared();
    await writeFile(path.join(folder(), 'index.html'), 'a page');
    await links('index.html');
    expect((await inJob()).reportPath).toBeUndefined();
    expect((await outputs())['report-path']).toBe('');
  });
});

describe('a comparison', () => {
  it('is told in the summary, the outputs, annotations and a comment', async () => {
    await compared();
    await writeFile(path.join(folder(), 'index.html'), 'a page');
    const outcome = await inJob({
      settings: { reportUrl: 'https://github.com/octo/shop/actions/runs/42/artifacts/1' },
    });
    expect(outcome).toMatchObject({ exit: 1, decision: 'slower', isSummaryWritten: true, notes: [] });
    const [comment] = hub.comments;
    expect(hub.comments).toHaveLength(1);
    expect(comment?.body).toBe(`${markerOf('quiesce')}\n${outcome.summary}`);
    expect(await summary()).toBe(`\n${outcome.summary}`);
    expect(outcome.summary).toMatch(/^### 🔴 Slower/);
    expect(outcome.summary).toMatch(/`poll` .* ➕ new/);
    expect(outcome.summary).toContain('[**Full report**](<https://github.com/octo/shop/actions/runs/42/artifacts/1>)');
    expect(outcome.summary).toContain('[Workflow run](<https://github.com/octo/shop/actions/runs/42>)');
    expect(outcome.summary).toContain(`(<https://github.com/octo/shop/commit/${SHA}>)`);
    expect(await outputs()).toEqual({
      decision: 'slower',
      'page-complete-difference': expect.stringMatching(/^0\.08\d\d$/),
      'report-path': path.join(folder(), 'index.html'),
      'result-path': path.join(folder(), 'result.json'),
      'comment-url': comment?.html_url,
    });
    expect(outcome.annotations.map(({ kind, title }) => `${kind} ${title}`)).toEqual(['error Page complete: slower']);
  });

  it('of the next push changes that comment', async () => {
    await compared();
    const { commentUrl } = await inJob();
    await compared({ outcome: 'same' });
    expect(await inJob()).toMatchObject({ commentUrl, exit: 0, decision: 'same' });
    expect(hub.comments.map(({ body }) => body)).toEqual([expect.stringContaining('### ⚪ The same')]);
  });

  it('too long for a comment is cut there, and whole in the summary', async () => {
    const { result } = comparisonReport();
    const gates = result.comparisons.map((each) => ({ ...each, gate: true, sentence: '@x '.repeat(90) }));
    await store({ ...result, comparisons: Array.from({ length: 90 }, () => gates).flat() });
    const outcome = await inJob();
    const [comment] = hub.comments;
    expect(comment?.body.length).toBeLessThanOrEqual(65_536);
    expect(comment?.body.length).toBeGreaterThan(64_000);
    expect(comment?.body).toMatch(/\nCut here: .*\n\n\[Workflow run\]\(<.*>\) · Commit \[.*\n$/);
    expect((await summary()).length).toBeGreaterThan(65_536);
    expect(await summary()).not.toContain('Cut here');
    expect(outcome.annotations.every(({ title }) => title !== 'Quiesce')).toBe(true);
  });

  it('too long for a summary is cut there, too: GitHub would leave all of it out', async () => {
    const { result } = comparisonReport();
    const wide = { ...result.comparisons[0], metric: '→ '.repeat(200), gate: true, sentence: '→ '.repeat(150) };
    await store({ ...result, comparisons: Array.from({ length: 2000 }, () => wide) });
    await inJob();
    const bytes = Buffer.byteLength(await summary());
    expect(bytes).toBeLessThanOrEqual(1024 * 1024);
    expect(bytes).toBeGreaterThan(300_000);
    expect(await summary()).toMatch(/\nCut here: .*\n\n\[Workflow run\]/);
  });

  it('of a shard is a line in the summary, and no comment', async () => {
    const { result } = comparisonReport();
    await store({ ...result, shard: { index: 2, of: 4, work: 'w', total: 20 }, sentence: 'Shard 2 of 4.' });
    const outcome = await inJob();
    expect(outcome).toMatchObject({ exit: 0, notes: [] });
    expect(outcome.summary).toMatch(/^### Shard 2 of 4\n\nShard 2 of 4\.\n/);
    expect(hub.seen).toEqual([]);
  });
});

describe('an audit', () => {
  it('of the example has its answer, and no difference', async () => {
    await cp(path.resolve('reports/example/result.json'), path.join(folder(), 'result.json'));
    const outcome = await inJob();
    expect(outcome).toMatchObject({ exit: 0, decision: 'complete' });
    expect(outcome.annotations).toEqual([
      { kind: 'notice', title: 'Complete', message: expect.stringMatching(/^The page is complete after/) },
    ]);
    expect(hub.comments[0]?.body).toContain('### ✅ Complete');
    expect((await outputs())['page-complete-difference']).toBe('');
    expect((await outputs())['report-path']).toBe('');
  });
});

describe('what cannot be told fails nothing', () => {
  const readOnly = /No comment was written: the token may only read .* workflow_run/;
  it.each<[string, Surroundings, RegExp, 'notice' | 'warning']>([
    ["a fork's token", { env: { GITHUB_TOKEN: 'fork' } }, readOnly, 'notice'],
    ['no token', { env: { GITHUB_TOKEN: undefined } }, /there is no GITHUB_TOKEN/, 'notice'],
    ['a token that is none', { env: { GITHUB_TOKEN: 'x' } }, /HTTP 401/, 'warning'],
    ['an API that is nowhere', { env: { GITHUB_API_URL: 'ghe.example/api/v3' } }, /GITHUB_API_URL is not/, 'warning'],
    ['a pull request that is gone', { settings: { pull: 99 } }, /has no pull request 99/, 'warning'],
  ])('%s', async (_, surroundings, line, kind) => {
    await compared({ outcome: 'same' });
    const outcome = await inJob(surroundings);
    expect(outcome.exit).toBe(0);
    expect(outcome.notes).toEqual([expect.stringMatching(line)]);
    expect(outcome.annotations).toContainEqual({ kind, title: 'Quiesce', message: outcome.notes[0] });
    expect(await summary()).toContain('### ⚪ The same');
    expect((await outputs())['comment-url']).toBe('');
    expect(hub.comments).toEqual([]);
  });

  it('GitHub being down', async () => {
    await compared({ outcome: 'same' });
    hub.fail(...Array.from({ length: 30 }, () => ({ status: 502 })));
    const outcome = await inJob();
    expect(outcome).toMatchObject({
      exit: 0,
      notes: [expect.stringMatching(/GitHub could not be reached \(HTTP 502\)/)],
    });
    expect(await summary()).toContain('### ⚪ The same');
  });

  it('an event without a pull request, which is no news beside the job', async () => {
    await compared({ outcome: 'same' });
    const outcome = await inJob({ event: { ref: 'refs/heads/main' }, env: { GITHUB_EVENT_NAME: 'push' } });
    expect(outcome.notes).toEqual([expect.stringMatching(/the event "push" is not that of a pull request/)]);
    expect(outcome.annotations.map(({ title }) => title)).toEqual(['The same']);
    expect(hub.seen).toEqual([]);
  });

  it('files of the job that cannot be written', async () => {
    await compared({ outcome: 'same' });
    const nowhere = path.join(folder(), 'none', 'file');
    const outcome = await inJob({ env: { GITHUB_STEP_SUMMARY: nowhere, GITHUB_OUTPUT: nowhere } });
    expect(outcome).toMatchObject({ exit: 0, isSummaryWritten: false });
    expect(outcome.notes).toEqual([
      'GITHUB_STEP_SUMMARY could not be written (ENOENT). Check that it is a file of this job.',
      'GITHUB_OUTPUT could not be written (ENOENT). Check that it is a file of this job.',
    ]);
    expect(hub.comments).toHaveLength(1);
  });

  it('no comment being wanted', async () => {
    await compared({ outcome: 'same' });
    expect(await inJob({ settings: { comment: false } })).toMatchObject({ exit: 0, notes: [] });
    expect(hub.seen).toEqual([]);
  });
});

describe('after another workflow', () => {
  const event = {
    workflow_run: {
      html_url: 'https://github.com/octo/shop/actions/runs/41',
      head_branch: 'topic',
      head_sha: SHA,
      head_repository: { owner: { login: 'mallory' } },
    },
  };

  it("comments on the fork's pull request, and links to the run that measured", async () => {
    await compared();
    const outcome = await inJob({ event, env: { GITHUB_EVENT_NAME: 'workflow_run' } });
    expect(hub.comments[0]?.html_url).toContain('/pull/8#');
    expect(outcome.summary).toContain('[**Full report**](<https://github.com/octo/shop/actions/runs/41#artifacts>)');
    expect(outcome.summary).toContain('[Workflow run](<https://github.com/octo/shop/actions/runs/41>)');
  });

  it('believes nothing of what the fork stored', async () => {
    const { result } = comparisonReport({ hostile: '@octocat [x](https://evil.example)', different: true });
    await store({ ...result, source: { commit: 'f'.repeat(40), ref: '@octocat' }, pull: 7, settings: { pull: 7 } });
    await inJob({ event });
    const body = hub.comments[0]?.body ?? '';
    expect(body).toContain(SHA.slice(0, 12));
    expect(body).not.toContain('ffffffffffff');
    expect(body.replace(/`[^`]*`/g, '')).not.toMatch(/@octocat|evil/);
  });
});

describe('at home', () => {
  it('nothing is written and nobody is asked', async () => {
    await compared();
    const all: GithubOptions = { result: folder(), failOn: 'slower', comment: true, commentKey: 'quiesce' };
    const outcome = await github(all, { env: { GITHUB_TOKEN: TOKEN, GITHUB_API_URL: hub.url } });
    expect(outcome).toMatchObject({ isJob: false, isSummaryWritten: false, notes: [] });
    expect(hub.seen).toEqual([]);
  });

  it('a comment is written where it is said on what', async () => {
    await compared();
    const all: GithubOptions = { result: folder(), failOn: 'slower', comment: true, commentKey: 'quiesce', pull: 7 };
    const env = { GITHUB_TOKEN: TOKEN, GITHUB_API_URL: hub.url, GITHUB_REPOSITORY: 'octo/shop' };
    expect((await github(all, { env })).commentUrl).toBe(hub.comments[0]?.html_url);
    const { notes } = await github(all, { env: { ...env, GITHUB_REPOSITORY: undefined } });
    expect(notes).toEqual([expect.stringMatching(/GITHUB_REPOSITORY is not set/)]);
  });
});

it.each([
  ['nothing', undefined, /there is no such file/],
  ['half a file', '{"version": 1', /is not JSON/],
  ['another kind', '{"version": 1, "kind": "doctor", "tool": {"name": "quiesce"}}', /its kind is "doctor"/],
  ['parts of one', '{"version": 1, "kind": "compare", "tool": {"name": "quiesce"}}', /is not as Quiesce wrote it/],
])('a result that is %s is a line', async (_, text, line) => {
  if (text !== undefined) await writeFile(path.join(folder(), 'result.json'), text);
  await expect(inJob()).rejects.toThrow(line);
  expect(hub.seen).toEqual([]);
});
