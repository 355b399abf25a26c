import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { codeChanges, mayHaveChanged } from '../../../src/core/main-thread/changes.ts';
import { readMainThread } from '../../../src/core/main-thread/read.ts';
import { readSourceMap, sourceOfFunction } from '../../../src/core/main-thread/source-map.ts';
import type { Decision, PlacedRun } from '../../../src/model/compare/comparison.ts';
import type { CodeProfile } from '../../../src/model/main-thread.ts';
import { codeChangesInWords } from '../../../src/wording/main-thread.ts';
import { SCOPE, traceOf } from '../../support/traced.ts';

const url = 'https://shop.test/';
const vendor = (hash: string): string => `https://shop.test/assets/vendor.${hash}.js`;
const [OLD, NEW] = [vendor('3f2a1b9c'), vendor('9c0d1e2f')];

/** Loads of a busy machine: around a time, a little more or less. */
const around = (ms: number): readonly number[] =>
  [0.97, 1.02, 1, 1.05, 0.99, 1.01, 0.95, 1.03].map((each) => each * ms);

/** A build whose vendor script draws a chart for so long, in a traced load and in profiled ones. */
function build(script: string, ms: number, line: number, isProfiled = true) {
  const mainThread = readMainThread(
    traceOf({
      tasks: [{ at: 0, ms: ms + 20, inside: [{ name: 'EvaluateScript', at: 0, ms: ms + 10, url: script }] }],
      calls: [
        { from: 0, to: 10, stack: [['start', script, 1]] },
        {
          from: 10,
          to: 10 + ms,
          stack: [
            ['start', script, 1],
            ['init', script, line],
          ],
        },
      ],
    }),
    { ...SCOPE, until: 500 },
  );
  const start = { name: 'start', line: 1, column: 1, ms: around(10), withCalled: around(10 + ms) };
  const init = { name: 'init', line, column: 1, ms: around(ms), withCalled: around(ms) };
  const codeProfile: CodeProfile = {
    loads: 8,
    scripts: [{ url: script, ms: around(10 + ms), functions: [start, init] }],
  };
  return { url, ...(mainThread && { mainThread }), ...(isProfiled && { codeProfile }) };
}

function run(of: 'base' | 'candidate', block: number, ms: number | undefined): PlacedRun {
  const script = of === 'base' ? OLD : NEW;
  return {
    index: block,
    role: 'timed',
    ok: true,
    build: of,
    block,
    order: 0,
    ...(ms !== undefined && { blockingScripts: ms === 0 ? [] : [{ url: script, ms, blocking: 0, forced: 0 }] }),
  };
}

