/** Comparisons of several pages of real applications, whose servers Quiesce starts; `npm run bench:compare-pages` has more. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { APPLICATIONS, checkOut, makeRepository } from '../../../fixtures/applications/repository.ts';
import type { Progress } from '../../../src/model/result/progress.ts';
import { folderForEach } from '../../support/folders.ts';
import { comparePages } from '../../support/jobs.ts';
import { sharedLab } from '../../support/lab.ts';
import { IMPATIENT } from '../../support/patience.ts';
import { COMPARING } from '../../support/settings.ts';

const folder = folderForEach('applications');
beforeEach(() => {
  // npm keeps what it has fetched where it always does, and builds are kept below another home.
  vi.stubEnv('npm_config_cache', path.join(process.env.HOME ?? '', '.npm'));
  vi.stubEnv('npm_config_userconfig', path.join(process.env.HOME ?? '', '.npmrc'));
  vi.stubEnv('HOME', folder());
});
afterEach(() => {
  vi.unstubAllEnvs();
});

it('finds in a shop of Express which page waits longer for the server', async () => {
  const express = APPLICATIONS.find(({ name }) => name === 'express');
  if (!express) throw new Error('it is one of the applications');
  const { build, serveCommand, slower } = express;
  const repository = path.join(folder(), 'shop');
  // So much that a busy machine does not hide it.
  await makeRepository(express, repository, { server: 600, script: 400 });
  await checkOut(repository, 'slower');
  vi.spyOn(process, 'cwd').mockReturnValue(repository);
  const events: Progress[] = [];
  const { result, exit } = await comparePages(
    {
      ...COMPARING,
      quietWindow: 500,
      observation: IMPATIENT,
      sandbox: process.getuid?.() !== 0,
      format: ['json'],
      out: path.join(folder(), 'out'),
      baseRef: 'main',
      build,
      serveCommand,
      serveUrl: 'http://localhost:{port}',
      pages: [slower.server, '/about'],
      gate: ['page-complete'],
      maxPairs: 6,
      looks: [6],
    },
    { microBenchmark: () => 10, openLab: sharedLab, onProgress: (event) => events.push(event) },
  );
  const [products, about] = result.targets;
  expect(products?.decision).toBe('slower');
  expect(about?.decision).not.toBe('slower');
  expect(exit).toBe(1);
  expect(products?.why?.[0]).toMatchObject({ code: 'server', url: expect.stringContaining(slower.server) });
  if (process.platform === 'linux') {
    const cpu = products?.comparisons.find(({ metric }) => metric === 'serverCpuTime');
    expect(cpu?.candidate.median).toBeGreaterThan(cpu?.base.median ?? Number.POSITIVE_INFINITY);
  }
  expect(events.filter(({ kind }) => kind === 'build-finished')).toHaveLength(2);
  expect(await readFile(path.join(folder(), 'out', 'base-server.log'), 'utf8')).toContain('node server.js');
}, 300_000);
