import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { renderHtml } from '../../src/reporters/html/index.tsx';
import { exampleReport } from './example-report.ts';

/** What runners of TypeScript and bundlers make of the sources: functions get their names from a helper that pages do not have. */
test('a report is the same when its code was bundled with keepNames', async () => {
  const root = path.resolve(import.meta.dirname, '../..');
  const folder = await mkdtemp(path.join(root, 'node_modules/.quiesce-test-'));
  try {
    const outfile = path.join(folder, 'report.mjs');
    await build({
      entryPoints: [path.join(root, 'src/reporters/html/index.tsx')],
      outfile,
      bundle: true,
      keepNames: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      jsx: 'automatic',
      jsxImportSource: 'preact',
    });
    const bundled: { renderHtml: typeof renderHtml } = await import(pathToFileURL(outfile).href);
    expect(bundled.renderHtml(exampleReport()) === renderHtml(exampleReport())).toBe(true);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
