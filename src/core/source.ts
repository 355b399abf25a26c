import type { Source } from '../model/result/result.ts';

/** A continuous-integration system by the variables in which it says what it has checked out. */
interface System {
  /** Set where the names of the others could mean something else. */
  readonly when?: string;
  readonly commit: string;
  /** Branch or tag: the first that says something. */
  readonly refs: readonly string[];
  /** Says something, and not "false", where the commit is that of a pull request. */
  readonly pull?: string;
}

/** Sources: the lists of predefined variables in the documentation of each system. */
const SYSTEMS: readonly System[] = [
  { commit: 'GITHUB_SHA', refs: ['GITHUB_HEAD_REF', 'GITHUB_REF_NAME'], pull: 'GITHUB_HEAD_REF' },
  { commit: 'CI_COMMIT_SHA', refs: ['CI_COMMIT_REF_NAME'], pull: 'CI_MERGE_REQUEST_IID' },
  { commit: 'BUILD_SOURCEVERSION', refs: ['BUILD_SOURCEBRANCHNAME'], pull: 'SYSTEM_PULLREQUEST_PULLREQUESTID' },
  { commit: 'BITBUCKET_COMMIT', refs: ['BITBUCKET_TAG', 'BITBUCKET_BRANCH'], pull: 'BITBUCKET_PR_ID' },
  { commit: 'CIRCLE_SHA1', refs: ['CIRCLE_TAG', 'CIRCLE_BRANCH'], pull: 'CIRCLE_PULL_REQUEST' },
  { commit: 'BUILDKITE_COMMIT', refs: ['BUILDKITE_TAG', 'BUILDKITE_BRANCH'], pull: 'BUILDKITE_PULL_REQUEST' },
  { commit: 'TRAVIS_COMMIT', refs: ['TRAVIS_TAG', 'TRAVIS_BRANCH'], pull: 'TRAVIS_PULL_REQUEST' },
  { commit: 'DRONE_COMMIT_SHA', refs: ['DRONE_TAG', 'DRONE_BRANCH'], pull: 'DRONE_PULL_REQUEST' },
  {
    commit: 'APPVEYOR_REPO_COMMIT',
    refs: ['APPVEYOR_REPO_TAG_NAME', 'APPVEYOR_REPO_BRANCH'],
    pull: 'APPVEYOR_PULL_REQUEST_NUMBER',
  },
  { commit: 'VERCEL_GIT_COMMIT_SHA', refs: ['VERCEL_GIT_COMMIT_REF'] },
  { commit: 'CF_PAGES_COMMIT_SHA', refs: ['CF_PAGES_BRANCH'] },
  { when: 'NETLIFY', commit: 'COMMIT_REF', refs: ['BRANCH'] },
  { when: 'JENKINS_URL', commit: 'GIT_COMMIT', refs: ['TAG_NAME', 'BRANCH_NAME', 'GIT_BRANCH'], pull: 'CHANGE_ID' },
];

/** SHA-1, or SHA-256. */
const FULL_HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** Longest name of a branch that is kept; git's own limit is that of the file system. */
const LONGEST_REF = 200;

/** The state of the source that a continuous-integration job has checked out; undefined elsewhere. */
export function sourceInEnvironment(env: Readonly<Record<string, string | undefined>>): Source | undefined {
  for (const { when, commit, refs, pull = '' } of SYSTEMS) {
    if (when !== undefined && !env[when]) continue;
    const source = sourceOf(env[commit], refs.map((name) => env[name]).find(Boolean));
    const isPull = !['', 'false'].includes(env[pull] ?? '');
    if (source) return isPull ? { ...source, pullRequest: true } : source;
  }
  return undefined;
}

/** A hash and the name of a branch or tag, when the hash is one. */
export function sourceOf(commit: string | undefined, ref: string | undefined): Source | undefined {
  const hash = commit?.trim().toLowerCase() ?? '';
  if (!FULL_HASH.test(hash)) return undefined;
  const name = ref?.trim().slice(0, LONGEST_REF).toWellFormed() ?? '';
  return { commit: hash, ...(name !== '' && { ref: name }) };
}
