import { describe, expect, test } from 'vitest';
import { filesIn, textOf } from './places.ts';
import {
  type Action,
  action,
  actionErrors,
  loose,
  OURS,
  OWN_WORKFLOWS,
  pinsIn,
  WORKFLOWS,
  workflowErrors,
  workflowIn,
} from './workflows.ts';

const COMPARE = 'examples/github/compare.yml';
const TWO_JOBS = 'examples/github/compare-in-two-jobs.yml';
const SHARDS = 'examples/github/shards.yml';
const FORK = 'examples/github/comment-from-fork.yml';
const MONOREPO = 'examples/github/monorepo.yml';
const PAGES = 'examples/github/report-on-pages.yml';
const RELEASE = '.github/workflows/release.yml';
const PACKAGE = JSON.parse(textOf('package.json')) as { readonly version: string };

/** What a job may write. */
const MAY_WRITE: Readonly<Record<string, readonly string[]>> = {
  [RELEASE]: ['contents', 'id-token'],
  [PAGES]: ['contents', 'pull-requests'],
};

test('there are examples', () => {
  expect(WORKFLOWS).toHaveLength(11);
});

test('there are workflows of our own', () => {
  expect(OWN_WORKFLOWS).toEqual(['.github/workflows/ci.yml', RELEASE]);
});

test('an action is the same commit wherever it is named', () => {
  const all = ['action.yml', 'README.md', 'docs/ci.md', ...WORKFLOWS, ...OWN_WORKFLOWS].flatMap((file) =>
    pinsIn(textOf(file)),
  );
  const commits = new Map<string, Set<string>>();
  for (const { uses, version } of all) {
    const [name = '', commit = ''] = uses.split('@');
    const repository = name.split('/', 2).join('/');
    commits.set(repository, (commits.get(repository) ?? new Set()).add(`${commit} ${version}`));
  }
  expect(commits.size).toBeGreaterThan(3);
  for (const [repository, each] of commits) expect([repository, [...each]]).toEqual([repository, [expect.any(String)]]);
});

test('action.yml is one that GitHub takes, and describes all that it takes', () => {
  expect(actionErrors(textOf('action.yml'))).toEqual([]);
  const { inputs, outputs } = action();
  for (const { description } of [...Object.values(inputs), ...Object.values(outputs)]) {
    expect(description).toMatch(/\w{3}/);
  }
});

/** How examples install Quiesce. */
const INSTALL = `npm install --global --ignore-scripts quiesce@${PACKAGE.version}`;

test('examples for other systems install the same version', () => {
  const texts = filesIn('examples/gitlab', '.yml').map(textOf);
  const installs = texts.flatMap((text) => text.match(/\bnpm install.*/g) ?? []);
  expect(new Set(installs)).toEqual(new Set([INSTALL]));
});

describe.each([...WORKFLOWS, ...OWN_WORKFLOWS])('%s', (file) => {
  const workflow = workflowIn(file);
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);

  test('is a workflow that GitHub takes', async () => {
    expect(await workflowErrors(textOf(file))).toEqual([]);
  });

  test('gives actions what they take, and names nothing that is not there', () => {
    expect(loose(workflow, action())).toEqual([]);
  });

  test('may do as little as possible, not for ever, and one at a time', () => {
    expect(workflow.concurrency?.group).toContain('github.workflow');
    expect(workflow.permissions).toBeDefined();
    for (const job of Object.values(workflow.jobs)) {
      expect(job['timeout-minutes']).toBeGreaterThan(0);
      const writing = Object.entries({ ...workflow.permissions, ...job.permissions }).filter(
        ([, may]) => may !== 'read',
      );
      for (const [permission, may] of writing) {
        expect(MAY_WRITE[file] ?? ['pull-requests']).toContain(permission);
        expect(may).toBe('write');
      }
    }
  });

  test('lets no text of others into a script, and leaves no token behind', () => {
    for (const { run, uses, with: given } of steps) {
      // An expression in a script is pasted into it, quotes and all: what others wrote comes through the environment.
      expect(run ?? '').not.toContain('${{');
      if (uses?.startsWith('actions/checkout@')) expect(given?.['persist-credentials']).toBe(false);
    }
  });

  test('names actions of others by commit, with the version behind it', () => {
    const others = steps.flatMap(({ uses = OURS }) => (uses === OURS ? [] : uses));
    for (const uses of others) expect(uses).toMatch(/^[\w/-]+@[0-9a-f]{40}$/);
    expect(pinsIn(textOf(file)).map(({ uses }) => uses)).toEqual(others);
  });

  test('installs packages as they were locked, or by their version, without scripts of theirs', () => {
    const installs = steps.flatMap(({ run = '' }) => run.match(/\bnpm (?:install|ci|i)\b.*/g) ?? []);
    for (const install of installs) expect(['npm ci', INSTALL]).toContain(install);
  });
});