describe('codeChanges', () => {
  it('matches hashed names, and names category, function and position', () => {
    const changes = codeChanges(build(OLD, 60, 80), build(NEW, 120, 120), []);
    expect(changes).toMatchObject({
      base: 80,
      candidate: 140,
      profiledLoads: 8,
      byScript: [
        {
          name: '/assets/vendor.*.js',
          base: 70,
          candidate: 130,
          category: 'scriptEvaluation',
          profiled: { difference: expect.closeTo(60, 0) },
          functions: [{ name: 'init', line: 120, difference: expect.closeTo(60, 0) }],
        },
      ],
    });
    expect(changes && codeChangesInWords(changes).sentence).toBe(
      `Main thread: vendor.*.js +60 ms (running scripts), including +60 ms in init (${NEW.split('/').at(-1)}:120).`,
    );
  });

  it('names nobody where single loads differ and the profiled ones do not', () => {
    const { codeProfile = { loads: 0, scripts: [] } } = build(NEW, 60, 80);
    const changes = codeChanges(build(OLD, 60, 80), { ...build(NEW, 120, 80), codeProfile }, []);
    expect(changes?.byScript[0]).not.toHaveProperty('functions');
    expect(changes && codeChangesInWords(changes).sentence).toMatch(/no script and no function that surely changed/);
  });

  it('names the innermost function that called what grew, where that is spread over many', () => {
    const spread = (script: string, ms: number) => {
      const parts = Array.from({ length: 30 }, (_, i) => ({
        name: `part${i}`,
        line: 200 + i,
        column: 1,
        ms: around(ms / 30),
        withCalled: around(ms / 30),
      }));
      const { codeProfile: _, ...rest } = build(script, ms, 80);
      const init = { name: 'init', line: 80, column: 1, ms: around(1), withCalled: around(ms) };
      const start = { name: 'start', line: 1, column: 1, ms: around(2), withCalled: around(ms + 2) };
      return {
        ...rest,
        codeProfile: { loads: 8, scripts: [{ url: script, ms: around(ms), functions: [start, init, ...parts] }] },
      };
    };
    expect(codeChanges(spread(OLD, 60), spread(NEW, 120), [])?.byScript[0]?.functions).toMatchObject([
      { name: 'init', withCalled: true, base: expect.closeTo(60, 0), candidate: expect.closeTo(120, 0) },
    ]);
  });

  it('has an interval where every timed run tells', () => {
    const blocks = [1, 2, 3, 4, 5, 6, 7, 8];
    const runs = blocks.flatMap((block) => [run('base', block, 60 + block), run('candidate', block, 120 + block)]);
    const told = codeChanges(build(OLD, 60, 1), build(NEW, 120, 1), runs)?.byScript[0]?.timed;
    expect(told?.difference).toBeCloseTo(60, 0);
    expect(told?.low).toBeGreaterThan(50);
    expect(told?.high).toBeLessThan(70);
    const silent = [...runs, run('base', 9, undefined), run('candidate', 9, 120)];
    expect(codeChanges(build(OLD, 60, 1), build(NEW, 120, 1), silent)?.byScript[0]?.timed).toBeUndefined();
  });

  describe('without profiled loads', () => {
    const timed = (of: 'base' | 'candidate', block: number, ms: number): PlacedRun => ({
      ...run(of, block, undefined),
      metrics: { mainThreadTime: ms + block },
    });
    const told = (candidate: number, noise = 0, decision: Decision = 'unsure') => {
      const blocks = [1, 2, 3, 4, 5, 6, 7, 8];
      const runs = blocks.flatMap((block) => [
        timed('base', block, 200),
        timed('candidate', block, candidate + (block % 2 === 0 ? noise : -noise)),
      ]);
      const changes = codeChanges(build(OLD, 60, 1, false), build(NEW, 120, 1, false), runs);
      return {
        sentence: changes && codeChangesInWords(changes).sentence,
        may: changes && mayHaveChanged(changes, runs, decision),
      };
    };

    it('names no code, and says why: the timed runs do not differ', () => {
      expect(told(200)).toEqual({
        may: false,
        sentence: expect.stringMatching(/^Main thread 0 ms .* in the timed runs: no change beyond noise/),
      });
    });

    it('is looked at more closely where the timed runs vary by more than what may have changed', () => {
      expect(told(200, 60)).toMatchObject({ may: true, sentence: expect.stringMatching(/no change beyond noise/) });
    });

    it('is not looked at more closely where the builds are the same and nothing seems to have changed', () => {
      expect(told(200, 60, 'same')).toMatchObject({ may: false });
    });

    it('is looked at more closely where the builds are the same, but a main thread is not', () => {
      expect(told(260, 0, 'same')).toMatchObject({ may: true });
    });

    it('has what the timed runs say, and is looked at more closely where they differ', () => {
      expect(told(260)).toEqual({
        may: true,
        sentence: expect.stringMatching(
          /^Main thread \+60 ms \(95%: \S+ ms\) in the timed runs\. Quiesce did not look/,
        ),
      });
    });
  });

  it('says nothing of equal builds', () => {
    const changes = codeChanges(build(OLD, 60, 1), build(NEW, 60, 1), []);
    expect(changes?.byScript).toEqual([]);
    expect(changes && codeChangesInWords(changes).sentence).toMatch(/no script and no function that surely changed/);
  });

  it('is nothing unless both were traced', () => {
    expect(codeChanges({ url }, build(NEW, 60, 1), [])).toBeUndefined();
  });

  describe('with source maps of two versions of a package', () => {
    /** The package as a bundler minifies it: its letters differ, because one version has a function more. */
    function bundled(script: string, file: string, ms: number, more = '') {
      const source = `${more}\nexport function layoutRows(rows) {\n  return rows.map((row) => row.height);\n}\nglobalThis.rows = layoutRows(globalThis.rows);\n`;
      const { code, map } = transformSync(source, { minify: true, sourcemap: true, format: 'iife', sourcefile: file });
      const name = /function (\w)\(\w\)\{return \w\.map/.exec(code)?.[1] ?? '';
      const column = code.indexOf(`function ${name}(`) + `function ${name}`.length + 1;
      const lookup = readSourceMap(map);
      const mainThread = readMainThread(
        traceOf({
          tasks: [{ at: 0, ms: ms + 20, inside: [{ name: 'EvaluateScript', at: 0, ms, url: script }] }],
          calls: [{ from: 0, to: ms, stack: [[name, script, 1, column]] }],
        }),
        { ...SCOPE, until: 500, sources: new Map(lookup ? [[script, lookup]] : []) },
      );
      const place = { name, line: 1, column };
      const inSource = sourceOfFunction(lookup, place);
      const all = [{ ...place, ...(inSource && { source: inSource }), ms: around(ms), withCalled: around(ms) }];
      const codeProfile: CodeProfile = { loads: 8, scripts: [{ url: script, ms: around(ms), functions: all }] };
      return { minified: name, url, codeProfile, ...(mainThread && { mainThread }) };
    }
    const folder = (version: string): string => `../node_modules/.pnpm/grid@${version}/node_modules/grid/`;
    const more =
      'const seen = new Set(); globalThis.see = (each) => seen.add(each); function twice(a) { return a * 2; } globalThis.two = twice;';

    it.each([
      ['the same file in a folder with the version', 'dist/index.js'],
      ['a file that moved', 'lib/layout.mjs'],
    ])('matches functions by their names in the source: %s', (_, file) => {
      const base = bundled(OLD, `${folder('1.0.0')}dist/index.js`, 40);
      const candidate = bundled(NEW, folder('2.0.0') + file, 100, more);
      expect(base.minified).not.toBe(candidate.minified);
      const changes = codeChanges(base, candidate, []);
      const figures = { base: expect.closeTo(40, 0), candidate: expect.closeTo(100, 0) };
      expect(changes?.byScript[0]?.functions).toMatchObject([
        { source: { file: `node_modules/grid/${file}`, line: 2, name: 'layoutRows', package: 'grid' }, ...figures },
      ]);
      expect(changes?.byPackage).toMatchObject([{ package: 'grid', ...figures }]);
    });

    it('names no function and no package where only one build has maps', () => {
      const base = bundled(OLD, `${folder('1.0.0')}dist/index.js`, 40);
      const changes = codeChanges(base, build(NEW, 120, 1), []);
      expect(changes?.byScript[0]).not.toHaveProperty('functions');
      expect(changes?.byPackage).toEqual([]);
    });
  });
});
