/** HARs, results, configurations and lists of pages by mutation, and files without an end. */
import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import { checkJudged } from '../../tests/support/judged-har.ts';
import { mutantOf, textFrom } from '../../tests/support/mutate.ts';
import { mustHold, run } from './command.ts';
import type { Fault, Happened } from './fault.ts';

/** Parts of it as it is installed: reports cannot be drawn from the source. */
const built = (file: string): Promise<unknown> => import(new URL(`../../dist/${file}.js`, import.meta.url).href);
const { judgeHar, QuiesceError, report } = (await built('index')) as typeof import('../../src/index.ts');
const { readConfig } = (await built('settings/config-file')) as typeof import('../../src/settings/config-file.ts');
const { readSitemap } = (await built('core/requests/sitemap')) as typeof import('../../src/core/requests/sitemap.ts');
const { readUrlsFile } = (await built('shell/disk/urls-file')) as typeof import('../../src/shell/disk/urls-file.ts');

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));
/** CPU time for each kind of mutants, s; `--fuzz` sets it. */
const budget = { seconds: 100 };
export function setFuzzSeconds(seconds: number): void {
  budget.seconds = seconds;
}

const HARS = [
  ...['browsertime.har.gz', 'charles.har', 'chrome-har.har', 'devtools.har', 'mitmproxy.har', 'quiesce.har'].map(
    (name) => `hars/${name}`,
  ),
  ...['job-poll.har.gz', 'kitchen-sink.har.gz'].map((name) => `recordings/${name}`),
];

const CONFIG = {
  pages: [{ url: 'https://shop.example/' }, { url: 'https://shop.example/a', name: 'A', runs: 3 }],
  runs: 5,
  quietWindow: 3000,
  background: ['/poll*'],
  header: ['X-A: b'],
  budget: ['LCP=2500ms', 'page-complete=2s'],
  network: 'slow-4g',
  format: ['html', 'json'],
};

