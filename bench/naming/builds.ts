/**
 * Builds of a page on which forty modules do real work (sorting, parsing, regular expressions, layout), as a bundler makes
 * them. Two builds are equal, or one function of one module takes longer, by the clock.
 */

import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

const MODULES = 40;
/** What a module does with numbers of its own; real work takes another time in each load. */
const KINDS: readonly ((seed: number) => string)[] = [
  (seed) => `const all = Array.from({ length: 9000 }, (_, i) => (i * ${7919 + seed}) % 10007);
  all.sort((a, b) => a - b);
  return all[${seed}];`,
  (seed) => `const text = 'price ${seed}: 12.50 EUR; '.repeat(1500);
  return [...text.matchAll(/(\\w+) (\\d+): ([\\d.]+) (EUR|USD)/g)].length;`,
  (
    seed,
  ) => `const rows = Array.from({ length: 2500 }, (_, i) => ({ id: i, name: 'row ' + i * ${seed + 1}, tags: ['a', 'b'] }));
  return JSON.parse(JSON.stringify(rows)).length;`,
  (seed) => `const list = document.createElement('ul');
  for (let i = 0; i < 250; i += 1) list.append(Object.assign(document.createElement('li'), { textContent: 'Item ' + i * ${seed + 1} }));
  document.querySelector('main').append(list);
  return list.offsetHeight;`,
  (seed) => `const counts = new Map();
  for (let i = 0; i < 40000; i += 1) counts.set((i * ${seed + 3}) % 997, (counts.get((i * ${seed + 3}) % 997) ?? 0) + i);
  return counts.size;`,
  (seed) => `const walk = (n) => (n < 2 ? n : walk(n - 1) + walk(n - 2));
  return walk(${21 + (seed % 3)});`,
];

const WORDS = ['Prices', 'Cart', 'Menu', 'Search', 'Reviews', 'Stock', 'Chart', 'Teaser'];
/** The name of what module `i` exports: names repeat in other modules, as in real bundles. */
const nameOf = (i: number): string =>
  `${['render', 'load', 'format', 'update', 'sort'][i % 5]}${WORDS[i % WORDS.length]}`;

/** The function that grows; one of module 33 has the same name in its source. */
export const GROWS = { module: 17, name: 'updateCart', file: 'module17.js', line: 1 } as const;

/** How a build is made. */
export interface NamingBuild {
  /** By how much longer the function takes, ms. */
  readonly more: number;
  /** Minified, with a source map. */
  readonly minified: boolean;
  /** Another function and other lines before everything, so that all places move. */
  readonly moved: boolean;
}

/** Writes a build into a folder. */
export async function writeNamingBuild(folder: string, { more, minified, moved }: NamingBuild): Promise<void> {
  const sources = path.join(folder, 'src');
  await mkdir(sources, { recursive: true });
  for (let i = 0; i < MODULES; i += 1) {
    const work = KINDS[i % KINDS.length]?.(i) ?? '';
    const longer =
      i === GROWS.module && more > 0
        ? `const until = performance.now() + ${more};\n  while (performance.now() < until);\n  `
        : '';
    const name = i === GROWS.module ? GROWS.name : nameOf(i);
    await writeFile(
      path.join(sources, `module${i}.js`),
      `export function ${name}(options) {\n  ${longer}return compute${i}(options);\n}\n\nfunction compute${i}() {\n  ${work}\n}\n`,
    );
  }
  const modules = Array.from({ length: MODULES }, (_, i) => i);
  await writeFile(
    path.join(sources, 'banner.js'),
    moved ? "export function banner() {\n  return document.title + ' 2';\n}\ndocument.title = banner();\n" : '',
  );
  await writeFile(
    path.join(sources, 'main.js'),
    [
      "import './banner.js';",
      ...modules.map(
        (i) => `import { ${i === GROWS.module ? GROWS.name : nameOf(i)} as run${i} } from './module${i}.js';`,
      ),
      `globalThis.results = [${modules.map((i) => `run${i}({})`).join(', ')}];`,
    ].join('\n'),
  );
  await mkdir(folder, { recursive: true });
  await build({
    entryPoints: [path.join(sources, 'main.js')],
    bundle: true,
    minify: minified,
    sourcemap: minified ? 'linked' : false,
    format: 'iife',
    outfile: path.join(folder, 'app.js'),
    logLevel: 'error',
  });
  await writeFile(
    path.join(folder, 'index.html'),
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Work</title><link rel="icon" href="data:,"></head><body><h1>Forty modules</h1><main></main><script src="app.js"></script></body></html>\n',
  );
  await rm(sources, { recursive: true });
}
