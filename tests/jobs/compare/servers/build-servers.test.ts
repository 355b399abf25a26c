/** Servers of two builds, without a browser. */

import { mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { expect, it } from 'vitest';
import { KEEP_SECRETS } from '../../../../src/core/har/redact.ts';
import { serverFolders } from '../../../../src/jobs/compare/servers/folders.ts';
import type { Progress } from '../../../../src/model/result/progress.ts';
import { openLogFile } from '../../../../src/shell/disk/log-file.ts';
import { freePort } from '../../../../src/shell/servers/free-port.ts';
import { listens } from '../../../../src/shell/servers/serve-command.ts';
import { folderForEach } from '../../../support/folders.ts';
import { type CompareOptions, resolvedCompare } from '../../../support/jobs.ts';
import { renderingServer } from '../../../support/rendering-server.ts';
import { refusalOf } from '../../../support/settings.ts';

const folder = folderForEach('servers');
const URL_OF = 'http://localhost:{port}/';
const NO_QUERIES = { base: undefined, candidate: undefined };

async function make(more: Partial<CompareOptions> = {}, signal = new AbortController().signal) {
  const folders = [path.join(folder(), 'a'), path.join(folder(), 'b')] as const;
  const [serveCommand] = await Promise.all(folders.map((each) => renderingServer(each, path.basename(each))));
  const { servers } = resolvedCompare({
    targets: folders,
    serveCommand,
    serveUrl: URL_OF,
    serveTimeout: 20_000,
    ...more,
  });
  if (!servers) throw new Error('they were asked for');
  const events: Progress[] = [];
  const named = await serverFolders(folders, servers, undefined, false);
  const openLog = (name: string) => openLogFile(path.join(folder(), name), KEEP_SECRETS);
  const making = named.make({ signal, onProgress: (event) => events.push(event), openLog });
  return making.then(
    (made) => ({ made, events, error: undefined }),
    (error: Error & { code?: string; exit?: number }) => ({ made: undefined, events, error }),
  );
}

const outputOf = (events: readonly Progress[]) =>
  events.flatMap((event) => (event.kind === 'server-output' ? event.lines : []));

it('both run, and are fresh once', async () => {
  const { made } = await make();
  const builds = await made?.open(NO_QUERIES);
  expect(builds?.oneAtATime).toBe(false);
  const pages = [builds?.urls.base, builds?.urls.candidate].map(async (url = '') => (await fetch(url)).text());
  expect((await Promise.all(pages)).map((page) => /<title>(.*)<\/title>/.exec(page)?.[1])).toEqual(['a', 'b']);
  expect([await builds?.use('base'), await builds?.use('base'), await builds?.use('candidate')]).toEqual([
    { isFresh: true },
    { isFresh: false },
    { isFresh: true },
  ]);
  await made?.close();
  expect(await listens(builds?.urls.base ?? '')).toBe(false);
});

it('one that ends during a load takes the load with it', async () => {
  const { made } = await make({ candidateEnv: ['DIE=1'] });
  const builds = await made?.open(NO_QUERIES);
  await builds?.use('candidate');
  await builds?.loaded('candidate', true);
  await fetch(builds?.urls.candidate ?? '').catch(() => undefined);
  await expect.poll(() => listens(builds?.urls.candidate ?? '')).toBe(false);
  await expect(builds?.loaded('candidate', false)).rejects.toMatchObject({ code: 'serve-lost' });
  await expect
    .poll(async () =>
      builds?.loaded('candidate', true).then(
        () => 'alive',
        ({ code }) => code,
      ),
    )
    .toBe('serve-lost');
  await made?.close();
});

it('one that has its own port is not waited for in vain', async () => {
  const port = await freePort();
  const own = `${JSON.stringify(process.execPath)} server.mjs ${port}`;
  const { error, events } = await make({ serveCommand: own, serveTimeout: 4_000 });
  expect(error).toMatchObject({ code: 'serve-no-answer', exit: 3 });
  expect(error?.message).toMatch(
    /^The server of the base \(http:\/\/localhost:\d+\/\) did not answer within [\d.]+ s \(nothing listens there\)\. Let it listen on the port in PORT/,
  );
  expect(outputOf(events)).toEqual(['listening']);
  expect(await listens(`http://localhost:${port}/`)).toBe(false);
});

it('of which the second fails end both', async () => {
  const { error, events } = await make({
    serveCommand: `node -e "process.env.DIE && process.exit(Number(process.env.DIE)); require('http').createServer((_, r) => r.end()).listen(process.env.PORT, 'localhost')"`,
    candidateEnv: ['DIE=4'],
  });
  expect(error?.message).toMatch(/^The server of the candidate ended before .* answered \(exit code 4\)/);
  const started = events.flatMap((event) => (event.kind === 'server-started' ? event.url : []));
  expect(started).toHaveLength(1);
  expect(await listens(started[0] ?? '')).toBe(false);
});

it('with a port that is taken are not started', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, 'localhost', resolve));
  const { port } = other.address() as { port: number };
  const { error } = await make({ serveUrl: `http://localhost:${port}/` });
  expect(error).toMatchObject({ code: 'serve-url-taken', exit: 2 });
  await new Promise((resolve) => other.close(resolve));
});

