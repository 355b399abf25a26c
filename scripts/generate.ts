/**
 * Writes what reports carry, which git does not keep; with `--watch` again whenever a source changes:
 *
 * - `src/reporters/html/generated/client.ts`: the scripts and style sheets of the HTML report, each as a string with its
 *   hash for the page's policy.
 * - `src/wording/generated/docs.ts`: what the documents say under each heading, and their address on the web.
 * - `src/core/har/generated/schema.ts`: the two schemas of HAR 1.2 as functions.
 */

import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, readFile, watch, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import standaloneCode from 'ajv/dist/standalone/index.js';
import { type BuildOptions, build } from 'esbuild';
import manifest from '../package.json' with { type: 'json' };
import har from '../src/core/har/har-1.2.schema.json' with { type: 'json' };
import strictHar from '../src/core/har/har-1.2.strict.schema.json' with { type: 'json' };
import { explanationsOf } from './explanations.ts';

const DOCS = fileURLToPath(new URL('../docs/', import.meta.url));
const SRC = fileURLToPath(new URL('../src/', import.meta.url));
const HTML = join(SRC, 'reporters/html/');
const CLIENT = join(HTML, 'generated/client.ts');
const EXPLANATIONS = join(SRC, 'wording/generated/docs.ts');
const HAR = join(SRC, 'core/har/generated/schema.ts');

/** By the kind of page: what runs in it. */
const SCRIPTS = {
  report: 'client/report.ts',
  pages: 'client/report-of-pages.ts',
  index: 'client/index-page.ts',
  comparison: 'client/comparison.ts',
};

/** By the kind of page: the only folder of style sheets that others do not have. */
const STYLES = { audit: undefined, capacity: 'capacity', compare: 'compare', trend: 'trend' };

/** As old as the youngest feature that the report cannot do without: `DecompressionStream`, sets and `toSorted`. */
const TARGET = 'es2023';

/** Writes everything: first the explanations, since scripts may use them. */
export async function generate(): Promise<void> {
  await writeExplanations();
  await Promise.all([writeClient(), writeSchemas()]);
}

async function writeSchemas(): Promise<void> {
  const ajv = new Ajv2020({
    schemas: [har, strictHar],
    allErrors: true,
    strictTypes: false,
    // Lengths in UTF-16 units need no code of ajv beside what is written; it warns that this is not the standard.
    unicode: false,
    logger: false,
    code: { source: true, esm: true },
  });
  const code = standaloneCode.default(ajv, { isHar: har.$id, isStrictHar: strictHar.$id });
  await write(HAR, ['// @ts-nocheck', '// Written by scripts/generate.ts out of the schemas in src/core/har.', code]);
}

async function writeExplanations(): Promise<void> {
  const files = globSync('*.md', { cwd: DOCS }).toSorted();
  const pages = await Promise.all(files.map(async (file) => [file, await readFile(join(DOCS, file), 'utf8')] as const));
  const address = `${manifest.homepage.replace(/#.*$/, '')}/blob/main/docs`;
  await write(EXPLANATIONS, [
    '// Written by scripts/generate.ts out of docs/ and the homepage in package.json.',
    `export const DOCS_ADDRESS = ${JSON.stringify(address)};`,
    `export const EXPLANATIONS = ${JSON.stringify(explanationsOf(Object.fromEntries(pages), address), undefined, 2)} as const;`,
  ]);
}

async function writeClient(): Promise<void> {
  const scripts = await bundled(SCRIPTS, (entry) => ({ entryPoints: [join(HTML, entry)] }));
  const sheets = globSync('**/*.css', { cwd: HTML });
  const styles = await bundled(STYLES, (own) => ({
    stdin: { contents: importsOf(sheets, own), loader: 'css', resolveDir: HTML },
  }));
  await write(CLIENT, [
    '// Written by scripts/generate.ts out of the modules of client/ and of every style sheet.',
    `export const scripts = ${JSON.stringify(scripts)};`,
    `export const styles = ${JSON.stringify(styles)};`,
  ]);
}

/** Writes only what changed, so that nobody who watches the file wakes up for nothing. */
async function write(file: string, lines: readonly string[]): Promise<void> {
  const text = [...lines, ''].join('\n');
  if (text === (await readFile(file, 'utf8').catch(() => ''))) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** The sheets of a kind of page: first the base, then what many components share, last what only this kind has. */
function importsOf(sheets: readonly string[], own: string | undefined): string {
  const rank = (sheet: string): number => {
    const folder = dirname(sheet);
    if (folder === '.') return 0;
    if (folder === 'components') return 1;
    return folder === own ? 3 : 2;
  };
  const foreign = Object.values(STYLES).filter((folder) => folder !== own);
  return sheets
    .filter((sheet) => !foreign.includes(dirname(sheet)))
    .toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))
    .map((sheet) => `@import "./${sheet}";`)
    .join('\n');
}

/** Each thing of a list as one minified text, with its hash. */
async function bundled<K extends string, T>(
  list: Readonly<Record<K, T>>,
  options: (thing: T) => BuildOptions,
): Promise<Readonly<Record<string, { readonly text: string; readonly sha256: string }>>> {
  const entries = Object.entries<T>(list).map(async ([name, thing]) => {
    const { outputFiles } = await build({
      bundle: true,
      write: false,
      minify: true,
      format: 'iife',
      target: TARGET,
      charset: 'utf8',
      legalComments: 'none',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      ...options(thing),
    });
    const text = outputFiles?.[0]?.text.trim() ?? '';
    // Either would end the element that it stands in.
    if (/<\/(?:script|style)/i.test(text)) throw new Error(`${name}: a bundle must not hold the end of its element.`);
    return [name, { text, sha256: createHash('sha256').update(text).digest('base64') }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await generate();
  if (process.argv.includes('--watch')) {
    for await (const { filename } of watch(SRC, { recursive: true })) {
      // What does not build is said by esbuild; the next change may mend it.
      if (![CLIENT, EXPLANATIONS, HAR].some((file) => filename?.endsWith(basename(file))))
        await generate().catch(() => undefined);
    }
  }
}
