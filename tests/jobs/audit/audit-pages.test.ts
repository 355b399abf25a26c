import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { roundOrder } from '../../../src/core/experiment/round-order.ts';
import type { LoadOutcome, LoadRequest } from '../../../src/model/recording/lab.ts';
import type { Progress } from '../../../src/model/result/progress.ts';
import type { AuditResult, TargetResult } from '../../../src/model/result/result.ts';
import { failure } from '../../../src/wording/result/failure.ts';
import { folderForEach } from '../../support/folders.ts';
import { commitIn, gitIn } from '../../support/git.ts';
import { type AuditOptions, audit } from '../../support/jobs.ts';

import { answeringLab, ORIGIN, POLICY, page, recordingOf, type Scripted } from '../../support/scripted.ts';
import { COMMON } from '../../support/settings.ts';

const out = folderForEach('pages');

const settings = (more: Partial<AuditOptions>): AuditOptions => ({
  ...COMMON,
  targets: [],
  out: out(),
  runs: 2,
  ...more,
});

const good = (...more: readonly Scripted[]): LoadOutcome => ({
  ok: true,
  recording: recordingOf({
    requests: page({ path: '/api?token=s3cret-value', from: 100, to: 400 }, ...more),
    until: 9_000,
  }),
});

/** Audits with a lab that answers each load. `order` holds the paths that were loaded. */
async function run(
  more: Partial<AuditOptions>,
  {
    load = () => good(),
    onProgress,
    signal,
    stdin,
  }: {
    load?: (request: LoadRequest, number: number) => LoadOutcome | Promise<LoadOutcome>;
    onProgress?: (event: Progress) => void;
    signal?: AbortSignal;
    stdin?: Readable;
  } = {},
) {
  const order: string[] = [];
  const events: Progress[] = [];
  const outcome = await audit(settings(more), {
    ...(signal && { signal }),
    ...(stdin && { stdin }),
    onProgress: (event) => {
      events.push(event);
      onProgress?.(event);
    },
    openLab: answeringLab((request) => {
      order.push(new URL(request.url).pathname);
      return load(request, order.length);
    }),
  });
  return { outcome, order, events };
}

const stored = async (): Promise<AuditResult> => JSON.parse(await readFile(path.join(out(), 'result.json'), 'utf8'));
const notes = (events: readonly Progress[]) => events.flatMap((event) => (event.kind === 'note' ? event.message : []));
const refused = (more: Partial<AuditOptions>, hooks: Parameters<typeof run>[1] = {}) =>
  run(more, hooks).then(
    () => 'was audited',
    (error: Error) => error.message,
  );

