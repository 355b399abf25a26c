import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { folderForAll } from '../support/folders.ts';
import { filesIn, ROOT, textOf } from './places.ts';

const EXAMPLES = filesIn('examples/gitlab', '.yml');

const folder = folderForAll('gitlab');
beforeAll(() => {
  execFileSync('git', ['init', '--quiet', folder()]);
});

interface Listed {
  readonly name: string;
  readonly stage: string;
}

/** The jobs of a pipeline for a merge request, after GitLab's own schema has been asked; it comes with gitlab-ci-local. */
function jobsOf(text: string): { readonly jobs: readonly Listed[]; readonly problems: string } {
  writeFileSync(join(folder(), '.gitlab-ci.yml'), text);
  const program = join(ROOT, 'node_modules/gitlab-ci-local/dist/index.js');
  const args = ['--list-json', '--variable', 'CI_PIPELINE_SOURCE=merge_request_event'];
  const env = { PATH: process.env.PATH, HOME: folder(), USERPROFILE: folder() };
  const done = spawnSync(process.execPath, [program, ...args], { cwd: folder(), env, encoding: 'utf8' });
  // It warns on stdout of a variable that GitLab sets itself, and nothing else here does.
  const json = done.stdout.slice(done.stdout.search(/^\[$/m));
  return { jobs: done.status === 0 ? (JSON.parse(json) as readonly Listed[]) : [], problems: done.stderr };
}

test.each(EXAMPLES)('%s is what GitLab takes', (file) => {
  const { jobs, problems } = jobsOf(textOf(file));
  expect(jobs, problems).not.toEqual([]);
});

test('the shards are four jobs, and one that joins them', () => {
  const { jobs } = jobsOf(textOf('examples/gitlab/shards.gitlab-ci.yml'));
  expect(jobs.map(({ name, stage }) => [name, stage])).toEqual([
    ...[1, 2, 3, 4].map((i) => [`measure: [${i}/4]`, 'measure']),
    ['merge', 'report'],
  ]);
});

describe('what GitLab would refuse is found', () => {
  test.each([
    ['a key', 'parallel: 4', 'paralell: 4', 'paralell'],
    ['a report', 'junit:', 'juint:', 'juint'],
    ['a stage', 'stage: report', 'stage: raport', 'raport'],
  ])('%s', (_what, from, to, named) => {
    const text = textOf('examples/gitlab/shards.gitlab-ci.yml');
    expect(text).toContain(from);
    const { jobs, problems } = jobsOf(text.replace(from, to));
    expect(jobs).toEqual([]);
    expect(problems).toContain(named);
  });
});
