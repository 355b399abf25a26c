import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { createViteServer } from 'vitest/node';
import { serveFolder } from '../../../src/shell/servers/static-server.ts';
import { auditInChrome } from '../../support/chrome.ts';
import { folderForAll } from '../../support/folders.ts';

const folder = folderForAll('vite');

const hash = (text: string) => createHash('sha256').update(text).digest('base64');
/** A library of which a page uses one function; it is large compressed, too. */
const LIBRARY = Array.from(
  { length: 1_000 },
  (_, i) => `export function part${i}(x) { return x + '${hash(`${i}`)}'; }`,
).join('\n');

beforeAll(async () => {
  await mkdir(path.join(folder(), 'src'));
  await writeFile(
    path.join(folder(), 'index.html'),
    '<!doctype html><title>Shop</title><h1>Shop</h1><p id="sum"></p><script type="module" src="/src/main.js"></script>',
  );
  const main = "import { part1 } from './library.js';\ndocument.querySelector('#sum').textContent = part1(2);\n";
  await writeFile(path.join(folder(), 'src', 'main.js'), main);
  await writeFile(path.join(folder(), 'src', 'library.js'), LIBRARY);
});

/** What an audit advises and notes, by its codes. */
async function codesOf(url: string): Promise<readonly string[]> {
  const { result } = await auditInChrome({ targets: [url], evidence: true, trace: true });
  return (result.targets[0]?.runs ?? []).flatMap(({ findings = [] }) => findings.map(({ code }) => code));
}

it('a page that Vite serves for development is told to be built, and not to be compressed', async () => {
  const server = await createViteServer({
    root: folder(),
    configFile: false,
    logLevel: 'silent',
    // No cache in the folder of a package, and no look at the packages around.
    cacheDir: path.join(folder(), '.vite'),
    optimizeDeps: { noDiscovery: true },
    server: { host: '127.0.0.1', port: 0 },
  });
  onTestFinished(() => server.close());
  await server.listen();
  const codes = await codesOf(server.resolvedUrls?.local[0] ?? '');
  expect(codes).toContain('development-server');
  expect(codes.filter((code) => ['no-compression', 'short-cache', 'unused-code'].includes(code))).toEqual([]);
});

it('the same page from a plain folder is advised about its unused code', async () => {
  const site = await serveFolder(folder());
  onTestFinished(() => site.close());
  const codes = await codesOf(site.url);
  expect(codes).not.toContain('development-server');
  expect(codes).toContain('unused-code');
});
