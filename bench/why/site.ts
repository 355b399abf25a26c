/**
 * Sites for `npm run bench:why`: a page with a style sheet, a font, an image, a worker, and an application that does real work
 * with a package from npm and loads data in two steps, built by Vite, esbuild or webpack. Each package makes another site.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build as esbuild } from 'esbuild';
import { PNG } from 'pngjs';
import { build as vite } from 'vite';
import webpack from 'webpack';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));
const FONT = path.join(REPOSITORY, 'fixtures/pages/shop/fonts');

/** A site: the package that it is built with, how, and what it does with it. */
export interface Site {
  readonly name: string;
  readonly builder: keyof typeof BUILDERS;
  readonly minified?: true;
  /** A module whose function `work` does something with the package and returns a text. */
  readonly work: string;
}

const numbered = (count: number, text: string): string => `Array.from({ length: ${count} }, (_, i) => ${text})`;

export const SITES: readonly Site[] = [
  {
    name: 'preact',
    builder: 'vite',
    work: `import { h, render } from 'preact';
export function work() {
  const items = ${numbered(400, "h('li', { key: i }, 'Item ' + i)")};
  render(h('ul', {}, items), document.querySelector('#menu'));
  return items.length + ' items';
}`,
  },
  {
    name: 'micromark',
    builder: 'esbuild',
    minified: true,
    work: `import { micromark } from 'micromark';
export function work() {
  const text = ${numbered(150, "'## Part ' + i + '\\n\\nSome *text* with a [link](#).\\n'")}.join('\\n');
  document.querySelector('#menu').innerHTML = micromark(text);
  return text.length + ' letters';
}`,
  },
  {
    name: 'yaml',
    builder: 'webpack',
    work: `import { parse } from 'yaml';
export function work() {
  const text = ${numbered(200, "'- name: item ' + i + '\\n  price: ' + i")}.join('\\n');
  const list = parse(text);
  document.querySelector('#menu').textContent = list.map(({ name }) => name).join(', ');
  return list.length + ' rows';
}`,
  },
  {
    name: '@tanstack/query-core',
    builder: 'webpack',
    minified: true,
    work: `import { QueryClient } from '@tanstack/query-core';
export function work() {
  const client = new QueryClient();
  for (let i = 0; i < 500; i += 1) client.setQueryData(['item', i], { i });
  document.querySelector('#menu').textContent = client.getQueryCache().getAll().length + ' entries';
  return 'cached';
}`,
  },
  {
    name: 'hls.js',
    builder: 'vite',
    minified: true,
    work: `import Hls from 'hls.js';
export function work() {
  const player = new Hls({ enableWorker: false });
  document.querySelector('#menu').textContent = 'Player ' + Hls.version + ', ' + player.levels.length + ' levels';
  return Hls.isSupported() ? 'supported' : 'not supported';
}`,
  },
];

/** What a site is made of; a change makes another one out of it. */
export interface Source {
  readonly html: string;
  readonly css: string;
  readonly main: string;
  readonly render: string;
  readonly notes: string;
  readonly worker: string;
  /** Of the picture, as it is shown. */
  readonly picture: { readonly width: number; readonly height: number };
  /** More files that are served as they are. */
  readonly files: Readonly<Record<string, string>>;
  /** How long answers take until their first byte, ms, by path. */
  readonly delays: Readonly<Record<string, number>>;
  /** What another origin serves, by path. */
  readonly elsewhere: Readonly<Record<string, { readonly text: string; readonly delay: number }>>;
}

/** Stands for the origin of the third party, which is known only when it is served. */
export const ELSEWHERE = '__ELSEWHERE__';

const HTML = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Site</title>
    <link rel="icon" href="data:,">
    <link rel="preload" href="./font.woff2" as="font" type="font/woff2" crossorigin>
    <link rel="stylesheet" href="./theme.css">
  </head>
  <body>
    <h1>A site</h1>
    <img src="./hero.png" width="480" height="320" alt="">
    <main id="menu"></main>
    <ul id="products"></ul>
    <ul id="reviews"></ul>
    <p id="stock">…</p>
    <p id="badges"></p>
    <div id="grid">${Array.from({ length: 900 }, (_, i) => `<div class="cell c${i % 7}"><span>Cell ${i}</span></div>`).join('')}</div>
    <script type="module" src="./app.js"></script>
  </body>
</html>
`;

const CSS = `@font-face { font-family: Site; src: url(font.woff2) format('woff2'); }
body { margin: 1rem; font: 16px Site, sans-serif; }
#grid { display: flex; flex-wrap: wrap; }
.cell { width: 60px; height: 20px; overflow: hidden; }
`;

const MAIN = `import { work } from './work.js';
import { NOTES } from './notes.js';
import { renderBadges, renderProducts, renderReviews, renderStock } from './render.js';

const ask = async (name) => (await fetch('api/' + name + '.json')).json();

async function loadProducts() {
  const products = await ask('products');
  renderProducts(products);
  /* before reviews */
  const [reviews, prices] = await Promise.all([ask('reviews'), ask('prices')]);
  renderReviews(reviews, prices);
}

document.title = work() + NOTES.length;
renderBadges();
loadProducts();
const worker = new Worker('worker.js');
worker.onmessage = async ({ data }) => renderStock(data, await ask('stock'));
worker.postMessage(20000);
`;

const RENDER = `const list = (id, texts) => {
  document.querySelector(id).innerHTML = texts.map((text) => '<li>' + text + '</li>').join('');
};

