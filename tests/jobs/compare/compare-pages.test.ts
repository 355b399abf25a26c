import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { ComparePagesHooks } from '../../../src/jobs/compare/compare-pages.ts';
import type { ComparePagesResult } from '../../../src/model/compare/comparison.ts';
import type { LoadOutcome } from '../../../src/model/recording/lab.ts';
import type { Progress } from '../../../src/model/result/progress.ts';
import { failure } from '../../../src/wording/result/failure.ts';
import { folderForEach } from '../../support/folders.ts';
import { type CompareOptions, compare, comparePages, report, trend } from '../../support/jobs.ts';
import { messagesOf } from '../../support/problems.ts';
import { answeringLab, page, recordingOf } from '../../support/scripted.ts';
import { COMPARING } from '../../support/settings.ts';

const BASE = 'https://base.test/shop/';
const CANDIDATE = 'https://candidate.test/shop/';

const out = folderForEach('pages');

interface Load {
  readonly path: string;
  readonly build: 'base' | 'candidate';
  readonly url: string;
  /** From 0 for each page of each build. */
  readonly nth: number;
}

/** A little noise, the same in every test: 0 to 1 from a number. */
const noise = (n: number): number => ((n * 2_654_435_761) % 1_000) / 1_000;

const loaded = (end: number): LoadOutcome => ({
  ok: true,
  recording: recordingOf({ requests: page({ path: '/api/prices', from: 100, to: end }), until: end + 4_000 }),
});

/** The candidate's checkout is slower by a tenth; all other pages are the same. */
const slowCheckout = ({ path: at, build, nth }: Load): LoadOutcome => {
  const end = at === '/checkout' && build === 'candidate' ? 1_100 : 1_000;
  return loaded(end + 40 * noise(nth * 7 + at.length + (build === 'base' ? 0 : 3)));
};

async function run(
  load: (load: Load) => LoadOutcome,
  more: Partial<CompareOptions> = {},
  hooks: Pick<ComparePagesHooks, 'signal' | 'onProgress' | 'stdin'> = {},
) {
  const events: Progress[] = [];
  const loads: Load[] = [];
  const openLab = answeringLab(({ url }) => {
    const build = url.startsWith(BASE) ? 'base' : 'candidate';
    const at = `/${url.slice((build === 'base' ? BASE : CANDIDATE).length)}`;
    const nth = loads.filter((each) => each.path === at && each.build === build).length;
    const own = { path: at, build, url, nth } as const;
    loads.push(own);
    return load(own);
  });
  const outcome = await comparePages(
    {
      ...COMPARING,
      targets: [BASE, CANDIDATE],
      out: out(),
      format: ['html', 'json', 'junit', 'md', 'csv'],
      pages: ['/', '/products', '/checkout'],
      ...more,
    },
    {
      microBenchmark: () => 10 + noise(loads.length),
      ...hooks,
      openLab,
      onProgress(event) {
        events.push(event);
        hooks.onProgress?.(event);
      },
    },
  );
  const notes = events.flatMap((event) => (event.kind === 'note' ? event.message : []));
  return { outcome, events, loads, notes };
}

const stored = async () => JSON.parse(await readFile(path.join(out(), 'result.json'), 'utf8')) as ComparePagesResult;
const text = (file: string) => readFile(path.join(out(), file), 'utf8');