describe('our own workflows', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { readonly scripts: Readonly<Record<string, string>> };

  test('run scripts that are there', () => {
    const runs = OWN_WORKFLOWS.flatMap((file) => Object.values(workflowIn(file).jobs))
      .flatMap(({ steps }) => steps)
      .flatMap(({ run = '' }) => [...run.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name));
    expect(runs).not.toEqual([]);
    for (const name of runs) expect(Object.keys(scripts)).toContain(name);
  });

  test('run every kind of test for a pull request, each in a job of its own', () => {
    const { on, jobs } = workflowIn('.github/workflows/ci.yml');
    expect(Object.keys(on as object)).toContain('pull_request');
    const kinds = Object.keys(scripts).filter((name) => /^test:/.test(name));
    expect(kinds).toHaveLength(3);
    const last = Object.values(jobs).map(({ needs, steps }) => [needs, steps.at(-1)?.run]);
    expect(last.toSorted()).toEqual(kinds.map((name) => [undefined, `npm run ${name}`]).toSorted());
  });

  test('publish what was tested, with provenance, and only for a tag', () => {
    const { on, jobs } = workflowIn(RELEASE);
    expect(on).toEqual({ push: { tags: [expect.stringMatching(/^v/)] } });
    expect(Object.entries(jobs).map(([name, { needs }]) => [name, needs])).toEqual([
      ['build', undefined],
      ['publish', 'build'],
      ['release', 'publish'],
    ]);
    const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run = [] }) => run));
    const at = (part: string): number => runs.findIndex((run) => run.includes(part));
    const inOrder = ['release-notes.ts', 'npm test', 'npm pack', 'sbom.ts', 'npm publish', 'gh release create'].map(at);
    expect(inOrder).not.toContain(-1);
    expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));
    expect(runs[at('npm publish')]).toContain('--provenance');
    expect(JSON.stringify(jobs)).not.toContain('secrets.');
  });

  test('publish in jobs that run nothing of the repository or of its dependencies', () => {
    const { jobs } = workflowIn(RELEASE);
    const may = Object.entries(jobs).map(([name, { permissions }]) => [name, permissions]);
    expect(may).toEqual([
      ['build', { contents: 'read' }],
      ['publish', { 'id-token': 'write' }],
      ['release', { contents: 'write' }],
    ]);
    for (const { steps } of [jobs.publish, jobs.release].flatMap((job) => job ?? [])) {
      for (const { uses, run = '' } of steps) {
        expect(uses ?? '').not.toMatch(/^actions\/(?:checkout|cache)/);
        expect(run).not.toMatch(/\b(?:node|npx|npm (?!publish ))/);
      }
    }
    expect(jobs.publish?.steps.at(-1)?.run).toContain('--ignore-scripts');
  });

  test('release the package with the list of what is in it', () => {
    const { build, release } = workflowIn(RELEASE).jobs;
    const text = (job: typeof build) => job?.steps.map(({ run }) => run).join('\n') ?? '';
    const [, file = 'none'] = /^node scripts\/sbom\.ts > "\$RUNNER_TEMP\/release\/(\S+)"$/m.exec(text(build)) ?? [];
    expect(text(release)).toContain(` release/${file} `);
  });
});