export function renderProducts(products) {
  list('#products', products.map(({ name }) => name));
}

export function renderReviews(reviews, prices) {
  list('#reviews', reviews.map(({ text }, i) => text + ' ' + prices[i]));
}

export function renderStock(sum, stock) {
  document.querySelector('#stock').textContent = sum + ' ' + stock.left;
}

export function renderBadges() {
  /* badges */
  document.querySelector('#badges').textContent = 'New';
}
`;

const WORKER = `onmessage = ({ data }) => {
  let sum = 0;
  for (let i = 0; i < data; i += 1) sum += i % 7;
  /* before the answer */
  postMessage(sum);
};
`;

/** The source of a site before any change. `scale` is that of its server. */
export function sourceOf(scale: number): Source {
  const delays = {
    '/': 30,
    '/app.js': 40,
    '/theme.css': 350,
    '/font.woff2': 600,
    '/hero.png': 60,
    '/worker.js': 30,
    '/api/products.json': 100,
    '/api/reviews.json': 300,
    '/api/prices.json': 300,
    '/api/stock.json': 80,
  };
  return {
    html: HTML,
    css: CSS,
    main: MAIN,
    render: RENDER,
    notes: "export const NOTES = ['first', 'second'];\n",
    worker: WORKER,
    picture: { width: 240, height: 160 },
    files: {
      'api/products.json': JSON.stringify(Array.from({ length: 12 }, (_, i) => ({ name: `Product ${i}` }))),
      'api/reviews.json': JSON.stringify(Array.from({ length: 12 }, (_, i) => ({ text: `Review ${i}` }))),
      'api/prices.json': JSON.stringify(Array.from({ length: 12 }, (_, i) => 10 + i)),
      'api/stock.json': JSON.stringify({ left: 4 }),
    },
    delays: Object.fromEntries(Object.entries(delays).map(([name, ms]) => [name, Math.round(ms * scale)])),
    elsewhere: {},
  };
}

/** What is served of a site, by path. */
export type Built = ReadonlyMap<string, Buffer>;

interface BundleOf {
  readonly folder: string;
  readonly out: string;
  readonly entry: string;
  /** With a source map. */
  readonly minify: boolean;
}

/** Each bundles an application into `app.js`. */
const BUILDERS = {
  vite: async ({ folder, out, entry, minify }: BundleOf): Promise<void> => {
    await vite({
      root: folder,
      configFile: false,
      publicDir: false,
      logLevel: 'silent',
      build: {
        outDir: out,
        minify,
        sourcemap: minify,
        modulePreload: false,
        rollupOptions: { input: entry, output: { entryFileNames: 'app.js', format: 'es' } },
      },
    });
  },
  esbuild: async ({ out, entry, minify }: BundleOf): Promise<void> => {
    await esbuild({
      entryPoints: [entry],
      outfile: path.join(out, 'app.js'),
      bundle: true,
      format: 'esm',
      minify,
      sourcemap: minify,
      logLevel: 'silent',
    });
  },
  webpack: async ({ folder, out, entry, minify }: BundleOf): Promise<void> => {
    const compiler = webpack({
      context: folder,
      entry,
      mode: 'production',
      devtool: minify ? 'source-map' : false,
      optimization: { minimize: minify },
      output: { path: out, filename: 'app.js' },
      resolve: { symlinks: false },
      performance: false,
    });
    const stats = await promisify(compiler.run.bind(compiler))();
    if (stats?.hasErrors() !== false) throw new Error(`webpack: ${stats?.toString('errors-only')}`);
    await promisify(compiler.close.bind(compiler))();
  },
} as const;

/** Builds a site. */
export async function buildSite({ builder, minified, work }: Site, source: Source): Promise<Built> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'quiesce-why-'));
  try {
    // Packages are found from here.
    await symlink(path.join(REPOSITORY, 'node_modules'), path.join(folder, 'node_modules'));
    await mkdir(path.join(folder, 'src'));
    const { main, render, notes } = source;
    for (const [name, text] of Object.entries({ main, render, notes, work })) {
      await writeFile(path.join(folder, 'src', `${name}.js`), text);
    }
    const out = path.join(folder, 'dist');
    await BUILDERS[builder]({ folder, out, entry: path.join(folder, 'src/main.js'), minify: minified === true });
    // Comments name the folder, which builds of one project have in common.
    const read = async (name: string): Promise<Buffer> =>
      Buffer.from((await readFile(path.join(out, name), 'utf8')).replaceAll(path.basename(folder), 'site'));
    const [font] = (await readdir(FONT)).filter((name) => name.endsWith('.woff2')).toSorted();
    const text = (all: Readonly<Record<string, string>>) =>
      Object.entries(all).map(([name, content]) => [`/${name}`, Buffer.from(content)] as const);
    return new Map([
      ['/app.js', await read('app.js')],
      ...(minified ? [['/app.js.map', await read('app.js.map')] as const] : []),
      ['/font.woff2', await readFile(path.join(FONT, font ?? ''))],
      ['/hero.png', pictureOf(source.picture)],
      ...text({ 'index.html': source.html, 'theme.css': source.css, 'worker.js': source.worker, ...source.files }),
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A picture that cannot be packed: its size goes with its area. */
function pictureOf({ width, height }: Source['picture']): Buffer {
  const png = new PNG({ width, height });
  let state = 1;
  for (let i = 0; i < png.data.length; i += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    png.data[i] = i % 4 === 3 ? 255 : state >> 16;
  }
  return PNG.sync.write(png);
}
