/**
 * `npm run bench:elsewhere`: is the estimate for a phone with slow 4G right? Sites that Vite, esbuild and webpack build, published
 * builds of packages, and pages of the fixtures are audited as they are, and as that phone. What the first audit estimates is
 * compared with what the second one measures.
 *
 * Prints a Markdown table and writes bench/results/elsewhere.json. `--runs <n>` sets the timed runs of each audit (default 3),
 * `--only <text>` takes pages whose names hold that text.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startFixtureServer } from '../../fixtures/server.ts';
import { audit } from '../../src/api.ts';
import { PHONE } from '../../src/core/elsewhere.ts';
import { table } from '../support/table.ts';
import { serveSite } from '../why/serve.ts';
import { buildSite, SITES, sourceOf } from '../why/site.ts';

const RESULTS = new URL('../results/elsewhere.json', import.meta.url);
/** An estimate is right within this share of what is measured. */
const GOAL = 0.25;
const FIXTURES = [
  'shop',
  'carousel',
  'hydration-gap',
  'iframes',
  'web-news-front',
  'web-product-page',
  'web-photo-gallery',
  'web-docs-site',
  'web-landing',
  'behind-kanban',
];
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '3' }, only: { type: 'string', default: '' } },
});

interface Page {
  readonly name: string;
  open(): Promise<{ readonly url: string; close(): Promise<void> }>;
}

const sites: readonly Page[] = SITES.map((site) => ({
  name: `${site.name}, ${site.builder}`,
  open: async () => {
    const source = sourceOf(1);
    return serveSite(await buildSite(site, source), source);
  },
}));
const fixtures: readonly Page[] = FIXTURES.map((name) => ({
  name: `fixture ${name}`,
  open: async () => {
    const server = await startFixtureServer();
    return { url: server.url(name), close: () => server.close() };
  },
}));
/** Served by the audit itself. */
const packages: readonly Page[] = [
  {
    name: 'reveal.js, as published',
    open: async () => ({
      url: fileURLToPath(new URL('../../node_modules/reveal.js', import.meta.url)),
      close: async () => undefined,
    }),
  },
];

async function auditOf(url: string, conditions: Partial<typeof PHONE>) {
  const { result } = await audit(url, {
    ...(process.getuid?.() === 0 && { sandbox: false }),
    ...conditions,
    runs: Number(values.runs),
    ablation: false,
    format: [],
  });
  return result.targets[0];
}

const rows: { readonly page: string; readonly here: number; readonly estimated: number; readonly measured: number }[] =
  [];
for (const { name, open } of [...sites, ...packages, ...fixtures].filter((page) => page.name.includes(values.only))) {
  const { url, close } = await open();
  try {
    const here = await auditOf(url, {});
    const there = await auditOf(url, PHONE);
    rows.push({
      page: name,
      here: Math.round(here?.summary.pageComplete?.median ?? Number.NaN),
      estimated: Math.round(here?.elsewhere?.[0]?.pageComplete ?? Number.NaN),
      measured: Math.round(there?.summary.pageComplete?.median ?? Number.NaN),
    });
    process.stderr.write(`${JSON.stringify(rows.at(-1))}\n`);
    await writeFile(RESULTS, `${JSON.stringify({ at: new Date().toISOString(), rows }, undefined, 2)}\n`);
  } finally {
    await close();
  }
}
const isRight = ({ estimated, measured }: (typeof rows)[number]): boolean =>
  Math.abs(estimated - measured) <= GOAL * measured;
console.log(
  table(
    ['page', 'here', 'estimated', 'measured', 'within 25%'],
    rows.map((row) => [
      row.page,
      `${row.here} ms`,
      `${row.estimated} ms`,
      `${row.measured} ms`,
      isRight(row) ? 'yes' : 'no',
    ]),
  ),
);
console.log(`\nWithin 25%: ${rows.filter(isRight).length} of ${rows.length}`);