const SITEMAP = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${Array.from({ length: 20 }, (_, i) => `<url><loc>https://shop.example/p/${i}?a=1&amp;b=2</loc><lastmod>2026-01-01</lastmod></url>`).join('')}</urlset>`;

async function textOf(name: string): Promise<string> {
  const bytes = await readFile(path.join(fixtures, name));
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
}

/** What mutants are made from, and how one is taken: undefined when it is read, a clause when what is read cannot be. */
interface Mutated {
  /** Each is read as it stands. */
  readonly seeds: readonly unknown[];
  take(mutant: string): Promise<string | undefined>;
}

/** Tries mutants until the time is over: each is read, or refused in one line. */
function mutants(name: string, must: string, prepare: () => Promise<Mutated>): Fault {
  return {
    group: 'file',
    name,
    times: 1,
    must,
    async inject(random): Promise<Happened> {
      const { seeds, take } = await prepare();
      for (const seed of seeds) await take(textFrom(seed));
      const began = process.cpuUsage();
      const started = performance.now();
      const wrong = new Map<string, number>();
      let [injected, refused] = [0, 0];
      for (;;) {
        // Commands of other lanes are watched from this process, too.
        await setImmediate();
        const { user, system } = process.cpuUsage(began);
        if ((user + system) / 1e6 > budget.seconds) break;
        const fault = await take(mutantOf(seeds, random)).catch((error: unknown) => {
          if (!(error instanceof QuiesceError && !error.message.includes('\n'))) return lineOf(error);
          refused += 1;
          return undefined;
        });
        injected += 1;
        if (fault !== undefined) wrong.set(fault, (wrong.get(fault) ?? 0) + 1);
      }
      return {
        violations: [...wrong].slice(0, 5).map(([fault, count]) => `${fault} (${count}×)`),
        outcome: `${injected} mutants, ${refused} of them refused`,
        seconds: (performance.now() - started) / 1000,
        injected,
      };
    },
  };
}

const lineOf = (error: unknown): string => {
  const { name, message, stack = '' } = error as Error;
  const place = /\(?([^\s(]+\.[jt]s:\d+)/.exec(stack)?.[1] ?? '';
  return `${name}: ${message.slice(0, 80)} ${path.basename(place)}`;
};

/** A folder that is gone when the bench ends. */
async function folderFor(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `qf-${name}-`));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const files: readonly Fault[] = [
  mutants('HARs', 'judged with figures that can be, or refused in one line', async () => ({
    seeds: await Promise.all(HARS.map(async (name) => JSON.parse(await textOf(name)) as unknown)),
    take: async (mutant) => checkJudged(judgeHar(mutant)),
  })),
  mutants('results', 'reported, or refused in one line; nothing outside the folder is written', async () => {
    const folder = await folderFor('results');
    const example = await readFile(new URL('../../reports/example/result.json', import.meta.url), 'utf8');
    const file = path.join(folder, 'result.json');
    return {
      seeds: [JSON.parse(example) as unknown],
      async take(mutant) {
        await writeFile(file, mutant);
        await report(file, { out: path.join(folder, 'out'), format: ['html', 'md', 'junit', 'csv'] });
        return undefined;
      },
    };
  }),
  ...(['json', 'yaml'] as const).map((ending) =>
    mutants(`configurations (${ending})`, 'read, or refused in one line', async () => {
      const folder = await folderFor('config');
      const file = path.join(folder, `quiesce.config.${ending}`);
      return {
        seeds: [ending === 'json' ? CONFIG : stringify(CONFIG)],
        async take(mutant) {
          await writeFile(file, mutant);
          await readConfig(file, folder, 'audit');
          return undefined;
        },
      };
    }),
  ),
  mutants('sitemaps', 'read, or refused in one line', async () => ({
    seeds: [SITEMAP],
    take: async (mutant) => void readSitemap(mutant),
  })),
  mutants('lists of pages', 'read, or refused in one line', async () => {
    const file = path.join(await folderFor('list'), 'urls.txt');
    return {
      seeds: ['https://shop.example/ Home\n# no page\nhttps://shop.example/cart Cart\n'],
      async take(mutant) {
        await writeFile(file, mutant);
        await readUrlsFile(file, (async function* () {})());
        return undefined;
      },
    };
  }),
  ...[
    ['a HAR without an end (/dev/zero)', ['analyze', '/dev/zero']],
    ['a list of pages without an end (/dev/zero)', ['audit', '--urls-file', '/dev/zero']],
    ['a folder in place of a HAR', ['analyze', '/proc/self/fd']],
  ].map(
    ([name, args]): Fault => ({
      group: 'file',
      name: String(name),
      times: 1,
      must: 'refused in one line, below 1 GB',
      inject: () =>
        run({ args: [...(args as string[]), '--out', '{out}'] }, (ran) => mustHold(ran, { exits: [2, 3], within: 30 })),
    }),
  ),
  {
    group: 'file',
    name: 'a FIFO into which nothing is written',
    times: 1,
    must: 'refused in one line',
    async inject() {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'qf-fifo-'));
      try {
        const fifo = path.join(folder, 'page.har');
        await promisify(execFile)('mkfifo', [fifo]);
        return await run({ args: ['analyze', fifo, '--out', '{out}'] }, (ran) =>
          mustHold(ran, { exits: [2, 3], within: 60 }),
        );
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  },
  {
    group: 'file',
    name: 'an endless standard input',
    times: 1,
    must: 'refused in one line, below 1 GB',
    async inject() {
      const zeros = await open('/dev/zero');
      try {
        return await run({ args: ['analyze', '-', '--out', '{out}'], stdin: zeros.fd }, (ran) =>
          mustHold(ran, { exits: [2, 3], within: 60 }),
        );
      } finally {
        await zeros.close();
      }
    },
  },
  {
    group: 'file',
    name: 'a HAR of 50,000 entries (36 MB)',
    times: 1,
    must: 'judged or refused, below 1 GB',
    async inject() {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'qf-large-'));
      try {
        const file = path.join(folder, 'large.har.gz');
        await writeFile(file, gzipSync(largeHar()));
        return await run({ args: ['analyze', file, '--out', '{out}'] }, (ran) =>
          mustHold(ran, { exits: [0, 2, 4], within: 120 }),
        );
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  },
  {
    group: 'file',
    name: 'a compressed HAR that is a bomb (2 GB of blanks)',
    times: 1,
    must: 'refused in one line, below 1 GB',
    async inject() {
      const folder = await mkdtemp(path.join(os.tmpdir(), 'qf-bomb-'));
      try {
        const file = path.join(folder, 'bomb.har.gz');
        const part = gzipSync(Buffer.alloc(2 ** 26, ' '));
        await writeFile(file, Buffer.concat(Array.from({ length: 32 }, () => part)));
        return await run({ args: ['analyze', file, '--out', '{out}'] }, (ran) =>
          mustHold(ran, { exits: [2, 3], within: 60 }),
        );
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  },
];

function largeHar(): string {
  const started = Date.parse('2026-11-27T10:00:00.000Z');
  const entries = Array.from({ length: 50_000 }, (_, i) => ({
    pageref: 'page_1',
    startedDateTime: new Date(started + i / 10).toISOString(),
    time: 20,
    request: {
      method: 'GET',
      url: `https://shop.example/${i === 0 ? '' : `part-${i}.js`}`,
      httpVersion: 'HTTP/2',
      cookies: [],
      headers: [
        { name: 'accept', value: '*/*' },
        { name: 'user-agent', value: 'Mozilla/5.0 (X11; Linux x86_64)' },
      ],
      queryString: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/2',
      cookies: [],
      headers: [{ name: 'content-type', value: i === 0 ? 'text/html' : 'text/javascript' }],
      content: { size: 1000, mimeType: i === 0 ? 'text/html' : 'text/javascript' },
      redirectURL: '',
      headersSize: -1,
      bodySize: 1000,
    },
    cache: {},
    timings: { send: 0, wait: 15, receive: 5 },
  }));
  const pages = [
    {
      startedDateTime: new Date(started).toISOString(),
      id: 'page_1',
      title: 'https://shop.example/',
      pageTimings: { onLoad: 5_100 },
    },
  ];
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'made up', version: '1' }, pages, entries } });
}
