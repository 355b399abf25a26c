import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { codeChanges } from '../../../src/core/main-thread/changes.ts';
import { readMainThread } from '../../../src/core/main-thread/read.ts';
import { readSourceMap } from '../../../src/core/main-thread/source-map.ts';
import type { PlacedRun } from '../../../src/model/comparison.ts';
import { codeChangesInWords } from '../../../src/wording/main-thread.ts';
import { SCOPE, traceOf } from '../../support/traced.ts';

const url = 'https://shop.test/';
const vendor = (hash: string): string => `https://shop.test/assets/vendor.${hash}.js`;
const [OLD, NEW] = [vendor('3f2a1b9c'), vendor('9c0d1e2f')];

/** A build whose vendor script draws a chart for so long. */
function build(script: string, ms: number, line: number) {
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
  return { url, ...(mainThread && { mainThread }) };
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
      byScript: [
        {
          name: '/assets/vendor.*.js',
          base: 70,
          candidate: 130,
          category: 'scriptEvaluation',
          function: { name: 'init', line: 120 },
        },
      ],
    });
    expect(changes && codeChangesInWords(changes).sentence).toBe(
      `Main thread +60 ms in the traced runs: vendor.*.js +60 ms (running scripts), of it +60 ms in init (${NEW.split('/').at(-1)}:120).`,
    );
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

  it('has what the timed runs say of the whole, and says where that is the opposite', () => {
    const blocks = [1, 2, 3, 4, 5, 6, 7, 8];
    const timed = (of: 'base' | 'candidate', block: number, ms: number): PlacedRun => ({
      ...run(of, block, undefined),
      metrics: { mainThreadTime: ms + block },
    });
    const runs = blocks.flatMap((block) => [timed('base', block, 200), timed('candidate', block, 260)]);
    const said = (base: number, candidate: number): string => {
      const changes = codeChanges(build(OLD, base, 1), build(NEW, candidate, 1), runs);
      return changes ? codeChangesInWords(changes).sentence : '';
    };
    expect(said(60, 120)).toMatch(
      /^Main thread \+60 ms in the traced runs, \+60 ms in the timed ones \(95%: \S+ ms\): /,
    );
    expect(said(60, 120)).not.toContain('opposite');
    expect(said(120, 60)).toMatch(/The timed runs say the opposite/);
  });

  it('says of equal builds that no script changed', () => {
    const changes = codeChanges(build(OLD, 60, 1), build(NEW, 60, 1), []);
    expect(changes?.byScript).toEqual([]);
    expect(changes && codeChangesInWords(changes).sentence).toMatch(/no script changed by 5 ms or more/);
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
      return { minified: name, url, ...(mainThread && { mainThread }) };
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
      expect(changes?.byScript[0]?.function).toMatchObject({
        source: { file: `node_modules/grid/${file}`, line: 2, name: 'layoutRows', package: 'grid' },
        base: expect.closeTo(40, 0),
        candidate: expect.closeTo(100, 0),
      });
      expect(changes?.byPackage).toEqual([
        { package: 'grid', base: expect.closeTo(40, 0), candidate: expect.closeTo(100, 0) },
      ]);
    });

    it('names no function and no package where only one build has maps', () => {
      const base = bundled(OLD, `${folder('1.0.0')}dist/index.js`, 40);
      const changes = codeChanges(base, build(NEW, 120, 1), []);
      expect(changes?.byScript[0]).not.toHaveProperty('function');
      expect(changes?.byPackage).toEqual([]);
    });
  });
});
