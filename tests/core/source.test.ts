import { describe, expect, it, test } from 'vitest';
import { sourceInEnvironment } from '../../src/core/source.ts';

const SHA = '0123456789abcdef0123456789abcdef01234567';

describe('what a continuous-integration job has checked out', () => {
  it.each([
    ['GitHub, a branch', { GITHUB_SHA: SHA, GITHUB_HEAD_REF: '', GITHUB_REF_NAME: 'main' }, 'main'],
    ['GitHub, a pull request', { GITHUB_SHA: SHA, GITHUB_HEAD_REF: 'feature', GITHUB_REF_NAME: '7/merge' }, 'feature'],
    ['GitLab', { CI_COMMIT_SHA: SHA, CI_COMMIT_REF_NAME: 'main' }, 'main'],
    ['CircleCI, a tag', { CIRCLE_SHA1: SHA, CIRCLE_TAG: 'v1', CIRCLE_BRANCH: '' }, 'v1'],
    ['Netlify', { NETLIFY: 'true', COMMIT_REF: SHA, BRANCH: 'main' }, 'main'],
    ['Jenkins', { JENKINS_URL: 'https://ci/', GIT_COMMIT: SHA, GIT_BRANCH: 'origin/main' }, 'origin/main'],
    ['a commit alone', { CI_COMMIT_SHA: SHA.toUpperCase() }, undefined],
  ])('%s', (_, env, ref) => {
    const source = sourceInEnvironment(env);
    expect([source?.commit, source?.ref]).toEqual([SHA, ref]);
  });

  it.each([
    ['nothing', {}],
    ['no hash', { GITHUB_SHA: 'main' }],
    ['an option for git', { GITHUB_SHA: '--output=/etc/passwd' }],
    ['names of a common kind without their system', { COMMIT_REF: SHA, BRANCH: 'main', GIT_COMMIT: SHA }],
  ])('%s says nothing', (_, env) => {
    expect(sourceInEnvironment(env)).toBeUndefined();
  });

  test('a long name of a branch is cut', () => {
    const ref = sourceInEnvironment({ GITHUB_SHA: SHA, GITHUB_REF_NAME: 'x'.repeat(5000) })?.ref;
    expect(ref).toHaveLength(200);
  });
});

test.each([
  ['a pull request on GitHub', { GITHUB_SHA: SHA, GITHUB_HEAD_REF: 'feature' }, true],
  ['a push on GitHub', { GITHUB_SHA: SHA, GITHUB_HEAD_REF: '', GITHUB_REF_NAME: 'main' }, undefined],
  ['a merge request on GitLab', { CI_COMMIT_SHA: SHA, CI_MERGE_REQUEST_IID: '12' }, true],
  ['a branch on Travis', { TRAVIS_COMMIT: SHA, TRAVIS_PULL_REQUEST: 'false' }, undefined],
])('%s is known as such', (_, env, expected) => {
  expect(sourceInEnvironment(env)?.pullRequest).toBe(expected);
});