describe('several pages', () => {
  it('take turns: each by itself first, then rounds of all in shuffled order', async () => {
    const paths = ['/a', '/b', '/c', '/d'];
    const { order, outcome, events } = await run({ targets: paths.map((each) => ORIGIN + each), runs: 3 });
    const rounds = [1, 2, 3].map((round) => roundOrder(4, round).map((i) => paths[i]));
    expect(order).toEqual([...paths, ...rounds.flat()]);
    expect(outcome.exit).toBe(0);
    expect(await stored()).toMatchObject({
      exit: 0,
      verdict: 'good',
      sentence: expect.stringMatching(/^4 pages: 4 good; the slowest is complete at /),
    });
    for (const [i, target] of outcome.result.targets.entries()) {
      expect(target.runs.find(({ index }) => index === target.representativeRun)).toMatchObject({ role: 'timed' });
      expect(target.url).toBe(ORIGIN + paths[i]);
      expect(target.runs.map(({ index, role }) => [index, role])).toEqual([
        [0, 'discarded'],
        [1, 'timed'],
        [2, 'timed'],
        [3, 'timed'],
      ]);
      expect(target.runs.map((each) => each.order)).toEqual([
        undefined,
        ...rounds.map((round) => round.indexOf(paths[i])),
      ]);
    }
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'run-finished', index: 2, page: { name: `${ORIGIN}/c`, index: 3, of: 4 } }),
    );
  });

  it('have files of their own names, and a single page the plain ones', async () => {
    await run({
      pages: [{ name: 'Home page', url: ORIGIN }, { url: `${ORIGIN}/shop/?a=1` }, { url: `${ORIGIN}/`, timeout: 9000 }],
      runs: 1,
    });
    const hars = (await readdir(out())).filter((name) => name.endsWith('.har'));
    expect(hars.toSorted()).toEqual(
      ['home-page', 'shop-a', 'home'].flatMap((name) => [`${name}-run-0.har`, `${name}-run-1.har`]).toSorted(),
    );
    const { targets } = await stored();
    expect(targets.map(({ name, runs }) => [name, runs[1]?.har])).toEqual([
      ['Home page', 'home-page-run-1.har'],
      [undefined, 'shop-a-run-1.har'],
      [undefined, 'home-run-1.har'],
    ]);
    await rm(out(), { recursive: true });
    await run({ pages: [{ name: 'Home page', url: ORIGIN }], runs: 1 });
    expect((await readdir(out())).toSorted()).toEqual(['index.html', 'result.json', 'run-0.har', 'run-1.har']);
    expect((await stored()).targets[0]?.name).toBe('Home page');
  });

  it('say how large what lies beside the report is, but not what is gone by then, nor the reports', async () => {
    const { outcome } = await run({ targets: [`${ORIGIN}/a`, `${ORIGIN}/b`], runs: 9 });
    const beside = (await readdir(out())).filter((name) => name.endsWith('.har'));
    expect(beside).toHaveLength(20);
    const sizes = await Promise.all(
      beside.map(async (name) => [name, (await stat(path.join(out(), name))).size] as const),
    );
    expect(outcome.report.sizes).toEqual(Object.fromEntries(sizes));
  });

  it('name the commit of each folder where they are of several work trees', async () => {
    const commits: string[] = [];
    for (const site of ['one', 'two']) {
      const top = path.join(out(), site);
      await mkdir(top);
      await writeFile(path.join(top, 'index.html'), site);
      await gitIn(top, 'init', '-q');
      commits.push(await commitIn(top, site));
    }
    const targets = [path.join(out(), 'one'), path.join(out(), 'two'), ORIGIN];
    const { outcome } = await run({ targets, runs: 1, out: path.join(out(), 'results') });
    expect(outcome.result.source).toBeUndefined();
    expect(outcome.result.targets.map(({ source }) => source?.commit)).toEqual([...commits, undefined]);
  });

  it('name the commit once where it is that of all', async () => {
    const commit = 'a'.repeat(40);
    const { outcome } = await run({ targets: [`${ORIGIN}/a`, `${ORIGIN}/b`], runs: 1, commit });
    expect(outcome.result.source).toEqual({ commit });
    expect(outcome.result.targets.map(({ source }) => source)).toEqual([undefined, undefined]);
  });

  it('may each have settings of their own', async () => {
    const seen = new Map<string, LoadRequest>();
    const { outcome } = await run(
      {
        pages: [
          { name: 'a', url: `${ORIGIN}/a`, runs: 1, timeout: 8_000, background: ['/x'] },
          { name: 'b', url: `${ORIGIN}/b` },
        ],
        runs: 3,
      },
      {
        load: (request) => {
          seen.set(new URL(request.url).pathname, request);
          return good();
        },
      },
    );
    expect(outcome.result.targets.map(({ runs }) => runs.length)).toEqual([2, 4]);
    expect(seen.get('/a')?.policy).toMatchObject({ timeout: 8_000, background: ['/x'] });
    expect(seen.get('/b')?.policy).toMatchObject({ timeout: POLICY.timeout, background: [] });
    expect(outcome.result.settings.pages).toMatchObject([{ name: 'a', timeout: 8_000 }, { name: 'b' }]);
  });

  it('go on without one that is hopeless, and with one that failed once', async () => {
    const loads = new Map<string, number>();
    const nth = (url: string): number => {
      const count = (loads.get(url) ?? 0) + 1;
      loads.set(url, count);
      return count;
    };
    const broken: LoadOutcome = { ok: false, failure: failure('truncated', { url: `${ORIGIN}/b`, detail: 'cut' }) };
    const { order, outcome } = await run(
      { targets: ['/a', '/b', '/c'].map((each) => ORIGIN + each), runs: 4 },
      {
        load: ({ url }) => {
          const count = nth(url);
          if (url.endsWith('/b') && count > 1) return broken;
          if (url.endsWith('/c') && count === 3)
            return { ok: false, failure: failure('truncated', { url, detail: 'cut' }) };
          return good();
        },
      },
    );
    expect(order.filter((each) => each === '/b')).toHaveLength(3);
    expect(order.filter((each) => each === '/c')).toHaveLength(5);
    expect(outcome.exit).toBe(3);
    expect(await stored()).toMatchObject({ exit: 3, verdict: 'unmeasured' });
  });

  it('keep what is done when the user ends it, and leave nothing else behind', async () => {
    const abort = new AbortController();
    const { outcome } = await run(
      { targets: ['/a', '/b', '/c'].map((each) => ORIGIN + each), runs: 5 },
      {
        signal: abort.signal,
        onProgress: (event) => {
          if (event.kind === 'run-finished' && event.index === 2) abort.abort();
        },
      },
    );
    expect(outcome.exit).toBe(130);
    const { interrupted, exit, targets } = await stored();
    expect([interrupted, exit]).toEqual([true, 130]);
    expect(targets.reduce((sum, { runs }) => sum + runs.length, 0)).toBe(3 + 3 + 1);
    const others = (await readdir(out())).filter((name) => !name.endsWith('.har'));
    expect(others.toSorted()).toEqual(['index.html', 'result.json']);
    // What had been measured can be looked at.
    expect(outcome.report.targets.every(({ waterfalls }) => waterfalls.length > 0)).toBe(true);
  });

  it('have every run on the disk when the next begins, though result.json is not written each time', async () => {
    const pages = Array.from({ length: 12 }, (_, i) => `${ORIGIN}/p${i}`);
    let written = 0;
    let before = '';
    await run(
      { targets: pages, runs: 3, format: ['json', 'html'] },
      {
        load: async (_request, number) => {
          if (number > 1) {
            const text = await readFile(path.join(out(), 'result.json'), 'utf8');
            if (text !== before) written += 1;
            before = text;
            const partial = await readdir(path.join(out(), 'partial')).catch(() => []);
            const loose: TargetResult[] = await Promise.all(
              partial.map(async (name) => JSON.parse(await readFile(path.join(out(), 'partial', name), 'utf8'))),
            );
            const { targets } = JSON.parse(text) as AuditResult;
            const all = [...targets, ...loose].flatMap(({ url, runs }) => runs.map(({ index }) => `${url} ${index}`));
            expect(new Set(all).size).toBe(number - 1);
            expect(all).toHaveLength(number - 1);
            expect(JSON.stringify(loose)).not.toContain('s3cret');
          }
          return good();
        },
      },
    );
    // 48 runs; the square of them would be 1,128 runs written, and an eighth more each time is about 400.
    expect(written).toBeGreaterThan(8);
    expect(written).toBeLessThan(25);
    expect(await readdir(out())).not.toContain('partial');
  });

  it('settle each by itself what is background', async () => {
    // One run of /a met a hiccup, after which the poll looks as if it had stopped.
    const polled = (times: number, until: number): LoadOutcome => ({
      ok: true,
      recording: recordingOf({
        requests: page(
          ...Array.from({ length: times }, (_, i) => ({ path: '/stock', from: 500 + i * 1_000, to: 530 + i * 1_000 })),
        ),
        until,
      }),
    });
    let loadsOfA = 0;
    const { outcome } = await run(
      { targets: [`${ORIGIN}/a`, `${ORIGIN}/b`], runs: 4 },
      {
        load: ({ url }) => {
          if (!url.endsWith('/a')) return good();
          loadsOfA += 1;
          return loadsOfA === 3 ? polled(4, 9_000) : polled(11, 11_000);
        },
      },
    );
    const [a, b] = outcome.result.targets;
    const timed = a?.runs.filter(({ role }) => role === 'timed') ?? [];
    expect(timed.map(({ background }) => background?.map(({ kind }) => kind))).toEqual([
      ['poll'],
      ['poll'],
      ['poll'],
      ['poll'],
    ]);
    expect(timed.map(({ order }) => order !== undefined)).toEqual([true, true, true, true]);
    expect(b?.background).toEqual([]);
  });

  it('show every waterfall while they are few, else one each', async () => {
    const of = (count: number) => ({ targets: Array.from({ length: count }, (_, i) => `${ORIGIN}/${i}`), runs: 3 });
    const few = await run(of(2));
    expect(few.outcome.report.targets.map(({ waterfalls }) => waterfalls.length)).toEqual([3, 3]);
    const many = await run(of(11));
    expect(many.outcome.report.targets.map(({ waterfalls }) => waterfalls.length)).toEqual(Array(11).fill(1));
    for (const { representative, waterfalls } of many.outcome.report.targets) {
      expect(waterfalls[0]?.run).toBe(representative?.index);
    }
  });
});

