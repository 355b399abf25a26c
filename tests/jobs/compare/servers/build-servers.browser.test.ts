/** Comparisons of applications whose servers Quiesce starts. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Problem } from '../../../../src/jobs/engine/problem.ts';
import type { Progress } from '../../../../src/model/result/progress.ts';
import type { TargetResult } from '../../../../src/model/result/result.ts';
import { freePort } from '../../../../src/shell/servers/free-port.ts';
import { folderForEach } from '../../../support/folders.ts';
import { type CompareOptions, compare } from '../../../support/jobs.ts';
import { sharedLab } from '../../../support/lab.ts';
import { IMPATIENT } from '../../../support/patience.ts';
import { renderingRepository, renderingServer } from '../../../support/rendering-server.ts';
import { COMPARING } from '../../../support/settings.ts';

const folder = folderForEach('servers');
beforeEach(() => {
  // Builds are kept below it.
  vi.stubEnv('HOME', folder());
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const URL_OF = 'http://localhost:{port}/';

const options = (more: Partial<CompareOptions>): CompareOptions => ({
  ...COMPARING,
  quietWindow: 500,
  observation: IMPATIENT,
  sandbox: process.getuid?.() !== 0,
  format: ['json'],
  maxPairs: 4,
  looks: [4],
  out: path.join(folder(), 'out'),
  ...more,
});

async function run(more: Partial<CompareOptions>) {
  const events: Progress[] = [];
  const hooks = { microBenchmark: () => 10, openLab: sharedLab, onProgress: (event: Progress) => events.push(event) };
  return { ...(await compare(options(more), hooks)), events };
}

/** Without those of the machine. */
const ownProblems = (problems: readonly Problem[]) => problems.filter(({ code }) => code !== 'host-unfit');

/** Does the server of a build still answer? Something else may have got its port meanwhile. */
async function isServed({ url, title = '' }: TargetResult): Promise<boolean> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.text(),
    () => '',
  );
  const [first = title] = title.split(' ');
  return answer.includes(`<title>${first}`);
}

const log = (name: string) => readFile(path.join(folder(), 'out', name), 'utf8');

it('two states of a repository, each from its own work tree and with its own environment', async () => {
  const repository = path.join(folder(), 'shop');
  await renderingRepository(repository, { base: 'Old', candidate: 'New' });
  vi.spyOn(process, 'cwd').mockReturnValue(repository);
  const asked = {
    baseRef: 'main',
    build: 'echo x >> built',
    serveCommand: `${JSON.stringify(process.execPath)} server.mjs`,
    serveUrl: `${URL_OF}?page`,
    candidateEnv: ['FLAG=flag-on'],
  };
  const { result, events } = await run(asked);
  const { base, candidate } = result;
  expect([base.title, candidate.title]).toEqual(['Old built', 'New [redacted] built']);
  expect(result.design.pairs).toBe(4);
  expect(base.target).toMatch(/^main \(\w{7}\)$/);
  expect(candidate.target).toMatch(/^work tree \(\w{7}, modified\) \(variable FLAG\)$/);
  expect(base.url).toMatch(/^http:\/\/localhost:\d+\/\?page$/);
  expect(base.url).not.toBe(candidate.url);
  expect(result.settings).toMatchObject({ serveUrl: `${URL_OF}?page`, candidateEnv: ['FLAG=[redacted]'] });
  expect(await Promise.all([base, candidate].map(isServed))).toEqual([false, false]);
  expect([await log('base-server.log'), await log('candidate-server.log')]).toEqual(['listening\n', 'listening\n']);
  expect(events.filter(({ kind }) => kind === 'build-finished')).toHaveLength(2);
  expect(JSON.stringify([events, result])).not.toContain('flag-on');
  const cpu = result.comparisons.find(({ metric }) => metric === 'serverCpuTime');
  if (process.platform === 'linux') expect(cpu?.base.median).toBeGreaterThan(0);
  // The base is built once.
  const again = await run({ ...asked, out: path.join(folder(), 'again'), maxPairs: 2, looks: [2] });
  expect(again.result.base.title).toBe('Old built');
  expect(again.events.find((event) => event.kind === 'build-finished')).not.toHaveProperty('after');
}, 120_000);

it('two folders, the server of one of which dies and is gone on with', async () => {
  const folders = [path.join(folder(), 'old'), path.join(folder(), 'new')];
  const [serveCommand = ''] = await Promise.all(folders.map((each, i) => renderingServer(each, `Page ${i}`)));
  const asked = { targets: folders, serveCommand, serveUrl: URL_OF, setup: `echo ready` };
  // Asked whether it answers, warmed up twice, the load that shows what is background, and a block of two.
  const first = await run({ ...asked, candidateEnv: ['FLAG=SECRET-7', 'DIE=7'] });
  const { result, exit } = first;
  expect(exit).toBe(3);
  expect(result.design.stoppedBecause).toBe('broken');
  expect(result.design.blocks).toBeLessThan(2);
  const problems = ownProblems(first.problems);
  expect(problems.map(({ code }) => code)).toEqual(['serve-lost', 'resume-possible']);
  const [lost] = problems;
  expect(lost?.message).toBe(
    `The server of the candidate ended while it was measured (exit code 3). See its output above. Its whole log is ${path.join(folder(), 'out', 'candidate-server.log')}.`,
  );
  const shown = first.events.find(({ kind }) => kind === 'server-output');
  expect(shown).toMatchObject({ build: 'candidate', lines: ['listening', 'Error: out of beans, [redacted]'] });
  expect(result.noteFacts).toContainEqual(
    expect.objectContaining({
      code: 'server-errors',
      build: 'candidate',
      lines: 1,
      first: 'Error: out of beans, [redacted]',
    }),
  );
  expect(await log('candidate-server.log')).toBe('listening\nError: out of beans, [redacted]\n');
  expect(await log('setup.log')).toBe('ready\n');
  expect(await isServed(result.base)).toBe(false);
  const second = await run({ ...asked, candidateEnv: ['FLAG=SECRET-7', 'DIE=700'], resume: true });
  expect(ownProblems(second.problems)).toEqual([]);
  expect(second.result.design).toMatchObject({ pairs: 4 });
  // At the addresses of the first time.
  expect([second.result.base.url, second.result.candidate.url]).toEqual([result.base.url, result.candidate.url]);
}, 120_000);

it('two folders whose servers have one port are started in turns', async () => {
  const folders = [path.join(folder(), 'old'), path.join(folder(), 'new')];
  const [command = ''] = await Promise.all(folders.map((each, i) => renderingServer(each, `Page ${i}`)));
  const port = await freePort();
  const { result, events } = await run({
    targets: folders,
    serveCommand: `${command} ${port}`,
    serveUrl: `http://localhost:${port}/`,
  });
  expect([result.base.title, result.candidate.title]).toEqual(['Page 0', 'Page 1']);
  expect(result.base.url).toBe(result.candidate.url);
  expect(events).toContainEqual(
    expect.objectContaining({ kind: 'note', note: expect.objectContaining({ code: 'servers-in-turns' }) }),
  );
  const orders = [1, 2].map((block) =>
    [...result.base.runs, ...result.candidate.runs]
      .flatMap((each) => (each.block === block ? [each] : []))
      .sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
      .map(({ build }) => build),
  );
  // The second block begins with the server that is there.
  const [one, other] = orders[0]?.[0] === 'base' ? ['base', 'candidate'] : ['candidate', 'base'];
  expect(orders).toEqual([
    [one, one, other, other],
    [other, other, one, one],
  ]);
  expect(await isServed(result.base)).toBe(false);
}, 120_000);
