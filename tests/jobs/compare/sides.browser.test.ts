import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { folderForEach } from '../../support/folders.ts';
import { compare } from '../../support/jobs.ts';
import { sharedLab } from '../../support/lab.ts';
import { IMPATIENT } from '../../support/patience.ts';
import { COMPARING } from '../../support/settings.ts';

const folder = folderForEach('sides');
const asked: Pick<IncomingMessage, 'url' | 'headers'>[] = [];
let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push({ url: request.url, headers: request.headers });
    const isPage = request.url?.startsWith('/?') || request.url === '/';
    if (!isPage) return void response.end();
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>Flags</title><link rel="icon" href="data:,"><p>Hello</p>
      <script src="/tag.js"></script><script>if (localStorage.side) fetch('/seen/' + localStorage.side)</script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('one address is compared with itself where a side has something of its own', async () => {
  const script = path.join(folder(), 'side.mjs');
  await writeFile(
    script,
    `export async function before(page) { await page.goto(${JSON.stringify(url)}); await page.evaluate(() => { localStorage.side = 'candidate'; }); }`,
  );
  const { result } = await compare(
    {
      ...COMPARING,
      quietWindow: 500,
      observation: IMPATIENT,
      targets: [url, url],
      out: path.join(folder(), 'out'),
      sandbox: process.getuid?.() !== 0,
      format: ['json'],
      maxPairs: 2,
      header: ['X-Both: 1', 'X-Flag: off'],
      candidateHeader: ['x-flag: SECRET-7'],
      baseCookie: ['side=base'],
      candidateQuery: 'flag=on',
      candidateBlock: ['*/tag.js'],
      candidateScriptBefore: script,
    },
    { microBenchmark: () => 10, openLab: sharedLab },
  );
  expect(result.base.runs.some(({ ok }) => ok)).toBe(true);
  expect(result.candidate.runs.some(({ ok }) => ok)).toBe(true);
  expect([result.base.url, result.candidate.url]).toEqual([url, `${url}?flag=on`]);
  expect(result.base.target).toBe(`${url} (header X-Flag and cookie side)`);
  expect(result.candidate.target).toBe(`${url} (flag=on, header x-flag, without */tag.js and after ${script})`);
  const flagged = asked.filter((each) => each.url === '/?flag=on');
  const plain = asked.filter((each) => each.url === '/' && each.headers.cookie !== undefined);
  expect(flagged.length).toBeGreaterThan(2);
  expect(plain.length).toBeGreaterThan(2);
  expect(new Set(flagged.map(({ headers }) => [headers['x-both'], headers['x-flag'], headers.cookie].join()))).toEqual(
    new Set(['1,SECRET-7,']),
  );
  expect(new Set(plain.map(({ headers }) => [headers['x-both'], headers['x-flag'], headers.cookie].join()))).toEqual(
    new Set(['1,off,side=base']),
  );
  expect(asked.some((each) => each.url === '/seen/candidate')).toBe(true);
  expect(JSON.stringify(result)).not.toContain('SECRET-7');
});