describe('the list of pages', () => {
  it('adds up pages, targets, a file and a sitemap; each page is measured once', async () => {
    const file = path.join(out(), 'urls.txt');
    await writeFile(file, `${ORIGIN}/b  Bee\n${ORIGIN}/c\n${ORIGIN}/a\n`);
    const sitemap = path.join(out(), 'sitemap.xml');
    await writeFile(
      sitemap,
      `<urlset>${['/c', '/d', '/e'].map((each) => `<url><loc>${ORIGIN}${each}</loc></url>`).join('')}</urlset>`,
    );
    const { outcome, events } = await run({
      pages: [{ name: 'A', url: `${ORIGIN}/a` }],
      targets: [`${ORIGIN}/b`],
      urlsFile: file,
      sitemap,
      maxPages: 2,
      runs: 1,
      out: path.join(out(), 'results'),
    });
    expect(outcome.result.targets.map(({ url, name }) => [new URL(url).pathname, name])).toEqual([
      ['/a', 'A'],
      ['/b', 'Bee'],
      ['/c', undefined],
      ['/d', undefined],
    ]);
    expect(outcome.result.notes).toEqual([
      `The first 2 of 3 pages in ${sitemap} are measured; --max-pages takes more.`,
      expect.stringMatching(/^3 pages named more than once, measured once: /),
    ]);
    expect(notes(events)).toEqual(outcome.result.notes);
  });

  it('has a page twice when it is measured in two ways', async () => {
    const { outcome, events } = await run({
      pages: [
        { name: 'quick', url: ORIGIN, timeout: 5_000 },
        { name: 'slow', url: `${ORIGIN}/`, timeout: 50_000 },
      ],
      runs: 1,
    });
    expect(outcome.result.targets).toHaveLength(2);
    expect(notes(events)).toEqual([]);
  });

  it('knows one folder by all its names', async () => {
    const site = path.join(out(), 'site');
    await mkdir(site);
    await writeFile(path.join(site, 'index.html'), '<title>x</title>');
    const { outcome } = await run({
      targets: [site, `${site}/`, path.join(site, 'index.html')],
      runs: 1,
      out: path.join(out(), 'results'),
    });
    expect(outcome.result.targets).toHaveLength(1);
  });

  it('may come from the standard input', async () => {
    const { outcome } = await run({ urlsFile: '-', runs: 1 }, { stdin: Readable.from([`${ORIGIN}/x\n${ORIGIN}/y\n`]) });
    expect(outcome.result.targets.map(({ url }) => url)).toEqual([`${ORIGIN}/x`, `${ORIGIN}/y`]);
  });

  it('may hold logins, which are in nothing that is written or told, also where HARs keep their secrets', async () => {
    const stdin = Readable.from([`${ORIGIN.replace('//', '//ann:hunter2222@')}/x\n`]);
    const load = () => good({ path: '/echo?of=hunter2222&YW5uOmh1bnRlcjIyMjI', from: 100, to: 400 });
    const { outcome, events } = await run({ urlsFile: '-', runs: 1, harSecrets: true }, { stdin, load });
    const texts = await Promise.all((await readdir(out())).map((name) => readFile(path.join(out(), name), 'utf8')));
    expect(texts.some((text) => text.includes('s3cret-value'))).toBe(true);
    for (const text of [...texts, JSON.stringify([outcome, events])]) expect(text).not.toMatch(/hunter2222|YW5uOmh1/);
  });

  it('is refused with the place where it is wrong, before anything is loaded', async () => {
    const file = path.join(out(), 'urls.txt');
    await writeFile(file, `${ORIGIN}/\n\nftp://x.test/ files\n`);
    expect(await refused({ urlsFile: file })).toBe(
      `${file}, line 3: Quiesce can only load http and https pages, not "ftp". For local files, give the folder: Quiesce serves it during the audit.`,
    );
    expect(await refused({ pages: [{ url: ORIGIN }, { url: 'nowhere' }] })).toMatch(
      /^pages\[1\]: "nowhere" is neither/,
    );
    expect(await refused({})).toMatch(/^Missing argument: what to audit/);
    expect(
      await refused({
        pages: [
          { name: 'a', url: `${ORIGIN}/1` },
          { name: 'a', url: `${ORIGIN}/2` },
        ],
      }),
    ).toBe(`Two pages are called "a": ${ORIGIN}/1 and ${ORIGIN}/2. Give each page a different name.`);
    expect(await refused({ targets: [ORIGIN], serveUrl: 'http://localhost:1/' })).toMatch(
      /^--serve-url needs --serve-command/,
    );
    expect(await refused({ targets: [ORIGIN], serveCommand: 'npm start' })).toMatch(
      /^--serve-command needs --serve-url/,
    );
    expect(await refused({ targets: [], serveCommand: 'npm start', serveUrl: 'http://localhost:{port}/' })).toMatch(
      /^--serve-url: \{port\} is only for quiesce compare/,
    );
  });
});
