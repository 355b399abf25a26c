/** HARs, results, configurations and lists of pages by mutation, and files without an end. */
import { execFile } from 'node:child_process';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import { readSitemap } from '../../src/core/sitemap.ts';
import { judgeHar, QuiesceError, report } from '../../src/index.ts';
import { readConfig } from '../../src/settings/config-file.ts';
import { readUrlsFile } from '../../src/shell/disk/urls-file.ts';
import { checkJudged } from '../../tests/support/judged-har.ts';
import { mutateText, mutateValue, type Random } from '../../tests/support/mutate.ts';
import { mustHold, run } from './command.ts';
import type { Fault, Happened } from './fault.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));
/** CPU time for each kind of mutants, s; `--fuzz` sets it. */
const budget = { seconds: 150 };
export function setFuzzSeconds(seconds: number): void {
  budget.seconds = seconds;
}

const HARS = [
  ...['browsertime.har.gz', 'charles.har', 'chrome-har.har', 'devtools.har', 'mitmproxy.har', 'quiesce.har'].map(
    (name) => `hars/${name}`,
  ),
  ...['job-poll.har.gz', 'kitchen-sink.har.gz'].map((name) => `recordings/${name}`),
];

async function textOf(name: string): Promise<string> {
  const bytes = await readFile(path.join(fixtures, name));
  return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
}

/** Tries mutants until the time is over. `attempt` gives what is wrong with one, or undefined. */
function mutants(
  name: string,
  must: string,
  prepare: () => Promise<(random: Random) => Promise<string | undefined>>,
): Fault {
  return {
    group: 'file',
    name,
    times: 1,
    must,
    async inject(random): Promise<Happened> {
      const attempt = await prepare();
      const began = process.cpuUsage();
      const started = performance.now();
      const wrong = new Map<string, number>();
      let injected = 0;
      for (;;) {
        const { user, system } = process.cpuUsage(began);
        if ((user + system) / 1e6 > budget.seconds) break;
        const fault = await attempt(random);
        injected += 1;
        if (fault !== undefined) wrong.set(fault, (wrong.get(fault) ?? 0) + 1);
      }
      return {
        violations: [...wrong].slice(0, 5).map(([fault, count]) => `${fault} (${count}×)`),
        outcome: `${injected} mutants`,
        seconds: (performance.now() - started) / 1000,
        injected,
      };
    },
  };
}

const lineOf = (error: unknown): string => {
  const { name, message, stack = '' } = error as Error;
  const place = /\(?([^\s(]+\.ts:\d+)/.exec(stack)?.[1] ?? '';
  return `${name}: ${message.slice(0, 80)} ${path.basename(place)}`;
};

/** A refusal is right when it is one of ours, and one line. */
const isRefusal = (error: unknown): boolean => error instanceof QuiesceError && !error.message.includes('\n');

export const files: readonly Fault[] = [
  mutants('HARs', 'judged with figures that can be, or refused in one line', async () => {
    const hars = await Promise.all(HARS.map(async (name) => JSON.parse(await textOf(name)) as unknown));
    const texts = hars.map((har) => JSON.stringify(har));
    return async (random) => {
      const nth = Math.floor(random() * hars.length);
      const mutant =
        random() < 0.85 ? (mutateValue(hars[nth], random) as object) : mutateText(texts[nth] ?? '', random);
      try {
        return checkJudged(judgeHar(typeof mutant === 'string' ? mutant : JSON.stringify(mutant)));
      } catch (error) {
        return isRefusal(error) ? undefined : lineOf(error);
      }
    };
  }),
  mutants('results', 'reported, or refused in one line; nothing outside the folder is written', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'qf-results-'));
    process.once('exit', () => execFile('rm', ['-rf', folder]));
    const example = JSON.parse(
      await readFile(new URL('../../reports/example/result.json', import.meta.url), 'utf8'),
    ) as unknown;
    const file = path.join(folder, 'result.json');
    return async (random) => {
      await writeFile(file, JSON.stringify(mutateValue(example, random)));
      try {
        await report(file, { out: path.join(folder, 'out'), format: ['html', 'md', 'junit', 'csv'] });
        return undefined;
      } catch (error) {
        return isRefusal(error) ? undefined : lineOf(error);
      }
    };
  }),
  mutants('configurations', 'read, or refused in one line', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'qf-config-'));
    process.once('exit', () => execFile('rm', ['-rf', folder]));
    const config = {
      targets: ['https://shop.example/', { url: 'https://shop.example/a', name: 'A', runs: 3 }],
      runs: 5,
      quietWindow: 3000,
      background: ['/poll*'],
      header: ['X-A: b'],
      budget: ['LCP=2500ms', { metric: 'page-complete', max: '2s' }],
      network: 'slow-4g',
      format: ['html', 'json'],
    };
    return async (random) => {
      const mutant = mutateValue(config, random);
      const isYaml = random() < 0.5;
      const file = path.join(folder, isYaml ? 'quiesce.config.yaml' : 'quiesce.config.json');
      const text = isYaml ? stringify(mutant) : JSON.stringify(mutant);
      await writeFile(file, random() < 0.3 ? mutateText(text, random) : text);
      try {
        await readConfig(file, folder, 'audit');
        return undefined;
      } catch (error) {
        return isRefusal(error) ? undefined : lineOf(error);
      }
    };
  }),
  mutants('sitemaps and lists of pages', 'read, or refused in one line', async () => {
    const sitemap = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${Array.from({ length: 20 }, (_, i) => `<url><loc>https://shop.example/p/${i}?a=1&amp;b=2</loc><lastmod>2026-01-01</lastmod></url>`).join('')}</urlset>`;
    const folder = await mkdtemp(path.join(os.tmpdir(), 'qf-list-'));
    process.once('exit', () => execFile('rm', ['-rf', folder]));
    const file = path.join(folder, 'urls.txt');
    const stdin = (async function* () {})();
    return async (random) => {
      try {
        readSitemap(mutateText(sitemap, random));
        await writeFile(
          file,
          mutateText('https://shop.example/ Home\n# no page\nhttps://shop.example/cart Cart\n', random),
        );
        await readUrlsFile(file, stdin);
        return undefined;
      } catch (error) {
        return isRefusal(error) ? undefined : lineOf(error);
      }
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
        run({ args: [...(args as string[]), '--out', '{out}'] }, (ran) => mustHold(ran, { exits: [2], within: 30 })),
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
          mustHold(ran, { exits: [2], within: 60 }),
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
          mustHold(ran, { exits: [2], within: 60 }),
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
          mustHold(ran, { exits: [2], within: 60 }),
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
