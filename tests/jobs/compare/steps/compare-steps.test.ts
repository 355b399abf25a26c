import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ComparePagesHooks } from '../../../../src/jobs/compare/compare-pages.ts';
import type { ComparePagesResult } from '../../../../src/model/compare/comparison.ts';
import type { LoadOutcome, StepOutcome } from '../../../../src/model/recording/lab.ts';
import type { Progress } from '../../../../src/model/result/progress.ts';
import { failure } from '../../../../src/wording/result/failure.ts';
import { folderForAll, folderForEach } from '../../../support/folders.ts';
import { type CompareOptions, comparePages, report, resolvedCompare } from '../../../support/jobs.ts';
import { messagesOf } from '../../../support/problems.ts';
import { answeringLab, POLICY, page, recordingOf } from '../../../support/scripted.ts';
import { COMPARING } from '../../../support/settings.ts';

const BASE = 'https://base.test/shop/';
const CANDIDATE = 'https://candidate.test/shop/';

const out = folderForEach('steps');

interface Load {
  readonly build: 'base' | 'candidate';
  readonly path: string;
  /** From 0 for each page of each build. */
  readonly nth: number;
}

/** A little noise, the same in every test: 0 to 1 from a number. */
const noise = (n: number): number => ((n * 2_654_435_761) % 1_000) / 1_000;

const recorded = (end: number) =>
  recordingOf({ requests: page({ path: '/api/prices', from: 100, to: end }), until: end + 4_000 });

const step = (name: string, end: number): StepOutcome => ({
  name,
  policy: POLICY,
  outcome: {
    ok: true,
    recording: {
      ...recorded(end),
      page: {
        finalUrl: 'https://shop.test/shop/',
        title: 'Scripted',
        interactionCount: 1,
        interactions: [
          { at: 1, duration: end / 10, id: 7, type: 'click', inputDelay: 0, processing: 8, presentation: 0 },
        ],
      },
    },
  },
});

const paid = { name: 'paid', from: 'mark:paid', unit: 'ms', better: 'lower' } as const;

/** Adding to the basket takes a tenth longer in the candidate; all else is the same. */
const slowBasket = ({ build, nth }: Load): readonly StepOutcome[] => {
  const end = (base: number, salt: number): number => base + 40 * noise(nth * 7 + salt + (build === 'base' ? 0 : 3));
  return [
    step('open product', end(1_000, 1)),
    step('add to basket', end(build === 'base' ? 1_000 : 1_100, 2)),
    step('check out', end(1_000, 5)),
  ];
};

/** Does nothing: the lab says what came of its steps. */
let script: string;
const scripts = folderForAll('journey');
beforeAll(async () => {
  script = path.join(scripts(), 'journey.mjs');
  await writeFile(script, 'export default { async measure() {} };');
});