describe('what is wrong is found', () => {
  const changed = (from: string | RegExp, to: string): string => {
    const text = textOf(SHARDS);
    const other = text.replace(from, to);
    expect(other).not.toBe(text);
    return other;
  };

  test.each([
    ['a key', 'timeout-minutes:', 'timeout-minute:'],
    ['a number', 'timeout-minutes: 45', 'timeout-minutes: long'],
    ['a permission', 'contents: read', 'content: read'],
    ['an event', 'pull_request', 'pull_requests'],
    ['an expression', 'matrix.shard }}/4', 'matrix.shard( }}/4'],
    ['a context', 'matrix.shard }}/4', 'matrx.shard }}/4'],
    ['a function', '!cancelled()', '!canceled()'],
    ['a job', 'needs: measure', 'needs: measured'],
  ])('by GitHub’s parser: %s', async (_what, from, to) => {
    expect(await workflowErrors(changed(from, to))).not.toEqual([]);
  });

  test('in action.yml', () => {
    const text = textOf('action.yml');
    expect(actionErrors(text.replace(/^inputs:/m, 'input:'))).not.toEqual([]);
    expect(actionErrors(text.replace('using: composite', 'using: compost'))).not.toEqual([]);
  });

  test('by these tests: inputs, outputs, the matrix', () => {
    const taking: Action = { inputs: { base: { description: '' } }, outputs: { decision: { description: '' } } };
    const steps: readonly object[] = [
      { id: 'q', uses: OURS, with: { base: 'a', bass: 'b' } },
      { uses: 'actions/checkout@0123', with: { 'persist-credential': false } },
      { uses: 'actions/check-out@0123' },
      { run: 'true', if: 'steps.q.outputs.decision || steps.q.outputs.x || steps.r.outputs.y || matrix.z' },
    ];
    expect(loose({ name: '', on: '', jobs: { a: { steps } } }, taking)).toEqual([
      `a: ${OURS} takes no bass`,
      'a: actions/checkout takes no persist-credential',
      'a: actions/check-out is not known here',
      'a: there is no steps.q.outputs.x',
      'a: there is no steps.r.outputs.y',
      'a: there is no matrix.z',
    ]);
  });
});

