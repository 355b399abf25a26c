import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { readMainThread } from '../../../src/core/main-thread/read.ts';
import { readSourceMap, sourceOfFunction } from '../../../src/core/main-thread/source-map.ts';
import { OWN, SCOPE, traceOf } from '../../support/traced.ts';

const folder = new URL('../../../fixtures/pages/main-thread/', import.meta.url);
const map = readFileSync(new URL('app.min.js.map', folder), 'utf8');
const script = readFileSync(new URL('app.min.js', folder), 'utf8').split('\n')[0] ?? '';

/** Where V8 says that a function begins, from 1: at its parameters. */
const begins = (name: string): number => script.indexOf(`function ${name}(`) + `function ${name}`.length + 1;

describe('readSourceMap', () => {
  it('gives a minified function its name, file, line and package', () => {
    const lookup = readSourceMap(map);
    expect(lookup?.(1, begins('o'))).toEqual({ file: 'src/app.ts', line: 4, name: 'sumPrices' });
    expect(lookup?.(1, begins('t'))).toEqual({
      file: 'node_modules/tiny-chart/index.ts',
      line: 1,
      name: 'drawChart',
      package: 'tiny-chart',
    });
    expect(lookup?.(900, 1)).toBeUndefined();
  });

  const lookupOf = (map: object) =>
    readSourceMap(JSON.stringify({ version: 3, names: [], mappings: 'AAAA', ...map }))?.(1, 1);

  it.each([
    ['webpack://shop/./src/app.ts?1a2b', 'src/app.ts'],
    ['webpack://shop/./lib/app.ts', 'lib/app.ts'],
    ['webpack:///./src/app.ts', 'src/app.ts'],
    ['turbopack:///[project]/src/app.ts', 'src/app.ts'],
    ['http://localhost:5173/src/app.ts', 'src/app.ts'],
    ['../../src/a.ts', 'src/a.ts'],
    ['/src/a.ts', 'src/a.ts'],
    ['..\\src\\a.ts', 'src/a.ts'],
  ])('reads %s as a bundler means it', (source, file) => {
    expect(lookupOf({ sources: [source] })).toEqual({ file, line: 1 });
  });

  it.each([
    ['webpack:///node_modules/@scope/name/lib/x.js', 'node_modules/@scope/name/lib/x.js', '@scope/name'],
    ['webpack://app/./node_modules/x/y.js', 'node_modules/x/y.js', 'x'],
    ['../node_modules/.pnpm/left@1.0.0/node_modules/left/index.js', 'node_modules/left/index.js', 'left'],
    ['../node_modules/.pnpm/@a+b@1.0.0_react@19.0.0/node_modules/@a/b/x.js', 'node_modules/@a/b/x.js', '@a/b'],
    ['../.yarn/cache/left-npm-1.0.0-0a1b2c.zip/node_modules/left/index.js', 'node_modules/left/index.js', 'left'],
    ['../node_modules/left/node_modules/right/index.js', 'node_modules/right/index.js', 'right'],
    ['..\\node_modules\\left\\index.js', 'node_modules/left/index.js', 'left'],
  ])('finds the package of %s, wherever it was put', (source, file, owner) => {
    expect(lookupOf({ sources: [source] })).toEqual({ file, line: 1, package: owner });
  });

  it('takes no folder of a bundler for a package', () => {
    expect(lookupOf({ sources: ['/node_modules/.vite/deps/react.js'] })?.package).toBeUndefined();
  });

  it('puts `sourceRoot` before the sources', () => {
    expect(lookupOf({ sourceRoot: 'webpack://shop/src', sources: ['app.ts'] })).toMatchObject({ file: 'src/app.ts' });
    expect(lookupOf({ sourceRoot: '../node_modules/left', sources: ['index.js'] })).toMatchObject({ package: 'left' });
  });

  it('reads the sections of an index map', () => {
    const section = (column: number, source: string) => ({
      offset: { line: 0, column },
      map: { version: 3, names: [], mappings: 'AAAA', sources: [source] },
    });
    const sections = [section(0, 'src/a.ts'), section(50, 'webpack://shop/./node_modules/left/index.js')];
    const lookup = readSourceMap(JSON.stringify({ version: 3, sections }));
    expect(lookup?.(1, 10)).toMatchObject({ file: 'src/a.ts' });
    expect(lookup?.(1, 60)).toMatchObject({ package: 'left' });
  });

  it('gives a callback no name of the function that it is passed to', () => {
    const source = 'function subscribe(callback) { callback(); }\nsubscribe((value) => { console.log(value); });\n';
    const { code, map: made } = transformSync(source, {
      minify: true,
      sourcemap: true,
      format: 'iife',
      sourcefile: 'src/a.ts',
    });
    const column = code.indexOf('=>{console');
    const lookup = readSourceMap(made);
    expect(lookup?.(1, column)?.name).toBe('subscribe');
    expect(sourceOfFunction(lookup, { name: '(anonymous)', line: 1, column })).toEqual({ file: 'src/a.ts', line: 2 });
  });

  it.each(['', 'null', '[]', '{}', '{"version":3,"sources":["a"],"mappings":7}', '<html>'])(
    'takes no harm from %s',
    (text) => {
      expect(() => readSourceMap(text)?.(1, 1)).not.toThrow();
    },
  );
});

describe('readMainThread with maps', () => {
  it('names functions of the source, and adds up packages', () => {
    const lookup = readSourceMap(map);
    const call = (name: string, from: number, to: number) => ({
      from,
      to,
      stack: [[name, OWN, 1, begins(name)]] as const,
    });
    const found = readMainThread(
      traceOf({
        tasks: [{ at: 0, ms: 70, inside: [{ name: 'EvaluateScript', at: 0, ms: 70, url: OWN }] }],
        calls: [call('o', 0, 40), call('t', 40, 70)],
      }),
      { ...SCOPE, until: 100, sources: new Map(lookup ? [[OWN, lookup]] : []) },
    );
    const [first] = found?.byScript ?? [];
    expect(first?.functions.map(({ source }) => source?.name)).toEqual(['sumPrices', 'drawChart']);
    expect(first?.byPackage).toHaveLength(1);
    expect(first?.byPackage?.[0]).toMatchObject({ package: 'tiny-chart' });
    expect(first?.byPackage?.[0]?.ms).toBeCloseTo(30, 0);
    expect(found?.longTasks[0]?.function?.source?.name).toBe('sumPrices');
  });
});
