import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type FakeGithub, startFakeGithub, TOKEN } from '../../fixtures/github/server.ts';
import type { CompareResult } from '../../src/model/compare/comparison.ts';
import { folderForEach } from '../support/folders.ts';
import { commitIn, gitIn } from '../support/git.ts';
import { type JobOutcome, runAction } from './runner.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SHA = 'b'.repeat(40);
/** The shortest comparison that there is. */
const QUICK = ['--max-pairs=2', '--looks=2', '--quiet-window=300', '--no-evidence'].join('\n');

const folder = folderForEach('action');
let hub: FakeGithub;
beforeEach(async () => {
  for (const each of ['work', 'bin', 'temp']) await mkdir(path.join(folder(), each));
  const installed = `#!/usr/bin/env bash\nexec node "${ROOT}bin/quiesce.js" "$@"\n`;
  await writeFile(path.join(folder(), 'bin', 'quiesce'), installed, { mode: 0o755 });
  hub = await startFakeGithub({ pulls: [{ number: 7, head: { label: 'octo:topic', sha: SHA } }] });
  await writeFile(
    path.join(folder(), 'event.json'),
    JSON.stringify({ pull_request: { number: 7, head: { sha: SHA } } }),
  );
});
afterEach(async () => {
  await hub.close();
});

const act = (given: Readonly<Record<string, string>>, workspace = path.join(folder(), 'work')): Promise<JobOutcome> =>
  runAction({
    action: ROOT,
    workspace,
    temp: path.join(folder(), 'temp'),
    with: { args: QUICK, ...given },
    github: { token: TOKEN, base_ref: 'main' },
    env: {
      PATH: [path.join(folder(), 'bin'), path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
      XDG_CACHE_HOME: path.join(folder(), 'cache'),
      GITHUB_API_URL: hub.url,
      GITHUB_REPOSITORY: 'octo/shop',
      GITHUB_RUN_ID: '42',
      GITHUB_EVENT_NAME: 'pull_request',
      GITHUB_EVENT_PATH: path.join(folder(), 'event.json'),
    },
    uses: {
      'actions/setup-node': () => ({}),
      'actions/upload-artifact': () => ({ 'artifact-url': 'https://github.com/octo/shop/actions/runs/42/artifacts/9' }),
    },
  });

const page = (title: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title><link rel="icon" href="data:,"></head><body><h1>Shop</h1></body></html>`;

const logOf = ({ steps }: JobOutcome) => steps.map(({ log }) => log).join('');

it('two folders: the report is there, and the pull request has its comment', async () => {
  for (const each of ['before', 'after']) {
    await mkdir(path.join(folder(), 'work', each));
    await writeFile(path.join(folder(), 'work', each, 'index.html'), page('::error::Shop'));
  }
  const job = await act({ base: 'before', candidate: 'after' });
  expect(job.outcome, logOf(job)).toBe('success');
  const { decision, 'report-path': report = '', 'comment-url': comment } = job.outputs;
  expect(['same', 'unsure', 'invalid']).toContain(decision);
  expect(await readFile(report, 'utf8')).toMatch(/^<!doctype html>/);
  expect(await readdir(path.dirname(report))).toEqual(
    expect.arrayContaining(['result.json', 'summary.md', 'junit.xml', 'base-run-1.har']),
  );
  expect(hub.comments.map(({ html_url }) => html_url)).toEqual([comment]);
  expect(job.commands.every(({ properties }) => (properties.title ?? '') !== '')).toBe(true);
});

it('a branch that was not checked out is fetched, built and compared with what is', async () => {
  const origin = path.join(folder(), 'origin');
  await mkdir(origin);
  await gitIn(origin, 'init', '--quiet');
  for (const [branch, title] of [
    ['main', 'Before'],
    ['topic', 'After'],
  ] as const) {
    if (branch !== 'main') await gitIn(origin, 'checkout', '--quiet', '-b', branch);
    await writeFile(path.join(origin, 'page.html'), page(title));
    await commitIn(origin, title);
  }
  // As actions/checkout leaves it: one commit of one branch.
  const work = path.join(folder(), 'clone');
  await gitIn(folder(), 'clone', '--quiet', '--depth=1', '--branch=topic', `file://${origin}`, work);
  const job = await act(
    { build: 'mkdir -p site && cp page.html site/index.html', dist: 'site', comment: 'false' },
    work,
  );
  expect(job.outcome, logOf(job)).toBe('success');
  const result = JSON.parse(await readFile(job.outputs['result-path'] ?? '', 'utf8')) as CompareResult;
  expect([result.base.title, result.candidate.title]).toEqual(['Before', 'After']);
  expect(job.commands.map(({ properties }) => properties.title)).toContain('The two pages are not the same page');
  expect(job.summary).toContain('not the same page');
});
