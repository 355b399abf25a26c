/** What the Action makes of its inputs and of what was measured; action.yml itself is in steps.test.ts. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planAction } from '../../src/settings/action-inputs.ts';
import { action } from '../examples/workflows.ts';
import { comparisonReport } from '../reporters/comparison.ts';
import { auditOf, measuredTarget } from '../support/stored-results.ts';
import { ARTIFACT, type JobDone, type Place, SHA, startPlace } from './action-job.ts';

let place: Place;
beforeEach(async () => {
  place = await startPlace();
});
afterEach(() => place.close());

const told = ({ commands }: JobDone) =>
  commands.map(({ command, properties, message }) => `${command} ${properties.title}: ${message}`);
const slower = () => comparisonReport().result;

describe('a comparison', () => {
  it('is measured, kept, told and commented on; a gate that fails fails the job', async () => {
    const { act, args, hub, work } = place;
    const job = await act({ base: 'https://main.example/', candidate: './dist' }, { result: slower(), exit: 1 });
    expect(job.outcome).toBe('failure');
    expect(await args()).toEqual([
      ...['compare', '--fail-fast', '--out=quiesce-report', '--format=html,json,har,md,junit'],
      ...['--', 'https://main.example/', './dist'],
    ]);
    expect(Object.entries(job.steps).map(([name, { code }]) => [name, code])).toEqual([
      ['plan', 0],
      ['measure', 0],
      ['publish', 1],
    ]);
    const out = path.join(work, 'quiesce-report');
    expect(job.uploads).toEqual([{ name: 'quiesce-report', path: out }]);
    expect(job.outputs).toEqual({
      decision: 'slower',
      'page-complete-difference': expect.stringMatching(/^0\.08\d\d$/),
      'report-path': '',
      'result-path': path.join(out, 'result.json'),
      'comment-url': hub.comments[0]?.html_url,
      'exit-code': '1',
    });
    expect(hub.comments[0]?.body).toContain(`[**Full report**](<${ARTIFACT}>)`);
    expect(job.summary).toContain('### 🔴 Slower');
    expect(told(job)).toEqual([expect.stringMatching(/^error Page complete: slower: Page complete is 8\.\d% slower/)]);
  });

  it.each([
    ['never', 'success'],
    ['budget', 'success'],
    ['slower', 'failure'],
  ])('with fail-on %s ends in %s', async (rule, outcome) => {
    const inputs = { base: 'a', candidate: 'b', 'fail-on': rule, comment: 'false' };
    const job = await place.act(inputs, { result: slower(), exit: 1 });
    expect(job.outcome).toBe(outcome);
    expect(place.hub.seen).toEqual([]);
  });

  it("with a fork's token is told without a comment, and fails nothing", async () => {
    const { result } = comparisonReport({ outcome: 'same' });
    const job = await place.act({ base: 'a', candidate: 'b', 'github-token': 'fork', 'artifact-name': '' }, { result });
    expect(job.outcome).toBe('success');
    expect(told(job)).toEqual([
      expect.stringMatching(/^notice The same: /),
      expect.stringMatching(/^notice Quiesce: No comment was written: the token may only read/),
    ]);
    expect(job.summary).toContain('### ⚪ The same');
    expect(job.uploads).toEqual([]);
  });

  it('that is undecided warns', async () => {
    const { result } = comparisonReport({ outcome: 'unsure' });
    const job = await place.act({ base: 'a', candidate: 'b' }, { result, exit: 4 });
    expect([job.outcome, job.outputs.decision, job.outputs['exit-code']]).toEqual(['success', 'unsure', '4']);
    expect(told(job)).toEqual([expect.stringMatching(/^warning Undecided: /)]);
  });

  it('runs builds that see neither the token nor what the steps say to each other', async () => {
    await place.act({ base: 'a', candidate: 'b', 'github-token': 'tok-of-this-job' }, { result: slower() });
    const env = await place.env();
    expect(Object.keys(env)).toContain('GITHUB_REPOSITORY');
    expect(Object.keys(env).filter((name) => /^ACTION_|TOKEN/.test(name))).toEqual([]);
    expect(JSON.stringify(env)).not.toContain('tok-of-this-job');
    // Nor may they set anything for the steps that follow.
    expect(Object.keys(env).filter((name) => /^GITHUB_(?:ENV|PATH|OUTPUT|STATE|STEP_SUMMARY)$/.test(name))).toEqual([]);
  });

  it('reads a configuration file only where it measures: it may be a program, and a build may have written it', async () => {
    const ran = path.join(place.folder, 'ran');
    await writeFile(path.join(place.work, 'quiesce.config.mjs'), `throw new Error('the configuration ran')`);
    await writeFile(
      path.join(place.work, 'other.mjs'),
      `await import('node:fs').then((fs) => fs.writeFileSync('${ran}', ''))`,
    );
    const named: Record<string, string> = { QUIESCE_CONFIG: path.join(place.work, 'other.mjs') };
    for (const env of [{}, named]) {
      const job = await place.act(
        { base: 'a', candidate: 'b', 'fail-on': 'never' },
        { result: slower(), exit: 1 },
        env,
      );
      expect([job.outcome, told(job).filter((line) => line.includes('configuration'))]).toEqual(['success', []]);
    }
    await expect(readFile(ran)).rejects.toThrow('ENOENT');
  });
});

describe('where it belongs', () => {
  it('is the pull request that is named, where the event has none', async () => {
    await place.event({ issue: { number: 7 } });
    const { result } = comparisonReport({ outcome: 'same' });
    const job = await place.act({ base: 'a', candidate: 'b', pull: '7' }, { result });
    expect([job.outcome, place.hub.comments.length]).toEqual(['success', 1]);
    expect(job.outputs['comment-url']).toContain('/pull/7#');
  });

  it('is the key that is named', async () => {
    const inputs = { base: 'a', candidate: 'b', 'comment-key': 'shop.v2' };
    await place.act(inputs, { result: comparisonReport({ outcome: 'same' }).result });
    expect(place.hub.comments.map(({ body }) => body.split('\n')[0])).toEqual([expect.stringContaining('shop.v2')]);
  });

  it('is what the merge group was made on, where there is no pull request to build for', async () => {
    await place.event({ merge_group: { base_sha: SHA } });
    await place.act({ build: 'make', dist: 'dist' }, { result: slower() }, { GITHUB_BASE_REF: '' });
    expect((await place.args()).join(' ')).toMatch(
      new RegExp(`^compare --build=make --dist=dist --fail-fast --out=\\S+ --format=\\S+ --base-ref=${SHA} -- *$`),
    );
  });
});

describe('other jobs', () => {
  const audit = auditOf([measuredTarget('https://a.example/', [1000, 1001, 1002])]);

  it('audit addresses, one a line, with options, one a line; nothing of them is read by a shell', async () => {
    const evil = '$(touch pwned) `touch pwned`; touch pwned #';
    const job = await place.act(
      {
        audit: `\n  https://a.example/?x=1&y  \r\n--runs=9\n${evil}\n`,
        args: `--runs=3\n--header  X: a b\n--out=elsewhere\n--strict --budget=x\n\n  ${evil}`,
        out: 'o ut',
      },
      { result: audit },
    );
    expect(await place.args()).toEqual([
      ...['audit', '--runs=3', '--header=X: a b', '--out=elsewhere', '--strict --budget=x', evil],
      ...['--out=o ut', '--format=html,json,har,md,junit'],
      ...['--', 'https://a.example/?x=1&y', '--runs=9', evil],
    ]);
    expect(job).toMatchObject({ outcome: 'success', outputs: { decision: 'complete' } });
    expect(job.outputs['result-path']).toBe(path.join(place.work, 'o ut', 'result.json'));
    expect(await readFile(path.join(place.work, 'pwned')).catch(() => 'nothing')).toBe('nothing');
  });

  it('a share of it has an artifact of its own, a short summary and no comment', async () => {
    const result = { ...audit, shard: { index: 2, of: 4, work: 'w', total: 4 } };
    const job = await place.act({ audit: 'https://a.example/', shard: '2/4' }, { result });
    expect(await place.args()).toContain('--shard=2/4');
    expect(job.uploads.map(({ name }) => name)).toEqual(['quiesce-report-2-of-4']);
    expect(job.summary).toMatch(/^\n### Shard 2 of 4\n\n1 of 4 pages was measured here\./);
    expect([job.outcome, place.hub.seen]).toEqual(['success', []]);
  });

  it('shards are merged', async () => {
    const { result } = comparisonReport({ outcome: 'faster', unchanged: true });
    const job = await place.act({ merge: 'shards', shard: '1/4' }, { result });
    expect(await place.args()).toEqual([
      'merge',
      '--out=quiesce-report',
      '--format=html,json,md,junit',
      '--',
      'shards',
    ]);
    expect(job.outputs.decision).toBe('faster');
  });
});

describe('an input', () => {
  const planned = (inputs: Readonly<Record<string, string>>) => planAction({ out: 'o', ...inputs }, {});

  it('of the name of an option is that option, wherever it belongs', () => {
    const { options, github } = planned({ audit: 'a', runs: '7', 'fail-on': 'never', comment: 'false', alpha: '.01' });
    expect(options).toEqual(['--runs=7', '--out=o', '--format=html,json,har,md,junit']);
    expect(github).toEqual({ failOn: 'never', comment: 'false' });
  });

  it('may say which pages, their servers and a login', () => {
    const inputs = {
      'base-ref': 'main',
      pages: '/\n/cart\n',
      'serve-command': 'npm start',
      'serve-url': 'http://localhost:{port}/',
      setup: 'make db',
      'storage-state': 'auth.json',
    };
    expect(Object.keys(action().inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)));
    // The command line takes a list that is separated by line breaks.
    expect(planned(inputs).options.slice(0, 5)).toEqual([
      '--pages=/\n/cart\n',
      '--serve-command=npm start',
      '--serve-url=http://localhost:{port}/',
      '--setup=make db',
      '--storage-state=auth.json',
    ]);
  });

  it('ends a comparison as soon as a gate has failed, unless it says not to', () => {
    const optionsWith = (more: Readonly<Record<string, string>>) =>
      planned({ base: 'a', candidate: 'b', ...more }).options.filter((option) => option.startsWith('--fail'));
    expect(optionsWith({ 'fail-fast': 'true' })).toEqual(['--fail-fast']);
    expect(optionsWith({ 'fail-fast': 'false' })).toEqual([]);
    expect(planned({ audit: 'a', 'fail-fast': 'true' }).options).not.toContain('--fail-fast');
  });

  it('of an audit only is not handed to a comparison', () => {
    const allowed = (more: Readonly<Record<string, string>>) =>
      planned({ ...more, 'allow-broken': 'true' }).options.includes('--allow-broken');
    expect([allowed({ audit: 'a' }), allowed({ base: 'a', candidate: 'b' })]).toEqual([true, false]);
  });

  it('of a switch turns it', () => {
    expect(planned({ strict: 'true', evidence: 'false', ablation: 'true' }).options).toEqual([
      '--strict',
      '--no-evidence',
      '--out=o',
      '--format=html,json,har,md,junit',
    ]);
    expect(() => planned({ strict: 'maybe' })).toThrow('strict: must be true or false, not "maybe".');
  });

  it('of an option that is repeatable gives one for each line', () => {
    expect(planned({ audit: 'a', block: '*/ads/*\n\n */chat*' }).options.slice(0, 2)).toEqual([
      '--block=*/ads/*',
      '--block=*/chat*',
    ]);
  });

  it('that nothing takes is refused when it says something: the action may be newer than the package', () => {
    expect(() => planned({ porthole: 'round' })).toThrow('does not know the input "porthole"');
    expect(planned({ porthole: '' }).job).toBe('compare');
  });

  it('with two builds given makes nothing to build', () => {
    const { options, baseRef } = planned({ base: 'a', candidate: 'b', 'base-ref': 'main', build: 'make', dist: 'd' });
    expect([options.join(' '), baseRef]).toEqual(['--out=o --format=html,json,har,md,junit', undefined]);
  });
});