describe('a comparison of several pages', () => {
  it('finds a change in the page that has it, and nowhere else', async () => {
    const { outcome, loads } = await run(slowCheckout);
    const result = await stored();
    expect(result.targets.map(({ path: at, decision }) => [at, decision])).toEqual([
      ['/', 'same'],
      ['/products', 'same'],
      ['/checkout', 'slower'],
    ]);
    expect(result).toMatchObject({ kind: 'compare', decision: 'slower', exit: 1 });
    expect(result.sentence).toMatch(/^1 of 3 pages is slower: \/checkout \d+\.\d% \(\d+\.\d% to \d+%\); 2 the same\.$/);
    expect(result.decisionRule).toContain('5%');
    expect(outcome.exit).toBe(1);
    expect(messagesOf(outcome.problems)).toEqual([expect.stringMatching(/^\/checkout: Gate failed: Page complete is/)]);
    // Paths are below the address of each build.
    expect(new Set(loads.filter(({ path: at }) => at === '/checkout').map(({ url }) => url))).toEqual(
      new Set(['https://base.test/shop/checkout', 'https://candidate.test/shop/checkout']),
    );
  });

  it('splits α between the pages, each with a seed of its own', async () => {
    const { outcome } = await run(slowCheckout, { alpha: 0.06 });
    const designs = outcome.result.targets.map(({ design }) => design);
    for (const { alpha } of designs) expect(alpha).toBeCloseTo(0.02, 12);
    expect(new Set(designs.map(({ seed }) => seed)).size).toBe(3);
    const again = await run(slowCheckout, { alpha: 0.06, force: true });
    expect(again.outcome.result.targets.map(({ design }) => design)).toEqual(designs);
  });

  it('loads rounds of the pages that are open; a page that is decided leaves', async () => {
    const vague = (load: Load): LoadOutcome =>
      load.path === '/products' ? loaded(1_000 + 900 * noise(load.nth * 13 + 1)) : slowCheckout(load);
    const { loads, outcome } = await run(vague, { maxPairs: 22 });
    expect(outcome.result.targets.map(({ design }) => design.stoppedBecause)).toEqual([
      'decided',
      'max-pairs',
      'decided',
    ]);
    const [home, products] = outcome.result.targets.map(({ design }) => design.pairs);
    expect(home).toBeLessThan(22);
    expect(products).toBe(22);
    // A block of each page in every round: no page is done before another one has begun.
    const timed = loads.filter(({ nth }) => nth > 0).map(({ path: at }) => at);
    expect(new Set(timed.slice(0, 12))).toEqual(new Set(['/', '/products', '/checkout']));
    expect(outcome.exit).toBe(1);
  });

  it('lets a page that fails leave, however open another gate of it is', async () => {
    const painted = (load: Load): LoadOutcome => {
      const outcome = slowCheckout(load);
      if (!outcome.ok) return outcome;
      const at = 300 + (load.path === '/checkout' ? 500 : 10) * noise(load.nth * 13 + load.build.length);
      const paint = { name: 'largest-contentful-paint', at } as const;
      return { ...outcome, recording: { ...outcome.recording, marks: [...outcome.recording.marks, paint] } };
    };
    const { outcome } = await run(painted, { gate: ['page-complete', 'LCP'], maxPairs: 22 });
    const checkout = outcome.result.targets[2];
    expect(checkout).toMatchObject({ decision: 'slower', design: { pairs: 10, stoppedBecause: 'decided' } });
    expect(checkout?.comparisons.map(({ gate, decision }) => gate && decision)).toContain('unsure');
  });

  it('writes a list, each page behind it, a suite for each and a row for each', async () => {
    await run(slowCheckout);
    expect((await readdir(out())).toSorted()).toEqual([
      'index.html',
      'junit.xml',
      'pages',
      'result.csv',
      'result.json',
      'summary.md',
    ]);
    const list = await text('index.html');
    for (const slug of ['home', 'products', 'checkout']) {
      expect(list).toContain(`href="pages/${slug}/index.html"`);
      expect(await text(`pages/${slug}/index.html`)).toContain('The comparison in detail');
    }
    const junit = await text('junit.xml');
    expect(junit.match(/<testsuite /g)).toHaveLength(3);
    expect(junit).toMatch(/<testcase name="Page complete" classname="\/checkout"[^>]*>\s*<failure/);
    const summary = await text('summary.md');
    const [overview = ''] = summary.split('<details>');
    expect(overview.match(/^\| .*(?:same|slower)/gm)).toHaveLength(3);
    const csv = await text('result.csv');
    expect(csv).toContain('/checkout');
    const again = await report({ result: out(), format: ['md', 'html'] });
    expect(again.warnings.filter((line) => !line.includes('HAR'))).toEqual([]);
    expect(await text('summary.md')).toBe(summary);
    const { result } = await trend({ paths: [out()], format: [] });
    expect(result.pages).toHaveLength(3);
  });
});

