import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ComparePagesResult } from '../../../src/model/compare/comparison.ts';
import { comparePages } from '../../support/jobs.ts';
import { sharedLab } from '../../support/lab.ts';
import { IMPATIENT } from '../../support/patience.ts';
import { COMPARING } from '../../support/settings.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'quiesce-test-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A page that writes its last line after so many ms. */
const pageOf = (name: string, after: number): string =>
  `<!doctype html><html lang="en"><title>${name}</title><h1>${name}</h1><script>
setTimeout(() => fetch('/data.json').then(() => document.body.append('here')), ${after});</script></html>`;

/** Three pages of a site; the shop's price comes after `shop` ms. */
async function writeSite(name: string, shop: number): Promise<string> {
  const folder = path.join(root, name);
  for (const [page, after] of [
    ['', 50],
    ['about', 50],
    ['shop', shop],
  ] as const) {
    await mkdir(path.join(folder, page), { recursive: true });
    await writeFile(path.join(folder, page, 'index.html'), pageOf(page, after));
  }
  await writeFile(path.join(folder, 'data.json'), '{}');
  return folder;
}

it('finds in two folders the one page of three that is slower', async () => {
  const targets = [await writeSite('base', 50), await writeSite('candidate', 450)];
  const out = path.join(root, 'out');
  const { result, exit } = await comparePages(
    {
      ...COMPARING,
      quietWindow: 500,
      observation: IMPATIENT,
      evidence: false,
      targets,
      out,
      pages: ['/', '/about/', { url: '/shop/', name: 'Shop' }],
      sandbox: process.getuid?.() !== 0,
      format: ['html', 'json', 'har'],
      gate: ['page-complete'],
      maxPairs: 10,
      looks: [10],
      // Of equal pages one in a hundred comparisons may call one different.
      alpha: 0.01,
    },
    { microBenchmark: () => 10, openLab: sharedLab },
  );
  const [home, about, shop] = result.targets;
  expect([home?.decision, about?.decision]).not.toContain('slower');
  expect(shop).toMatchObject({ name: 'Shop', path: '/shop/', decision: 'slower', failedGates: ['pageComplete'] });
  expect(result).toMatchObject({ decision: 'slower', exit: 1 });
  expect(result.sentence).toMatch(/^1 of 3 pages is slower: Shop /);
  expect(exit).toBe(1);
  const stored = JSON.parse(await readFile(path.join(out, 'result.json'), 'utf8')) as ComparePagesResult;
  expect(stored.targets.map(({ folder }) => folder)).toEqual(['pages/home', 'pages/about', 'pages/shop']);
  // What a page names lies in its folder.
  const har = stored.targets[2]?.candidate.runs.find(({ role }) => role === 'timed')?.har ?? '';
  const recorded = await readFile(path.join(out, 'pages', 'shop', har), 'utf8');
  expect(recorded).toContain('/shop/');
});