describe('what goes wrong', () => {
  const problem = '--runs: must be a whole number from 1 to 1000, not "100%".';

  it('in the configuration fails the job with the line that says why', async () => {
    const inputs = { audit: 'https://a.example/', 'fail-on': 'never' };
    const job = await place.act(inputs, { exit: 2, says: `progress\nquiesce: ${problem}\n`, problem });
    expect(job).toMatchObject({ outcome: 'failure', outputs: { 'exit-code': '2' } });
    expect(job.steps.measure?.code).toBe(2);
    expect(told(job)).toEqual([`error Quiesce: ${problem}`]);
    expect(job.summary).toContain('### ⛔ Nothing was measured');
    expect(job.summary).toContain(`    quiesce: ${problem}\n`);
    expect(job.uploads).toEqual([]);
  });

  it.each([
    [{ 'fail-on': 'always' }, 'fail-on: must be broken, slower, budget or never, not "always".'],
    [{ comment: 'maybe' }, 'comment: must be true or false, not "maybe".'],
    [{ 'comment-key': 'a b' }, /^error Quiesce: comment-key: must be up to 64 letters/],
    [{ pull: '#7' }, 'pull: must be a whole number, 1 or more, not "#7".'],
    [{ pull: '0' }, 'pull: must be a whole number, 1 or more, not "0".'],
    [{ porthole: 'round' }, /^error Quiesce: This version of Quiesce does not know the input "porthole"/],
    [
      { 'fail-on': 'a##[error]b\n::error::c' },
      /^error Quiesce: fail-on: must be broken, slower, budget or never, not "a/,
    ],
  ])('in %j is said before anything is measured', async (given, line) => {
    const job = await place.act({ base: 'a', candidate: 'b', ...given }, { result: slower() });
    expect(told(job)).toEqual([typeof line === 'string' ? `error Quiesce: ${line}` : expect.stringMatching(line)]);
    expect([job.outcome, job.outputs['exit-code'], await place.args().catch(() => 'not run')]).toEqual([
      'failure',
      '2',
      'not run',
    ]);
    expect(job.summary).toContain('### ⛔ Nothing was measured');
  });

  it('from outside, which ends the job, leaves what was measured until then, and no comment', async () => {
    const { result } = comparisonReport({ outcome: 'unsure', interrupted: true });
    const job = await place.act(
      { base: 'a', candidate: 'b' },
      { result, exit: 143, says: 'ending\n::error::forged\n', ended: true },
    );
    expect([job.outcome, job.outputs.decision, job.outputs['exit-code']]).toEqual(['failure', 'unsure', '143']);
    expect(job.steps.measure?.log).toContain('ending');
    expect(told(job)).toContainEqual(expect.stringMatching(/^warning Ended early: /));
    expect(told(job)).not.toContainEqual(expect.stringContaining('forged'));
    expect([job.uploads.length, place.hub.seen]).toEqual([1, []]);
  });

  it('with the page fails the job under every rule', async () => {
    const target = measuredTarget('https://a.example/', [1]);
    const failure = { code: 'no-answer', message: 'It did not answer.' };
    const runs = target.runs.map(({ index, role }) => ({ index, role, ok: false, failure }));
    const result = auditOf([{ ...target, runs }]);
    const job = await place.act({ audit: 'https://a.example/', 'fail-on': 'never' }, { result, exit: 3 });
    expect(job.steps.publish?.code).toBe(3);
    expect(told(job)).toEqual(['error Not measured: It did not answer.']);
  });

  it('with the disk, while the result looks well, still fails the job', async () => {
    const { result } = comparisonReport({ outcome: 'same' });
    const job = await place.act({ base: 'a', candidate: 'b' }, { result, exit: 3 });
    expect(job.steps.publish?.code).toBe(3);
  });

  it('with the program, which cannot be started, fails the job', async () => {
    const measure = await import('../../src/jobs/action/measure.ts');
    const stop = new AbortController().signal;
    await expect(
      measure.measure(planAction({ out: 'o', base: 'a', candidate: 'b' }, {}), {
        ...{ env: {}, cwd: place.work, program: [path.join(place.folder, 'gone')], stops: [stop, stop] },
        write: () => undefined,
      }),
    ).rejects.toThrow('ENOENT');
  });

  it('leaves no answer of an earlier run', async () => {
    await mkdir(path.join(place.work, 'quiesce-report'));
    await writeFile(path.join(place.work, 'quiesce-report', 'result.json'), JSON.stringify(slower()));
    const job = await place.act({ base: 'a', candidate: 'b' }, { exit: 3, says: 'quiesce: No such host: x.\n' });
    expect([job.outputs.decision, job.steps.measure?.code, place.hub.seen.length, job.uploads.length]).toEqual([
      undefined,
      3,
      0,
      0,
    ]);
    expect(job.summary).not.toContain('Slower');
  });

  it('cannot be said without a result, whatever was ended with', async () => {
    const job = await place.act({ base: 'a', candidate: 'b' }, { exit: 0 });
    expect(job.steps.measure?.code).toBe(3);
    expect(told(job)).toEqual(['error Quiesce: Nothing was measured: the log says why.']);
  });

  it('lets no page speak to the runner, or into the summary', async () => {
    const evil = `${'x'.repeat(2e6)}\n::error::forged\n##[set-output name=decision;]faster\n\r# head\u001b[31m\n@octocat\nquiesce: forged`;
    const faked = { exit: 3, says: evil, problem: 'a\r::warning::b' };
    const job = await place.act({ base: 'a', candidate: 'b' }, faked);
    expect(told(job)).toEqual(['error Quiesce: a ::warning::b']);
    expect(job.outputs.decision).toBe(undefined);
    const lines = job.summary.split(/\r|\n/).filter((line) => line !== '');
    expect(lines.filter((line) => !line.startsWith('    '))).toEqual(['### ⛔ Nothing was measured']);
    expect(job.summary.length).toBeLessThan(100_000);
  });
});