describe('what belongs together', () => {
  /** As the action names it by itself; a shard adds its number. */
  const artifact = action().inputs['artifact-name']?.default ?? '';
  const oursIn = (file: string) =>
    Object.values(workflowIn(file).jobs)
      .flatMap(({ steps }) => steps)
      .filter(({ uses }) => uses === OURS);

  test('an example names the artifact, and the comment, only where a matrix makes several', () => {
    expect(artifact).toMatch(/^[\w-]+$/);
    const alone = WORKFLOWS.filter((file) => file !== MONOREPO).flatMap(oursIn);
    for (const { with: given = {} } of alone) {
      expect(Object.keys(given)).not.toContain('artifact-name');
      expect(Object.keys(given)).not.toContain('comment-key');
    }
    expect(oursIn(MONOREPO).map(({ with: given }) => given)).toEqual([
      expect.objectContaining({
        'artifact-name': `${artifact}-\${{ matrix.app }}`,
        'comment-key': `\${{ matrix.app }}`,
        'working-directory': `apps/\${{ matrix.app }}`,
      }),
    ]);
  });

  test('the report that is published is the one that the comment leads to', () => {
    const { permissions, jobs } = workflowIn(PAGES);
    expect([permissions, jobs.measure?.permissions]).toEqual([{ contents: 'read' }, undefined]);
    expect(oursIn(PAGES).map(({ with: given }) => given?.comment)).toEqual([false]);
    const steps = jobs.publish?.steps ?? [];
    const download = steps.find(({ uses }) => uses?.startsWith('actions/download-artifact@'));
    expect(download?.with).toEqual({ name: artifact, path: `pull/\${{ github.event.pull_request.number }}` });
    expect(steps.at(-1)?.run).toMatch(/^quiesce github "(pull\/\$PULL)" --report-url "https:\S+\/\1\/"$/);
    // Nothing of the pull request is run where the token can write.
    expect(steps.find(({ uses }) => uses?.startsWith('actions/checkout@'))?.with?.ref).toBe('gh-pages');
  });

  test('the shards of the matrix are all there are, and the merge joins them', () => {
    const { measure, merge } = workflowIn(SHARDS).jobs;
    const matrix = measure?.strategy?.matrix?.shard ?? [];
    const [, measuring] = measure?.steps ?? [];
    expect(matrix).toEqual(matrix.map((_, i) => i + 1));
    expect(measuring?.with?.shard).toBe(`\${{ matrix.shard }}/${matrix.length}`);
    const [download, joining] = merge?.steps ?? [];
    expect(download?.with?.pattern).toBe(`${artifact}-*`);
    expect(joining?.with?.merge).toBe(download?.with?.path);
    // With always() it would join, and tell, what is left of a workflow that the next push has cancelled.
    expect(merge).toMatchObject({ needs: 'measure', if: expect.stringMatching(/^\$\{\{ !cancelled\(\) \}\}$/) });
  });

  test('a night that failed in part is kept', () => {
    const steps = workflowIn('examples/github/nightly-trend.yml').jobs.trend?.steps ?? [];
    const measuring = steps.findIndex(({ run }) => run?.startsWith('quiesce audit'));
    const keeping = steps.slice(measuring + 1);
    expect(keeping.map(({ uses, run }) => uses ?? run?.match(/quiesce \w+/)?.[0])).toEqual([
      'quiesce trend',
      expect.stringMatching(/^actions\/cache\/save@/),
      expect.stringMatching(/^actions\/upload-artifact@/),
    ]);
    for (const step of keeping) expect(step.if).toMatch(/^\$\{\{ !cancelled\(\)/);
  });

  test('the comment on a fork’s pull request is of the workflow that measured it', () => {
    const { on, jobs } = workflowIn(FORK);
    for (const file of [COMPARE, TWO_JOBS, SHARDS]) {
      expect(on).toMatchObject({ workflow_run: { workflows: [workflowIn(file).name] } });
    }
    // A workflow that was cancelled, or not let run, has left no artifact.
    expect(jobs.comment?.if).toContain('["success", "failure"]');
    const steps = jobs.comment?.steps ?? [];
    const download = steps.find(({ uses }) => uses?.startsWith('actions/download-artifact@'));
    // Of shards it is the joined result: the names of the shards' own go on.
    expect(download?.with?.name).toBe(artifact);
  });

  test('with two jobs, the one that builds has no token that may write', () => {
    const { permissions, jobs } = workflowIn(TWO_JOBS);
    expect([permissions, jobs.measure?.permissions]).toEqual([{}, { contents: 'read' }]);
    expect(jobs.measure?.steps.find(({ uses }) => uses === OURS)?.with).toMatchObject({ comment: false });
    expect(jobs.comment).toMatchObject({ needs: 'measure', permissions: { 'pull-requests': 'write' } });
    const download = jobs.comment?.steps.find(({ uses }) => uses?.startsWith('actions/download-artifact@'));
    expect(download?.with?.name).toBe(artifact);
  });

  test.each([FORK, TWO_JOBS])(
    'with a token that may write, nothing of the repository is checked out or run: %s',
    (file) => {
      const steps = workflowIn(file).jobs.comment?.steps ?? [];
      expect(steps.map(({ uses, run }) => uses ?? run?.split(' ', 2).join(' '))).toEqual([
        expect.stringMatching(/^actions\/setup-node@/),
        'npm install',
        expect.stringMatching(/^actions\/download-artifact@/),
        'quiesce github',
      ]);
    },
  );
});