describe('a page that only one build has', () => {
  const missing = (build: Load['build'], status: number) => (load: Load) =>
    load.path === '/products' && load.build === build
      ? ({ ok: false, failure: failure('http-error', { url: load.url, status }) } as LoadOutcome)
      : slowCheckout(load);

  it.each([
    ['base', 404, 'only the candidate has it: the base answers with HTTP 404'],
    ['candidate', 500, 'only the base could be loaded: the candidate answers with HTTP 500'],
  ] as const)('%s, %d: is told in a line and stops no other', async (build, status, expected) => {
    const { outcome, notes } = await run(missing(build, status));
    expect(notes.filter((line) => line.includes(expected))).toEqual([
      `/products is not compared, because ${expected}.`,
    ]);
    expect(outcome.result.targets.map(({ decision, leftOut }) => leftOut ?? decision)).toEqual([
      'same',
      `/products is not compared, because ${expected}.`,
      'slower',
    ]);
    expect(outcome.result.sentence).toContain('1 not compared');
    expect(outcome.exit).toBe(1);
  });

  it('fails nothing where it is new, and leaves a doubt where it is gone', async () => {
    const equal = (build: Load['build']) => (load: Load) =>
      missing(build, 404)(load.path === '/checkout' ? { ...load, path: '/' } : load);
    expect((await run(equal('base'))).outcome.exit).toBe(0);
    expect((await run(equal('candidate'), { force: true })).outcome.exit).toBe(4);
    expect((await run(equal('candidate'), { force: true, failOn: 'broken' })).outcome.exit).toBe(4);
  });

  it('is a broken page where the candidate answers with an error', async () => {
    const broken = (load: Load) => missing('candidate', 500)(load.path === '/checkout' ? { ...load, path: '/' } : load);
    expect((await run(broken)).outcome.exit).toBe(4);
    expect((await run(broken, { force: true, failOn: 'broken' })).outcome.exit).toBe(1);
  });

  it('of two folders is one without a file of its own', async () => {
    const folders = ['a', 'b'].map((name) => path.join(out(), name));
    for (const folder of folders) {
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'index.html'), '<title>x</title>');
    }
    await writeFile(path.join(folders[1] ?? '', 'new.html'), '<title>new</title>');
    const { notes } = await run(() => loaded(1_000), {
      targets: folders,
      pages: ['/new', '/in-the-app'],
      maxPairs: 2,
      out: path.join(out(), 'results'),
    });
    expect(notes).toContain('/new is not compared, because only the candidate has it: the base has no such file.');
    // Neither has a file for it: the application knows.
    expect(notes.filter((line) => line.includes('/in-the-app is not'))).toEqual([]);
  });
});

describe('an interruption', () => {
  it('loses nothing, whatever page it comes in', async () => {
    const whole = await run(slowCheckout);
    const expected = whole.outcome.result.targets.map(({ decision }) => decision);
    const abort = new AbortController();
    let blocks = 0;
    const stopped = await run(
      slowCheckout,
      { force: true },
      {
        signal: abort.signal,
        onProgress: (event) => {
          if (event.kind === 'comparison-progress' && ++blocks === 5) abort.abort();
        },
      },
    );
    expect(stopped.outcome.exit).toBe(130);
    expect(messagesOf(stopped.outcome.problems).at(-1)).toContain('--resume');
    const before = await stored();
    expect(before.interrupted).toBe(true);
    await expect(run(slowCheckout)).rejects.toThrow('--resume');
    await expect(run(slowCheckout, { resume: true, pages: ['/', '/checkout'] })).rejects.toThrow('--pages');
    // Nor by a comparison of other pages, or of one alone.
    await expect(run(slowCheckout, { pages: ['/about', '/cart'] })).rejects.toThrow('--resume');
    await expect(run(slowCheckout, { resume: true, pages: ['/about', '/cart'] })).rejects.toThrow('--pages');
    const alone = { ...COMPARING, targets: [BASE, CANDIDATE] as const, out: out() };
    await expect(compare(alone, { openLab: answeringLab(() => loaded(1_000)) })).rejects.toThrow('--resume');
    const resumed = await run(slowCheckout, { resume: true });
    const after = resumed.outcome.result.targets;
    expect(after.map(({ decision }) => decision)).toEqual(expected);
    for (const [i, { base }] of before.targets.entries()) {
      const kept = base.runs.filter(({ block, excluded }) => block !== undefined && excluded === undefined);
      const found = after[i]?.base.runs.filter(({ block }) => block !== undefined) ?? [];
      expect(found.slice(0, kept.length).map(({ metrics }) => metrics)).toEqual(kept.map(({ metrics }) => metrics));
    }
    // Nothing to resume from is left.
    expect(await readdir(path.join(out(), 'pages', 'home'))).not.toContain('resume');
  });
});