async function run(
  stepsOf: (load: Load) => readonly StepOutcome[],
  more: Partial<CompareOptions> = {},
  hooks: Pick<ComparePagesHooks, 'signal' | 'onProgress'> = {},
  loadOf: (load: Load) => LoadOutcome = ({ build, nth }) => ({
    ok: true,
    recording: recorded(1_000 + 40 * noise(nth * 7 + (build === 'base' ? 0 : 3))),
  }),
) {
  const events: Progress[] = [];
  const loads: Load[] = [];
  const openLab = answeringLab(({ url, script: asked }) => {
    const build = url.startsWith(BASE) ? 'base' : 'candidate';
    const at = `/${url.slice((build === 'base' ? BASE : CANDIDATE).length)}`;
    const nth = loads.filter((each) => each.build === build && each.path === at).length;
    const own = { build, path: at, nth } as const;
    loads.push(own);
    const outcome = loadOf(own);
    return outcome.ok && asked?.steps ? { ...outcome, steps: stepsOf(own) } : outcome;
  });
  const outcome = await comparePages(
    {
      ...COMPARING,
      targets: [BASE, CANDIDATE],
      script,
      out: out(),
      format: ['html', 'json', 'junit', 'md', 'csv'],
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

describe('the steps of a script', () => {
  it('are compared with the load before them: the change is found in the step that has it, and nowhere else', async () => {
    const { outcome } = await run(slowBasket);
    const result = await stored();
    expect(result.targets.map(({ name, step: of, decision }) => [name, of, decision])).toEqual([
      ['page load', undefined, 'same'],
      ['open product', 'open product', 'same'],
      ['add to basket', 'add to basket', 'slower'],
      ['check out', 'check out', 'same'],
    ]);
    expect(result.sentence).toMatch(/^1 of 4 steps is slower: add to basket \d+\.\d% \(\d.*; 3 the same\.$/);
    expect(result.decisionRule).toContain('any of the 4 steps');
    expect(messagesOf(outcome.problems)).toEqual([
      expect.stringMatching(/^add to basket: Gate failed: Page complete is/),
    ]);
    expect(outcome.exit).toBe(1);
    // The loads are the same, and α is theirs together.
    const designs = result.targets.map(({ design }) => design);
    expect(new Set(designs.map(({ pairs }) => pairs)).size).toBe(1);
    for (const { alpha } of designs) expect(alpha).toBeCloseTo(0.05 / 4, 12);
    expect(result.targets[2]?.comparisons.map((each) => each.step)).toContain('add to basket');
  });

  it('have a row each in every format, and a page behind the list', async () => {
    await run(slowBasket, { maxPairs: 4 });
    expect((await readdir(path.join(out(), 'pages'))).toSorted()).toEqual([
      'add-to-basket',
      'check-out',
      'open-product',
      'page-load',
    ]);
    const list = await text('index.html');
    expect(list).toContain('href="pages/add-to-basket/index.html"');
    expect(await text('pages/add-to-basket/index.html')).toContain('<dt>Step</dt>');
    expect((await text('junit.xml')).match(/<testsuite name="[^"]*"/g)).toEqual(
      ['page load', 'open product', 'add to basket', 'check out'].map(
        (name) => `<testsuite name="quiesce compare ${name}"`,
      ),
    );
    const [overview = ''] = (await text('summary.md')).split('<details>');
    expect(overview.match(/^\| \*\*.*$/gm)).toHaveLength(4);
    const rows = (await text('result.csv')).split('\r\n').filter((line) => line.includes(',add to basket,'));
    expect(rows.length).toBeGreaterThan(8);
    const summary = await text('summary.md');
    const again = await report({ result: out(), format: ['md', 'html'] });
    expect(again.warnings.filter((line) => !line.includes('HAR'))).toEqual([]);
    expect(await text('summary.md')).toBe(summary);
  });

  it('of several pages are compared page by page', async () => {
    const inSale = (load: Load) => slowBasket(load.path === '/sale' ? load : { ...load, build: 'base' });
    const { outcome, loads } = await run(inSale, { pages: ['/', '/sale'] });
    const { targets, sentence } = await stored();
    const steps = ['', ' › open product', ' › add to basket', ' › check out'];
    expect(targets.map(({ name, decision }) => `${name}: ${decision}`)).toEqual([
      ...steps.map((name) => `/${name}: same`),
      ...steps.map((name) => `/sale${name}: ${name.includes('basket') ? 'slower' : 'same'}`),
    ]);
    expect(targets.map(({ path: at }) => at)).toEqual([...steps.map(() => '/'), ...steps.map(() => '/sale')]);
    expect(sentence).toMatch(/^1 of 8 .* is slower: \/sale › add to basket \d/);
    for (const { design } of targets) expect(design.alpha).toBeCloseTo(0.05 / 8, 12);
    expect(outcome.exit).toBe(1);
    expect(new Set(loads.map(({ path: at }) => at))).toEqual(new Set(['/', '/sale']));
  });

  it('have gates of their own; without any they inform and do not decide', async () => {
    const { outcome } = await run(slowBasket, {
      gate: ['add to basket: INP', 'page load: page-complete'],
      maxPairs: 10,
    });
    const gates = outcome.result.targets.map(({ comparisons }) =>
      comparisons.filter(({ gate }) => gate).map(({ metric }) => metric),
    );
    expect(gates).toEqual([['pageComplete'], [], ['interactionToNextPaint'], []]);
    expect(outcome.result.sentence).toMatch(/2 without a gate\.$/);
    expect(outcome.result.decisionRule).toContain('any of the 2 steps');
    expect(outcome.result.settings.gate).toEqual(['add to basket: interactionToNextPaint', 'page load: pageComplete']);
  });

  it('may have a metric of their own that others do not have', async () => {
    const marked = (load: Load): readonly StepOutcome[] =>
      slowBasket(load).map((each) => {
        const { outcome } = each;
        if (each.name !== 'check out' || !outcome.ok || !outcome.recording.page) return each;
        const navigation = { ...outcome.recording.navigation, metrics: [paid] };
        const page = { ...outcome.recording.page, userMarks: [{ at: 500 + 40 * noise(load.nth), name: 'paid' }] };
        return { ...each, outcome: { ok: true, recording: { ...outcome.recording, navigation, page } } };
      });
    const { outcome } = await run(marked, { metric: ['paid=mark:paid'], gate: ['paid'], maxPairs: 10 });
    const { targets } = outcome.result;
    expect(targets.map(({ comparisons }) => comparisons.some(({ gate }) => gate))).toEqual([false, false, false, true]);
    expect(outcome.problems).toEqual([]);
    expect(outcome.exit).toBe(0);
  });

  it('are named in the one line that refuses a gate of no step', async () => {
    const gate = ['page-complete', 'add to cart: INP'];
    const refused = run(slowBasket, { gate, out: path.join(out(), 'new') });
    await expect(refused).rejects.toMatchObject({
      code: 'gate-without-step',
      exit: 2,
      message:
        '--gate: there is no step "add to cart". The steps of the script are "open product", "add to basket", "check out".',
    });
    expect(await readdir(out())).toEqual([]);
    expect(() => resolvedCompare({ targets: [BASE, CANDIDATE], gate: ['search: INP'] })).toThrow(/needs --script/);
  });

  it.each([
    ['candidate', 0],
    ['base', 4],
  ] as const)('that only the %s has are said', async (build, exit) => {
    const more = (load: Load): readonly StepOutcome[] => {
      const all = slowBasket({ ...load, build: 'base' });
      return load.build === build ? [...all.slice(0, 1), step('show offers', 400), ...all.slice(1)] : all;
    };
    const { outcome, notes } = await run(more);
    const said = `show offers is not compared, because the script does this step only in the ${build}.`;
    expect(notes).toContain(said);
    expect(outcome.result.targets.map(({ name }) => name)).toEqual([
      'page load',
      'open product',
      'show offers',
      'add to basket',
      'check out',
    ]);
    expect(outcome.result.targets[2]?.leftOut).toBe(said);
    expect(outcome.result.decisionRule).toContain('any of the 4 steps');
    expect(outcome.exit).toBe(exit);
  });

  it('drop the block when one of them fails, as a load does', async () => {
    const failing = (load: Load): readonly StepOutcome[] => {
      const all = slowBasket(load);
      const reason = failure('script-failed', {
        path: 'journey.mjs',
        part: 'the step "add to basket"',
        detail: 'no #add',
      });
      return load.build === 'candidate' && [3, 4].includes(load.nth)
        ? [...all.slice(0, 1), { name: 'add to basket', policy: POLICY, outcome: { ok: false, failure: reason } }]
        : all;
    };
    const { outcome, notes } = await run(failing);
    expect(notes).toContainEqual(expect.stringMatching(/^block 2 does not count: .*"add to basket"/));
    expect(outcome.result.decision).toBe('slower');
    for (const { design } of outcome.result.targets) expect(design.dropped).toHaveLength(1);
  });

  it('go on after an interruption as if there had been none', async () => {
    const more = { format: ['json'] as const, seed: 11 };
    const whole = await run(slowBasket, { ...more, out: path.join(scripts(), 'whole') });
    const abort = new AbortController();
    const first = await run(slowBasket, more, {
      signal: abort.signal,
      onProgress: (event) => {
        if (event.kind === 'comparison-progress' && event.pairs === 4) abort.abort();
      },
    });
    expect(first.outcome.exit).toBe(130);
    const later = (load: Load): readonly StepOutcome[] => {
      const before = first.loads.filter(({ build }) => build === load.build).length;
      return slowBasket({ ...load, nth: before + load.nth });
    };
    const { outcome } = await run(later, { ...more, resume: true });
    const decisions = (of: typeof outcome) => of.result.targets.map(({ name, decision }) => [name, decision]);
    expect(decisions(outcome)).toEqual(decisions(whole.outcome));
    expect(
      outcome.result.targets[2]?.base.runs.filter(({ role }) => role === 'timed').map(({ index }) => index),
    ).toEqual(outcome.result.targets[0]?.base.runs.filter(({ role }) => role === 'timed').map(({ index }) => index));
    await expect(run(slowBasket, { ...more, out: out(), resume: true })).rejects.toMatchObject({
      code: 'resume-nothing',
    });
  });
});