it('what both need runs before them, and ends after them', async () => {
  const mock = `require('http').createServer((_, r) => r.end()).listen(MOCK, 'localhost')`;
  const port = await freePort();
  const setup = `echo preparing; node -e "${mock.replace('MOCK', String(port))}" & echo done`;
  const { made, events } = await make({ setup });
  expect(events.map(({ kind }) => kind).slice(0, 3)).toEqual(['setup-starting', 'setup-finished', 'server-starting']);
  await expect.poll(() => listens(`http://localhost:${port}/`)).toBe(true);
  await made?.close();
  expect(await listens(`http://localhost:${port}/`)).toBe(false);
  expect(await readFile(path.join(folder(), 'setup.log'), 'utf8')).toBe('preparing\ndone\n');
});

it('what both need fails, or does not end', async () => {
  const failed = await make({ setup: 'echo no database; exit 7' });
  expect(failed.error?.message).toBe('The --setup command failed (exit code 7). See its output above.');
  expect(outputOf(failed.events)).toEqual(['no database']);
  const endless = await make({ setup: 'node -e "setInterval(() => {}, 1000)"', serveTimeout: 500 });
  expect(endless.error).toMatchObject({ code: 'setup-endless', exit: 2 });
});

it('are ended when the user loses patience', async () => {
  const abort = new AbortController();
  const { error } = await make({ setup: `node -e "setInterval(() => {}, 1000)" & true` }, AbortSignal.abort());
  abort.abort();
  expect(error).toMatchObject({ code: 'interrupted', exit: 130 });
});

it('say what is missing', async () => {
  const refusal = (more: CompareOptions) => refusalOf((async () => resolvedCompare(more))());
  const targets = [folder(), folder()];
  const serveCommand = 'npm start';
  expect(await refusal({ targets, serveCommand })).toMatch(/^--serve-command needs --serve-url: /);
  expect(await refusal({ targets, setup: 'true' })).toMatch(/^--setup needs --serve-command and --serve-url: /);
  expect(await refusal({ targets, serveCommand: 'serve {port}', serveUrl: 'http://localhost:3000' })).toBe(
    '--serve-command with {port} needs --serve-url with {port}: the port that is chosen, as in http://localhost:{port}/.',
  );
  expect(await refusal({ targets, serveCommand, serveUrl: URL_OF, baseEnv: ['a secret'] })).toBe(
    'compare(): baseEnv[0] must be NAME=value, with a name of letters, digits and _.',
  );
  expect(await refusal({ baseRef: 'main', dist: 'dist', serveCommand, serveUrl: URL_OF })).toMatch(/dist/);
  const { servers } = resolvedCompare({ targets, serveCommand, serveUrl: URL_OF });
  await mkdir(path.join(folder(), 'a'));
  const folders = [path.join(folder(), 'a'), 'http://localhost/'] as const;
  if (!servers) throw new Error('they were asked for');
  expect(await refusalOf(serverFolders(folders, servers, undefined, false))).toMatch(
    /^"http:\/\/localhost\/" is not a folder/,
  );
  expect(await refusalOf(serverFolders([folder(), `${folder()}/.`], servers, undefined, false))).toMatch(
    /^Both builds are/,
  );
});