describe('the list of pages', () => {
  it('takes paths, addresses of the base, names and a file, each once', async () => {
    const file = path.join(out(), 'pages.txt');
    await mkdir(out(), { recursive: true });
    await writeFile(file, '/products\n/about  About us\nhttps://base.test/shop/cart?x=1\n');
    const { outcome, notes } = await run(() => loaded(1_000), {
      pages: ['/', { url: '/products' }, { url: '/checkout', name: 'Checkout', minEffect: '50%' }],
      urlsFile: file,
      maxPairs: 2,
      force: true,
    });
    const { targets } = outcome.result;
    expect(targets.map(({ name, path: at, folder }) => [name, at, folder])).toEqual([
      ['/', '/', 'pages/home'],
      ['/products', '/products', 'pages/products'],
      ['Checkout', '/checkout', 'pages/checkout'],
      ['About us', '/about', 'pages/about-us'],
      ['/cart?x=1', '/cart?x=1', 'pages/cart-x'],
    ]);
    expect(notes).toContain('1 page named more than once, measured once: /products.');
    const effects = targets.map(({ comparisons }) => comparisons[0]?.difference?.minEffect.up);
    expect(effects[2]).toBeCloseTo(0.5, 6);
    expect(effects[0]).toBeCloseTo(0.05, 6);
  });

  it.each([
    [{ pages: ['products'] }, 'pages[0]: "products" is not a page of both builds'],
    [{ pages: ['https://elsewhere.test/a'] }, 'is not a page of both builds'],
    [{ pages: [] }, 'pages must name a page'],
    [{ pages: Array.from({ length: 200 }, (_, i) => `/${i}`) }, '200 pages are too many for one comparison'],
    [
      {
        pages: [
          { url: '/a', name: 'A' },
          { url: '/b', name: 'A' },
        ],
      },
      'Two pages are called "A"',
    ],
    [{ shard: '1/2' }, '--shard'],
  ] as const)('refuses %j', async (more, message) => {
    await expect(run(slowCheckout, more as Partial<CompareOptions>)).rejects.toThrow(message);
  });

  it('tells of a page that leads to the login in both builds', async () => {
    const login = (load: Load): LoadOutcome => {
      const done = loaded(1_000);
      if (!done.ok) return done;
      const page = { title: 'Shop', finalUrl: load.url.replace('checkout', 'login') };
      return { ...done, recording: { ...done.recording, page } };
    };
    const { notes } = await run(login, { maxPairs: 2 });
    expect(notes.filter((line) => line.includes('login'))).toEqual([expect.stringContaining('/checkout leads to')]);
  });
});

it('spends a time that is too short, and says which pages it was too short for', async () => {
  const { outcome } = await run(slowCheckout, { budgetTime: 1 });
  expect(outcome.result.targets.map(({ leftOut }) => leftOut)).toEqual([
    '/ is not compared, because the time was over before (--budget-time).',
    '/products is not compared, because the time was over before (--budget-time).',
    '/checkout is not compared, because the time was over before (--budget-time).',
  ]);
  expect(outcome.exit).toBe(3);
});

it('keeps half of a time for timed loads, and ends with what is known by then', async () => {
  // Each load takes ten seconds of a clock that nothing else moves.
  let clock = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => clock);
  const slow = (load: Load): LoadOutcome => {
    clock += 10_000;
    return slowCheckout(load);
  };
  try {
    const pages = ['/', '/products', '/checkout', '/about', '/cart', '/search'];
    const { outcome } = await run(slow, { budgetTime: 240_000, pages });
    const compared = outcome.result.targets.filter(({ leftOut }) => leftOut === undefined);
    expect(compared.length).toBeGreaterThan(1);
    expect(compared.length).toBeLessThan(pages.length);
    for (const { design } of compared) expect(design).toMatchObject({ stoppedBecause: 'out-of-time' });
    expect(compared.some(({ design }) => design.pairs > 0)).toBe(true);
    expect(clock).toBeLessThanOrEqual(240_000);
  } finally {
    now.mockRestore();
  }
});
